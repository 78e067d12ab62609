#pragma once
// Roots and dependent handles out of the event session of a capture that leaves concurrent collections alone.
// The runtime sends them in several events each, numbered from 0, and may go through the heap more than once in
// one collection: the last complete set counts.
// Call-site rule: as RootRecorder.

#include <cstdint>
#include <span>

#include "collector/roots/root_recorder.h"

namespace cairn::collector {

class RootEvents {
 public:
  explicit RootEvents(RootRecorder& recorder) : recorder_(recorder) {}

  void Reset();
  void OnRootEdges(std::span<const uint8_t> payload);
  void OnDependents(std::span<const uint8_t> payload);
  // Roots came, and no event of the last set was missing or malformed.
  bool HasRoots() const { return root_sequence_.expected > 0 && root_sequence_.whole && dependent_sequence_.whole; }

 private:
  struct Sequence {
    uint32_t expected = 0;
    bool whole = true;
    // True: the payload's number fits. A first one begins a new set.
    bool Take(uint32_t index);
  };

  RootRecorder& recorder_;
  Sequence root_sequence_, dependent_sequence_;
};

}  // namespace cairn::collector
