#include "collector/capture/memory_budget.h"

#include <algorithm>

namespace cairn::collector {

namespace {

constexpr uint64_t kUnknown = ~uint64_t{0};
constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kSpoolFloor = 64 * kMiB;

}  // namespace

// Measured: 4.6 to 6.8 B per object of 44 to 92 B, so a tenth of the heap covers common heaps, and half of it the worst
// (small objects full of references). Only what is touched costs memory; what a walk needs beyond it becomes resident by
// the piece, within the pause, where a page takes 1.6 us: 0.8 ns of each object when nothing is touched beforehand.
SpoolSize SpoolSizeFor(uint64_t resident) { return {resident / 2 + kSpoolFloor, resident / 10}; }

SpoolSize SpoolSizeFor(const MemoryBudget& budget, unsigned threads) {
  SpoolSize size = SpoolSizeFor(budget.resident);
  size.touched /= threads;
  if (budget.available == kUnknown) return size;
  const uint64_t given = budget.available > kRoomForTheApplication ? budget.available - kRoomForTheApplication : 0;
  size.reserved = std::min(size.reserved, std::max(size.touched, given / threads));
  return size;
}

bool Fits(const MemoryBudget& budget, uint64_t bytes) {
  return budget.available == kUnknown || bytes + kRoomForTheApplication <= budget.available;
}

}  // namespace cairn::collector
