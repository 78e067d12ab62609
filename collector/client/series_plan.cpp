#include "collector/client/series_plan.h"

namespace cairn::client {

const char* CauseName(SnapshotCause cause) {
  switch (cause) {
    case SnapshotCause::kStart:
      return "start";
    case SnapshotCause::kEvery:
      return "every";
    case SnapshotCause::kGrowth:
      return "heap grew";
    case SnapshotCause::kOver:
      return "heap over";
    case SnapshotCause::kLine:
      return "line";
  }
  return "";
}

const char* EndName(SeriesEnd end) {
  switch (end) {
    case SeriesEnd::kCount:
      return "count";
    case SeriesEnd::kDuration:
      return "duration";
    case SeriesEnd::kTargetExited:
      return "target exited";
    case SeriesEnd::kInterrupted:
      return "interrupted";
    case SeriesEnd::kInputEnded:
      return "input ended";
  }
  return "";
}

SeriesPlan::SeriesPlan(const SeriesOptions& options, std::optional<uint64_t> over_bytes, Clock::time_point start)
    : options_(options), over_bytes_(over_bytes), start_(start), next_(start) {
  if (options_.every) next_ += *options_.every;
}

std::optional<SnapshotCause> SeriesPlan::Due(Clock::time_point now, const std::optional<HeapReading>& heap) {
  if (snapshots_ == 0) return SnapshotCause::kStart;
  const bool news = heap && heap->number > seen_;
  if (news && HasPassed(heap->bytes)) return SnapshotCause::kOver;
  if (news && HasGrown(heap->bytes)) return SnapshotCause::kGrowth;
  if (options_.every && now >= next_) return SnapshotCause::kEvery;
  return std::nullopt;
}

bool SeriesPlan::HasGrown(uint64_t bytes) const {
  if (!options_.grows_percent || bytes <= base_bytes_) return false;
  const double growth = static_cast<double>(bytes - base_bytes_);
  return growth * 100 >= *options_.grows_percent * static_cast<double>(base_bytes_);
}

// Once each time that it rises over the limit; a heap that stays there is not captured again and again.
bool SeriesPlan::HasPassed(uint64_t bytes) {
  if (!over_bytes_) return false;
  const bool below = bytes < *over_bytes_;
  const bool passed = !below && below_;
  if (below) below_ = true;
  return passed;
}

void SeriesPlan::Captured(Clock::time_point now, uint64_t heap_bytes, uint64_t seen) {
  ++snapshots_;
  base_bytes_ = heap_bytes;
  seen_ = seen;
  if (over_bytes_) below_ = heap_bytes < *over_bytes_;
  // What fell due during a capture is not made up for.
  if (options_.every && next_ <= now) next_ += ((now - next_) / *options_.every + 1) * *options_.every;
}

std::optional<SeriesEnd> SeriesPlan::Ended(Clock::time_point now) const {
  if (options_.count && snapshots_ >= *options_.count) return SeriesEnd::kCount;
  if (options_.duration && now - start_ >= *options_.duration) return SeriesEnd::kDuration;
  return std::nullopt;
}

}  // namespace cairn::client
