#pragma once
// The snapshots of one series, found by the names that captures give them: NAME_PID_yyyyMMdd_HHmmss.cairn, of a watch
// with _0001 and so on behind the time.
// Thread rule: functions that look at a folder once; SeriesFolder belongs to one thread.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn::presentation {

// All of the series that `path` is of, as they were taken; only itself where its name tells of none.
std::vector<std::string> SeriesOf(const std::string& path);

// Those that were taken after the last of `files`.
std::vector<std::string> LaterInSeries(std::span<const std::string> files);

// Whether files came or went since the last look: one question to the system.
class SeriesFolder {
 public:
  bool HasChanged(const std::string& file);

 private:
  std::string folder_;
  int64_t seen_ = 0;  // when it was changed last, in nanoseconds
};

}  // namespace cairn::presentation
