#pragma once
// What an observation of allocations tells, made into totals by type and stack. Estimates:
//
//   samples   the runtime samples a byte in a mean of m, at random, so that an object of s bytes is sampled with
//             p = 1 − e^(−s/m), and stands for 1/p objects
//   ticks     an amount of allocated bytes goes to the type and stack with which it was reached: only roughly right
//   exact     each object was told
//   counted   every allocation was, from the start of the process: no estimate at all
//
// Pure. Thread rule: one thread.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collector/protocol/allocation_counts.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// With which probability an object of `size` bytes is sampled.
double SampledShare(uint64_t size, uint64_t mean_bytes);

class AllocationProfile {
 public:
  // One block of the observation; the journal's are left alone. Errors: stream.block.
  Status Take(std::span<const uint8_t> block);

  const protocol::AllocationCosts& Costs() const { return costs_; }
  // Every allocation is there; what it cost then stands in CountCosts.
  bool IsCounted() const { return begun_.source == protocol::AllocationSource::kCounted; }
  const protocol::AllocationCountCosts& CountCosts() const { return count_costs_; }
  // What was allocated until now, the largest first; `objects` is empty.
  snapshot::Sampling Summarize() const;

 protected:
  using Frame = uint32_t;  // id in frames_

  // The class of a type, by number; 0: not known.
  uint64_t ClassOf(uint32_t type) const { return type < types_.size() ? types_[type].class_id : 0; }
  // The innermost frame of a stack, by number.
  Frame FrameOf(uint32_t stack);
  virtual void OnSample(const protocol::AllocationSample&) {}
  ~AllocationProfile() = default;

 private:
  struct Sum {
    uint64_t samples = 0;
    double objects = 0, bytes = 0;
  };
  struct Count {
    uint64_t objects = 0, bytes = 0;
  };

  Status TakeType(const protocol::AllocationType& type);
  Status TakeMethod(const protocol::AllocationMethod& method);
  Status TakeStack(const protocol::AllocationStack& stack);
  Status TakeSamples(const protocol::AllocationSamples& samples);
  Status TakeCounts(const protocol::AllocationCounts& counts);
  void Add(const protocol::AllocationSample& sample);
  const std::string& TypeNamed(uint32_t type) const;
  Frame AddFrame(Frame parent, uint32_t method, bool cut);
  uint32_t MethodNamed(const std::string& name);

  protocol::AllocationsBegun begun_;
  protocol::AllocationCosts costs_;
  protocol::AllocationCountCosts count_costs_;
  std::vector<protocol::AllocationType> types_;
  std::vector<uint32_t> methods_;  // by the collector's number: id in method_names_
  std::vector<snapshot::AllocationMethod> method_names_;
  std::unordered_map<std::string, uint32_t> method_ids_;
  std::vector<snapshot::AllocationFrame> frames_;
  std::map<std::tuple<Frame, uint32_t, bool>, Frame> frame_ids_;
  std::vector<Frame> stacks_;                                // by the collector's number
  std::map<std::tuple<uint32_t, Frame, bool>, Sum> totals_;  // by type, stack, exact
  std::map<std::pair<uint32_t, Frame>, Count> counts_;       // by type, stack
};

}  // namespace cairn::client
