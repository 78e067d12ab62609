#include "collector/capture/walk_plan.h"

#include <algorithm>

#include "collector/capture/fork_safety.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kLeastTouched = 1u << 20;
// Where a fork is cheaper by so much that the spool will hardly be needed.
constexpr uint64_t kClearlyCheaper = 4;
// Where it is cheaper, but what is in the heap may still turn the scales.
constexpr uint64_t kMostTouchedInDoubt = 128u << 20;

// What is not touched beforehand is faulted in within the pause; what is touched in vain is memory taken from the
// application.
uint64_t TouchedPerSpool(const WalkPlan& plan, uint64_t usual) {
  if (plan.fork == ForkOdds::kCertain) return kLeastTouched;
  return plan.fork == ForkOdds::kLikely ? std::min(usual, kMostTouchedInDoubt / plan.threads) : usual;
}

ForkOdds OddsOfFork(const WalkPlan& plan, protocol::WalkMethod asked, const WalkEstimate& estimate) {
  if (plan.fork_refusal != nullptr || asked == protocol::WalkMethod::kPause) return ForkOdds::kNone;
  if (asked == protocol::WalkMethod::kFork || estimate.fork_ns * kClearlyCheaper < estimate.pause_ns) {
    return ForkOdds::kCertain;
  }
  return estimate.fork_ns < estimate.pause_ns ? ForkOdds::kLikely : ForkOdds::kNone;
}

std::unique_ptr<WalkMemory> MakeSpool(const SpoolSize& size) {
  auto memory = std::make_unique<WalkMemory>();
  return memory->Map(size.reserved) && memory->Touch(size.touched) ? std::move(memory) : nullptr;
}

}  // namespace

WalkPlan MakeWalkPlan(const protocol::Options& options, unsigned runtime_major) {
  WalkPlan plan;
  plan.budget = ReadMemoryBudget();
  plan.constants = WalkConstants::From(options);
  plan.cpus = AllowedCpus();
  const WalkSize largest = LargestWalk(plan.budget.resident);
  plan.threads = WorthwhileThreads(plan.constants, largest, plan.cpus);
  if (options.method == protocol::WalkMethod::kFork) plan.threads = 1;
  plan.fork_refusal = ForkRefusal(plan.budget, runtime_major);
  plan.fork = OddsOfFork(plan, options.method, Estimate(plan.constants, largest, plan.threads, false));
  return plan;
}

std::unique_ptr<WalkMemories> MakeWalkMemories(const WalkPlan& plan) {
  SpoolSize size = SpoolSizeFor(plan.budget, plan.threads);
  size.touched = TouchedPerSpool(plan, size.touched);
  if (!Fits(plan.budget, size.touched * plan.threads)) return nullptr;
  auto memories = std::make_unique<WalkMemories>();
  for (unsigned i = 0; i < plan.threads; ++i) {
    auto spool = MakeSpool(size);
    if (spool != nullptr) memories->spools.push_back(std::move(spool));
  }
  if (memories->spools.empty()) return nullptr;
  if (plan.fork_refusal != nullptr) return memories;
  memories->child = std::make_unique<ChildMemory>();
  if (!memories->child->Map()) memories->child.reset();
  return memories;
}

}  // namespace cairn::collector
