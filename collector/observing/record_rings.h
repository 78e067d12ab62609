#pragma once
// What callbacks write and the observation's thread reads: bounded, lock-free, in the order of each thread. A thread
// always writes to the same one of several rings, so that many threads seldom meet.
//
// Where a record does not fit, its whole kind is shut: every later record of that kind is counted and left out until
// the rings have been read almost empty; then Reopen gives the number that was lost, for the client to be told. So a
// kind is there completely, or its absence is on record. Kinds with a small `rank` keep more room for themselves: the
// noisy ones are shut first.
//
// Thread rule: Write from any threads at once: no lock, no wait, no allocation. Drain and Reopen from one.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "collector/tracking/journal_ring.h"

namespace cairn::collector {

struct ObservedRecord {
  uint64_t time_ns = 0;    // CLOCK_MONOTONIC
  uint32_t os_thread = 0;  // that wrote it
  uint16_t kind = 0;       // the observer's own numbering, less than RecordRings::kKinds
  uint16_t detail = 0;     // free for the observer
};
static_assert(sizeof(ObservedRecord) == 16);

class RecordRings {
 public:
  static constexpr size_t kKinds = 64;
  static constexpr size_t kRings = 8;

  // `bytes` of each ring, a power of two; they cost nothing until written. False: no memory.
  bool Map(size_t bytes);
  void Unmap();

  // 0: may use all of a ring; each step of rank leaves a sixteenth more to the others, up to 6. Before anything is
  // written.
  void SetRank(uint16_t kind, unsigned rank) { rank_[kind] = static_cast<uint8_t>(rank > 6 ? 6 : rank); }

  // Fills in time and thread. False: the kind is shut, and the record is counted.
  bool Write(uint16_t kind, uint16_t detail, std::span<const uint8_t> payload) {
    return Write(kind, detail, {}, payload);
  }
  // In two parts, one behind the other; of the first at most kLongestFirst bytes.
  static constexpr size_t kLongestFirst = 1024;
  bool Write(uint16_t kind, uint16_t detail, std::span<const uint8_t> first, std::span<const uint8_t> payload);

  // All that lies there as it begins, oldest first (exactly so within a thread). False from `take` ends it early.
  bool Drain(const std::function<bool(const ObservedRecord&, std::span<const uint8_t>)>& take);

  // Opens the kind again if it is shut and the rings have been read. Gives how many records were left out since; 0: it
  // was open, or stays shut.
  uint64_t Reopen(uint16_t kind);
  // Of all kinds, since Map.
  uint64_t Lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Gate {
    std::atomic<bool> shut{false};
    std::atomic<uint64_t> lost{0};
  };

  size_t bytes_ = 0;
  std::array<JournalRing, kRings> rings_;
  std::array<Gate, kKinds> gates_;
  std::array<uint8_t, kKinds> rank_{};
  std::atomic<uint64_t> lost_{0};
  bool was_read_ = true;  // by the latest Drain, to its end
};

}  // namespace cairn::collector
