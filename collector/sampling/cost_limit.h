#pragma once
// Keeps what sampling takes from the application below a share of one core: where it takes more, only one in 2, 4, 8 …
// samples is looked at, each then standing for so many. The samples that are left out cost next to nothing, and those
// that are taken stay as deep as they were, so that stacks do not fall apart; estimates become less certain, not wrong.
// Pure. Thread rule: Update from one thread.

#include <cstdint>

namespace cairn::collector {

class CostLimit {
 public:
  static constexpr uint64_t kWindowNs = 200'000'000;
  static constexpr uint32_t kMostOneIn = 1024;
  // One sample counts at most so much: the clock also runs while its thread is not.
  static constexpr uint64_t kMostSampleNs = 100'000;

  // Parts of a million of one core; 0: no limit.
  explicit CostLimit(uint32_t share_ppm = 0) : share_ppm_(share_ppm) {}

  // What the samples took until now. Gives how many samples each one stands for from here on.
  uint32_t Update(uint64_t taken_ns, uint64_t now_ns);
  uint32_t OneIn() const { return one_in_; }
  uint32_t HighestOneIn() const { return highest_; }

 private:
  uint32_t Choose(uint64_t taken_ppm) const;

  uint32_t share_ppm_;
  uint32_t one_in_ = 1, highest_ = 1;
  uint64_t began_ns_ = 0, taken_before_ns_ = 0;
};

// Whether this sample is one of those to be taken: at random, so that no rhythm of the application decides.
inline bool IsOneIn(uint32_t one_in, uint64_t number) {
  uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  return ((mixed ^ (mixed >> 31)) & (one_in - 1)) == 0;
}

}  // namespace cairn::collector
