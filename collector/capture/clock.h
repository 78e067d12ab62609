#pragma once
// Monotonic time in nanoseconds. Allocation-free; used in the pause.

#include <time.h>

#include <cstdint>

namespace cairn::collector {

inline constexpr uint64_t kNsPerMs = 1'000'000;

inline uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

inline double MsBetween(uint64_t from_ns, uint64_t to_ns) {
  return to_ns > from_ns ? static_cast<double>(to_ns - from_ns) / static_cast<double>(kNsPerMs) : 0.0;
}

inline void SleepMs(int milliseconds) {
  const timespec pause{milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1'000'000};
  nanosleep(&pause, nullptr);
}

}  // namespace cairn::collector
