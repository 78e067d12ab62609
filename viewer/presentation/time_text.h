#pragma once
// Moments as text, to the microsecond. Nanoseconds count from 1970, UTC. Thread rule: any.

#include <cstdint>
#include <string>

namespace cairn::presentation {

// "2026-11-29T22:00:00.123456Z"
std::string UtcTime(uint64_t realtime_ns);
// "23:00:00.123456", where this machine is.
std::string LocalTimeOfDay(uint64_t realtime_ns);

}  // namespace cairn::presentation
