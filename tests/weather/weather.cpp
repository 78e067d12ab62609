// Loaded before everything else (LD_PRELOAD) into a process of a test: stands between callers that are chosen and the C
// library, counts what they ask for, and at the n-th call lets it fail, or sends a signal. CAIRN_WEATHER names the file
// of Control; without it everything passes. Nothing here allocates, and nothing takes a lock: it runs in forked
// children and inside pauses, too.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "tests/weather/weather_control.h"

// The C library's own allocator, under names that nobody interposes.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using cairn::weather::Action;
using cairn::weather::Control;
using PriorityWhich = __priority_which_t;

enum Function {
#define FUNCTION(name, result, how, parameters, arguments) k_##name,
#include "tests/weather/weather_functions.inc"
#undef FUNCTION
  k_syscall,
  k_mremap,
  k_open,
  k_malloc,
  k_calloc,
  k_realloc,
  k_posix_memalign,
  k_aligned_alloc,
  k_clock_gettime,
  k_gettimeofday,
  k_time,
  kFunctions
};
static_assert(kFunctions < cairn::weather::kMostFunctions);

constexpr const char* kNames[] = {
#define FUNCTION(name, result, how, parameters, arguments) #name,
#include "tests/weather/weather_functions.inc"
#undef FUNCTION
    "syscall",        "mremap",        "open",          "malloc",       "calloc", "realloc",
    "posix_memalign", "aligned_alloc", "clock_gettime", "gettimeofday", "time"};

constexpr int64_t kNsPerSecond = 1'000'000'000;

std::atomic<Control*> shared{nullptr};

// The C library's functions. All are looked up at the start: a forked child must not.
void* next_of[kFunctions];

template <class Pointer>
Pointer Next(Function function) {
  if (next_of[function] == nullptr) next_of[function] = dlsym(RTLD_NEXT, kNames[function]);
  return reinterpret_cast<Pointer>(next_of[function]);
}

long Kernel(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  return Next<long (*)(long, ...)>(k_syscall)(number, a, b, c, d, e, f);
}

