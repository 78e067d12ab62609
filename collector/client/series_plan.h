#pragma once
// When the next snapshot of a series is due, and when the series is over. Time and the heap's size are told:
// nothing here looks at a clock or a process.
// Thread rule: one thread.

#include <optional>

#include "collector/client/posix.h"
#include "collector/client/series_options.h"

namespace cairn::client {

// The heap's size as somebody measured it. `number` grows with each measurement.
struct HeapReading {
  uint64_t bytes = 0;
  uint64_t number = 0;
};

class SeriesPlan {
 public:
  // `over_bytes`: the limit to watch for, --when-heap-over in bytes.
  SeriesPlan(const SeriesOptions& options, std::optional<uint64_t> over_bytes, Clock::time_point start);

  // The first snapshot is due at once; it is what the others are compared with.
  std::optional<SnapshotCause> Due(Clock::time_point now, const std::optional<HeapReading>& heap);
  // `heap_bytes`: right after the snapshot. Measurements up to `seen` are older than it.
  void Captured(Clock::time_point now, uint64_t heap_bytes, uint64_t seen);
  std::optional<SeriesEnd> Ended(Clock::time_point now) const;
  uint64_t Snapshots() const { return snapshots_; }

 private:
  bool HasGrown(uint64_t bytes) const;
  bool HasPassed(uint64_t bytes);

  const SeriesOptions options_;
  const std::optional<uint64_t> over_bytes_;
  const Clock::time_point start_;
  Clock::time_point next_;  // by --every
  uint64_t snapshots_ = 0, base_bytes_ = 0, seen_ = 0;
  bool below_ = true;  // the heap was below the limit when last looked at
};

}  // namespace cairn::client
