/* What Debian's libstdc++ and libgcc take from glibc and musl does not have. Preloaded into a .NET of musl, so that no
 * image of another distribution is needed to try one. The libraries that a real musl system brings lack nothing. */
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#define _dl_find_object declared_elsewhere
#include <link.h>
#include <string.h>
#undef _dl_find_object

char __libc_single_threaded = 0;
struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;
unsigned __cpu_features2[8];
int __cpu_indicator_init(void) { return 0; }

/* Destructors of thread-local objects, latest first. */
struct Destructor { void (*run)(void*); void* object; struct Destructor* next; };
static pthread_key_t destructors;
static pthread_once_t destructors_made = PTHREAD_ONCE_INIT;

static void RunDestructors(void* first) {
  for (struct Destructor* at = first; at != NULL;) {
    struct Destructor* next = at->next;
    at->run(at->object);
    free(at);
    at = next;
  }
}

static void MakeDestructors(void) { pthread_key_create(&destructors, RunDestructors); }

int __cxa_thread_atexit_impl(void (*run)(void*), void* object, void* library) {
  (void)library;
  pthread_once(&destructors_made, MakeDestructors);
  struct Destructor* added = malloc(sizeof *added);
  *added = (struct Destructor){run, object, pthread_getspecific(destructors)};
  return pthread_setspecific(destructors, added);
}

int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) { return pthread_key_create(key, destructor); }

size_t __strftime_l(char* text, size_t size, const char* format, const struct tm* time, locale_t locale) {
  return strftime_l(text, size, format, time, locale);
}

uint32_t arc4random(void) {
  uint32_t number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}

/* Where the unwinding tables of an address are. */
struct FoundObject { unsigned long long flags; void *start, *end, *map, *frames; unsigned long long reserved[7]; };
struct Search { ElfW(Addr) address; struct FoundObject* found; int result; };

static int LookInto(struct dl_phdr_info* library, size_t size, void* context) {
  (void)size;
  struct Search* search = context;
  ElfW(Addr) low = ~(ElfW(Addr))0, high = 0, frames = 0;
  int inside = 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = library->dlpi_phdr + i;
    const ElfW(Addr) start = library->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (part->p_type == PT_GNU_EH_FRAME) frames = start;
    if (part->p_type != PT_LOAD) continue;
    if (start < low) low = start;
    if (end > high) high = end;
    inside |= search->address >= start && search->address < end;
  }
  if (!inside) return 0;
  if (frames == 0) return 1;
  memset(search->found, 0, sizeof *search->found);
  search->found->start = (void*)low;
  search->found->end = (void*)high;
  search->found->frames = (void*)frames;
  search->result = 0;
  return 1;
}

int _dl_find_object(void* address, void* found) {
  struct Search search = {(ElfW(Addr))address, found, -1};
  dl_iterate_phdr(LookInto, &search);
  return search.result;
}
