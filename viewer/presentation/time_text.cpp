#include "viewer/presentation/time_text.h"

#include <fmt/format.h>

#include <ctime>

namespace cairn::presentation {
namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

}  // namespace

std::string UtcTime(uint64_t realtime_ns) {
  const auto seconds = static_cast<std::time_t>(realtime_ns / kNsPerSecond);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, realtime_ns % kNsPerSecond / 1000);
}

std::string LocalTimeOfDay(uint64_t realtime_ns) {
  const auto seconds = static_cast<std::time_t>(realtime_ns / kNsPerSecond);
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}.{:06}", local.tm_hour, local.tm_min, local.tm_sec,
                     realtime_ns % kNsPerSecond / 1000);
}

}  // namespace cairn::presentation