__attribute__((constructor)) void Open() {
  for (int i = 0; i < kFunctions; ++i) Next<void*>(static_cast<Function>(i));
  const char* path = getenv("CAIRN_WEATHER");
  if (path == nullptr) return;
  const long file = Kernel(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  const long at = Kernel(SYS_mmap, 0, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  Kernel(SYS_close, file);
  if (at == -1) return;
  auto* control = reinterpret_cast<Control*>(at);
  for (size_t i = 0; i < kFunctions; ++i) strcpy(control->names[i], kNames[i]);
  control->magic = cairn::weather::kMagic;
  shared = control;
}

bool IsMeant(const Control& control, const void* caller) {
  const auto at = static_cast<int64_t>(reinterpret_cast<uintptr_t>(caller));
  return at >= control.low && at < control.high;
}

// ---- chains of callers ----

struct Chain {
  const Control& control;
  uint64_t number = 0;
};

_Unwind_Reason_Code AddFrame(_Unwind_Context* frame, void* context) {
  auto& chain = *static_cast<Chain*>(context);
  const uint64_t at = _Unwind_GetIP(frame);
  const auto low = static_cast<uint64_t>(chain.control.low.load());
  if (IsMeant(chain.control, reinterpret_cast<void*>(at)))
    chain.number = (chain.number ^ (at - low)) * 0x9E3779B97F4A7C15;
  return _URC_NO_REASON;
}

int64_t PathOf(const Control& control) {
  Chain chain{control};
  _Unwind_Backtrace(AddFrame, &chain);
  return static_cast<int64_t>(chain.number >> 1) + 1;
}

void Note(Control& control, int64_t turn) {
  const int64_t path = PathOf(control);
  for (auto& entry : control.paths) {
    int64_t seen = 0;
    if (entry.path.compare_exchange_strong(seen, path)) entry.turn = turn;
    if (seen == 0 || seen == path) return;
  }
}

// The call under way, by a caller at `caller`: true where it must fail, with errno set.
bool Strikes(Function function, const void* caller, int64_t number = -1) {
  Control* control = shared.load(std::memory_order_relaxed);
  if (control == nullptr || !IsMeant(*control, caller)) return false;
  ++control->calls[function];
  if (number >= 0 && number < static_cast<int64_t>(cairn::weather::kMostNumbers)) ++control->numbers[number];
  if (control->armed == 0 || control->selected[function] == 0) return false;
  if (function == k_syscall && control->number != -1 && control->number != number) return false;
  const int64_t turn = ++control->matched;
  if (control->action == static_cast<int64_t>(Action::kTrace)) Note(*control, turn);
  if (turn < control->at || turn >= control->at + control->times) return false;
  const bool acts = control->action == static_cast<int64_t>(Action::kFail) ||
                    control->action == static_cast<int64_t>(Action::kSignal);
  if (!acts) return false;
  control->where = static_cast<int64_t>(reinterpret_cast<uintptr_t>(caller)) - control->low;
  control->function = function;
  if (control->acted == 0) control->path = PathOf(*control);
  ++control->acted;
  if (control->action == static_cast<int64_t>(Action::kSignal)) {
    const int saved = errno;
    const int64_t pid = control->pid;
    Kernel(SYS_kill, pid != 0 ? pid : Kernel(SYS_getpid), control->signal);
    errno = saved;
    return false;
  }
  errno = static_cast<int>(control->error);
  return true;
}

// How wrong the wall clock is just now.
int64_t Leap(const void* caller) {
  Control* control = shared.load(std::memory_order_relaxed);
  if (control == nullptr || control->armed == 0 || !IsMeant(*control, caller)) return 0;
  return ++control->clock_reads % 2 == 0 ? control->clock_leap.load() : -control->clock_leap;
}

// How functions say that they failed.
struct kNull {
  template <class Result>
  static Result Value() {
    return nullptr;
  }
};
struct kMinusOne {
  template <class Result>
  static Result Value() {
    return static_cast<Result>(-1);
  }
};
struct kMapFailed {
  template <class Result>
  static Result Value() {
    return MAP_FAILED;
  }
};
struct kNumber {
  template <class Result>
  static Result Value() {
    return errno;
  }
};

}  // namespace

#define CALLER __builtin_return_address(0)

#pragma GCC visibility push(default)
extern "C" {

#define FUNCTION(name, result, how, parameters, arguments)      \
  result name parameters noexcept(noexcept(::name arguments)) { \
    using Pointer = result(*) parameters;                       \
    if (Strikes(k_##name, CALLER)) return how::Value<result>(); \
    return Next<Pointer>(k_##name) arguments;                   \
  }
#include "tests/weather/weather_functions.inc"
#undef FUNCTION

long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long given[6];
  for (long& argument : given) argument = va_arg(list, long);
  va_end(list);
  if (Strikes(k_syscall, CALLER, number)) return -1;
  return Kernel(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

void* mremap(void* at, size_t size, size_t wanted, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* to = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  if (Strikes(k_mremap, CALLER)) return MAP_FAILED;
  return Next<void* (*)(void*, size_t, size_t, int, ...)>(k_mremap)(at, size, wanted, flags, to);
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (Strikes(k_open, CALLER)) return -1;
  return static_cast<int>(Kernel(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, mode));
}

void* malloc(size_t size) noexcept { return Strikes(k_malloc, CALLER) ? nullptr : __libc_malloc(size); }

void* calloc(size_t count, size_t size) noexcept {
  return Strikes(k_calloc, CALLER) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept {
  return Strikes(k_realloc, CALLER) ? nullptr : __libc_realloc(old, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  *memory = Strikes(k_posix_memalign, CALLER) ? nullptr : __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return Strikes(k_aligned_alloc, CALLER) ? nullptr : __libc_memalign(alignment, size);
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto next = Next<int (*)(clockid_t, timespec*)>(k_clock_gettime);
  const int result = next(clock, now);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  const int64_t wrong = now->tv_sec * kNsPerSecond + now->tv_nsec + Leap(CALLER);
  *now = {wrong / kNsPerSecond, wrong % kNsPerSecond};
  return result;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  const auto next = Next<int (*)(timeval*, void*)>(k_gettimeofday);
  const int result = next(now, zone);
  if (result == 0) now->tv_sec += Leap(CALLER) / kNsPerSecond;
  return result;
}

time_t time(time_t* now) noexcept {
  const auto next = Next<time_t (*)(time_t*)>(k_time);
  const time_t wrong = next(nullptr) + Leap(CALLER) / kNsPerSecond;
  if (now != nullptr) *now = wrong;
  return wrong;
}

}  // extern "C"
#pragma GCC visibility pop
