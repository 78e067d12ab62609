#pragma once
// Random heaps for the oracles, and naive answers to compare with.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tests/viewer/analysis/memory_heap.h"

namespace cairn::analysis::testing {

// A small directed graph as plain data, so that rapidcheck can shrink it.
struct RandomHeap {
  std::vector<std::vector<uint8_t>> targets;  // per object; a value >= object count is null
  std::vector<uint8_t> roots;                 // modulo object count; every third is not certain
  uint8_t chunk_objects = 1, chunk_slots = 1;
};

// Objects in arrays, so that slots continue over chunks. Sizes are 24 + 8 × slots.
void Fill(MemoryHeap& heap, const RandomHeap& random);

// What is reached from the roots when `removed` is not there.
std::set<uint32_t> NaiveReachable(const HeapGraph& graph, std::optional<uint32_t> removed = {});
// For each object the ones that dominate it, itself excluded; by removing each object in turn.
std::vector<std::set<uint32_t>> NaiveDominators(const HeapGraph& graph);

}  // namespace cairn::analysis::testing
