// What the C++ runtime in the collector takes from this machine's glibc, and an older one, or musl, does not have:
// our own, hidden in the library. Each does for us what the C library's would.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#define CAIRN_HIDDEN __attribute__((visibility("hidden")))

namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

// What _dl_find_object fills in: <dlfcn.h> of glibc 2.35.
struct FoundObject {
  unsigned long long flags;
  void* start;
  void* end;
  void* link_map;
  void* unwinding;
  unsigned long long reserved[7];
};

struct Search {
  uintptr_t address;
  FoundObject* found;
  bool done;
};

// The library that an address lies in, as the loader's list has it.
int LookInto(dl_phdr_info* library, size_t, void* context) {
  auto& search = *static_cast<Search*>(context);
  uintptr_t low = UINTPTR_MAX, high = 0, unwinding = 0;
  bool inside = false;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    const uintptr_t start = library->dlpi_addr + part.p_vaddr, end = start + part.p_memsz;
    if (part.p_type == PT_GNU_EH_FRAME) unwinding = start;
    if (part.p_type != PT_LOAD) continue;
    if (start < low) low = start;
    if (end > high) high = end;
    inside = inside || (search.address >= start && search.address < end);
  }
  if (!inside) return 0;
  if (unwinding == 0) return 1;
  std::memset(search.found, 0, sizeof *search.found);
  search.found->start = reinterpret_cast<void*>(low);
  search.found->end = reinterpret_cast<void*>(high);
  search.found->unwinding = reinterpret_cast<void*>(unwinding);
  search.done = true;
  return 1;
}

// Looked up once, as the library is loaded: a wait must not ask the loader, whose lock anybody may hold.
using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
const Wait kOwnWait = reinterpret_cast<Wait>(dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));

int64_t NsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

}  // namespace

extern "C" {

// glibc 2.32. There are always threads where we are.
CAIRN_HIDDEN extern char __libc_single_threaded;
CAIRN_HIDDEN char __libc_single_threaded = 0;

// Part of every program and library, not of the C library's shared half.
extern void* __dso_handle;
int __cxa_atexit(void (*run)(void*), void* argument, void* library);
CAIRN_HIDDEN int RunAtExit(void (*run)(void*)) __asm__("atexit");
int RunAtExit(void (*run)(void*)) { return __cxa_atexit(run, nullptr, &__dso_handle); }

// glibc 2.35, in libgcc's search for unwinding tables, which has no other way: without it every throw would end the
// target.
CAIRN_HIDDEN int FindObject(void* address, FoundObject* found) __asm__("_dl_find_object");
int FindObject(void* address, FoundObject* found) {
  Search search{reinterpret_cast<uintptr_t>(address), found, false};
  dl_iterate_phdr(LookInto, &search);
  return search.done ? 0 : -1;
}

// glibc 2.30, in std::condition_variable: waits by the monotonic clock. The C library's own, where it has one; else by
// the wall clock, set anew from the other, so that a change of the wall clock in the meantime lengthens or shortens one
// wait.
CAIRN_HIDDEN int WaitUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) __asm__("pthread_cond_clockwait");
int WaitUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  if (kOwnWait != nullptr) return kOwnWait(condition, mutex, clock, end);
  const int64_t left = end->tv_sec * kNsPerSecond + end->tv_nsec - NsOf(clock);
  const int64_t wall = NsOf(CLOCK_REALTIME) + (left > 0 ? left : 0);
  const timespec until{wall / kNsPerSecond, static_cast<long>(wall % kNsPerSecond)};
  return pthread_cond_timedwait(condition, mutex, &until);
}

// glibc 2.25 and 2.36.
CAIRN_HIDDEN ssize_t RandomBytes(void* bytes, size_t size, unsigned flags) __asm__("getrandom");
ssize_t RandomBytes(void* bytes, size_t size, unsigned flags) { return syscall(SYS_getrandom, bytes, size, flags); }

CAIRN_HIDDEN int Entropy(void* bytes, size_t size) __asm__("getentropy");
int Entropy(void* bytes, size_t size) { return RandomBytes(bytes, size, 0) == static_cast<ssize_t>(size) ? 0 : -1; }

CAIRN_HIDDEN uint32_t RandomNumber() __asm__("arc4random");
uint32_t RandomNumber() {
  uint32_t number = 0;
  RandomBytes(&number, sizeof number, 0);
  return number;
}

#ifdef __aarch64__
// In libgcc's choice of atomic instructions; musl has it by its other name only.
CAIRN_HIDDEN unsigned long AuxiliaryValue(unsigned long type) __asm__("__getauxval");
unsigned long AuxiliaryValue(unsigned long type) { return getauxval(type); }

// What a zstd that watches its stack compares with: on this architecture a variable of the loader, which would be one
// more library to ask for. Set before anything of ours runs.
CAIRN_HIDDEN extern uintptr_t __stack_chk_guard;
CAIRN_HIDDEN uintptr_t __stack_chk_guard = 0x9E3779B97F4A7C00;

__attribute__((constructor, optimize("no-stack-protector"))) static void SetGuard() {
  uintptr_t guard = 0;
  if (RandomBytes(&guard, sizeof guard, 0) == sizeof guard) __stack_chk_guard = guard & ~uintptr_t{0xFF};
}
#endif

}  // extern "C"
