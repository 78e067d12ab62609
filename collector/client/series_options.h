#pragma once
// What a series of snapshots is made of: when one is taken, when the series ends, what is kept.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace cairn::client {

struct SeriesOptions {
  std::string folder = ".";  // made where it is missing
  std::optional<std::chrono::milliseconds> every;
  std::optional<double> grows_percent;          // of the heap at the snapshot before
  std::optional<uint64_t> over_bytes;           // each time the heap passes it
  std::optional<double> over_percent_of_limit;  // of the process's memory limit
  std::optional<uint64_t> count;
  std::optional<std::chrono::milliseconds> duration;
  std::optional<uint64_t> keep_last;
  std::optional<uint64_t> max_disk_bytes;
  bool track = false;        // follow the identity of objects
  bool allocations = false;  // sample allocations, and follow the sampled objects to the snapshots
  bool on_line = false;      // a snapshot for each line on the standard input, until that ends

  bool NeedsHeapSize() const { return grows_percent || over_bytes || over_percent_of_limit; }
};

enum class SnapshotCause { kStart, kEvery, kGrowth, kOver, kLine };
const char* CauseName(SnapshotCause cause);  // "start", "every", "heap grew", "heap over", "line"

enum class SeriesEnd { kCount, kDuration, kTargetExited, kInterrupted, kInputEnded };
const char* EndName(SeriesEnd end);  // as in the contract

}  // namespace cairn::client
