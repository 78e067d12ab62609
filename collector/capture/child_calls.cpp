#include "collector/capture/child_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

namespace cairn::collector::child {

namespace {

constexpr size_t kSignalSetBytes = 8;
constexpr int kLastSignal = 64;
constexpr int kLowPriority = 10;
constexpr uint64_t kUnknown = ~uint64_t{0};
constexpr long kMostDescriptors = 1 << 20;

#ifndef SYS_close_range
constexpr long kCloseRange = 436;
#else
constexpr long kCloseRange = SYS_close_range;
#endif

void DefaultSignals() {
  // A zeroed struct, whatever its layout: default action, no flags, empty mask.
  const uint64_t nothing[8] = {};
  for (int signal = 1; signal <= kLastSignal; ++signal) {
    syscall(SYS_rt_sigaction, signal, nothing, nullptr, kSignalSetBytes);
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, nothing, nullptr, kSignalSetBytes);
}

bool CloseRange(unsigned first, unsigned last) { return first > last || syscall(kCloseRange, first, last, 0) == 0; }

// Before Linux 5.9 one by one.
void CloseOneByOne(int kept) {
  rlimit limit{};
  syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit);
  const long end = limit.rlim_cur < kMostDescriptors ? static_cast<long>(limit.rlim_cur) : kMostDescriptors;
  for (long descriptor = 0; descriptor < end; ++descriptor) {
    if (descriptor != kept) syscall(SYS_close, descriptor);
  }
}

void CloseAllBut(int kept) {
  const auto number = static_cast<unsigned>(kept);
  const bool below = number == 0 || CloseRange(0, number - 1);
  if (!below || !CloseRange(number + 1, ~0u)) CloseOneByOne(kept);
}

// The start of a file as a C string; empty where it cannot be read.
template <size_t kSize>
void ReadText(const char* path, char (&text)[kSize]) {
  text[0] = 0;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return;
  size_t used = 0;
  for (long got; used < kSize - 1 && (got = syscall(SYS_read, file, text + used, kSize - 1 - used)) > 0;) {
    used += static_cast<size_t>(got);
  }
  text[used] = 0;
  syscall(SYS_close, file);
}

uint64_t NumberAt(const char* text) {
  while (*text == ' ' || *text == '\t' || *text == ':') ++text;
  if (*text < '0' || *text > '9') return kUnknown;
  uint64_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<uint64_t>(*text - '0');
  return value;
}

uint64_t NumberBehind(const char* text, const char* key) {
  const size_t size = std::strlen(key);
  for (const char* line = text; line != nullptr && *line != 0;) {
    if (std::strncmp(line, key, size) == 0) return NumberAt(line + size);
    line = std::strchr(line, '\n');
    if (line != nullptr) ++line;
  }
  return kUnknown;
}

uint64_t NumberIn(const char* folder, const char* name) {
  char path[512], text[64];
  const size_t length = std::strlen(folder);
  if (length + std::strlen(name) + 1 > sizeof path) return kUnknown;
  std::memcpy(path, folder, length);
  std::strcpy(path + length, name);
  ReadText(path, text);
  return NumberAt(text);
}

uint64_t GroupAvailable(const char* group) {
  if (*group == 0) return kUnknown;
  const uint64_t limit = NumberIn(group, "/memory.max");
  const uint64_t used = NumberIn(group, "/memory.current");
  if (limit == kUnknown || used == kUnknown) return kUnknown;
  return limit > used ? limit - used : 0;
}

uint64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

}  // namespace

void Settle(int kept) {
  DefaultSignals();
  const rlimit none{};
  syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, nullptr);
  const long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC, 0);
  if (file >= 0) {
    syscall(SYS_write, file, "1000", size_t{4});
    syscall(SYS_close, file);
  }
  syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  CloseAllBut(kept);
  // Last: whoever sees the name sees a child that has settled.
  syscall(SYS_prctl, PR_SET_NAME, "cairn-child", 0, 0, 0);
}

void LowerPriority() { syscall(SYS_setpriority, PRIO_PROCESS, 0, kLowPriority); }

Sent Send(int socket, const void* data, size_t size, uint32_t deadline_ms) {
  auto* at = static_cast<const uint8_t*>(data);
  uint64_t until = NowMs() + deadline_ms;
  while (size > 0) {
    const long sent = syscall(SYS_sendto, socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT, nullptr, 0);
    if (sent > 0) {
      at += sent;
      size -= static_cast<size_t>(sent);
      until = NowMs() + deadline_ms;
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) return Sent::kGone;
    const uint64_t now = NowMs();
    if (now >= until) return Sent::kTooLate;
    pollfd ready{socket, POLLOUT, 0};
    const timespec wait{static_cast<time_t>((until - now) / 1000), static_cast<long>((until - now) % 1000) * 1'000'000};
    syscall(SYS_ppoll, &ready, 1, &wait, nullptr, kSignalSetBytes);
    if ((ready.revents & (POLLERR | POLLHUP)) != 0) return Sent::kGone;
  }
  return Sent::kAll;
}

uint64_t AvailableMemory(const char* group) {
  char text[1024];
  ReadText("/proc/meminfo", text);
  const uint64_t kib = NumberBehind(text, "MemAvailable");
  const uint64_t machine = kib == kUnknown ? kUnknown : kib * 1024;
  const uint64_t in_group = GroupAvailable(group);
  return machine < in_group ? machine : in_group;
}

uint64_t PrivateMemory() {
  char text[2048];
  ReadText("/proc/self/smaps_rollup", text);
  const uint64_t clean = NumberBehind(text, "Private_Clean"), dirty = NumberBehind(text, "Private_Dirty");
  if (clean == kUnknown || dirty == kUnknown) return 0;
  return (clean + dirty) * 1024;
}

void Exit(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

}  // namespace cairn::collector::child
