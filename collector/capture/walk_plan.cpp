#include "collector/capture/walk_plan.h"

#include <algorithm>

#include "collector/capture/fork_safety.h"

namespace cairn::collector {

namespace {

// Where a fork is cheaper by so much that there will hardly be a walk in the pause.
constexpr uint64_t kClearlyCheaper = 4;

ForkOdds OddsOfFork(const WalkPlan& plan, protocol::WalkMethod asked) {
  if (plan.fork_refusal != nullptr || asked == protocol::WalkMethod::kPause) return ForkOdds::kNone;
  if (asked == protocol::WalkMethod::kFork || plan.largest.fork_ns * kClearlyCheaper < plan.largest.pause_ns) {
    return ForkOdds::kCertain;
  }
  return plan.largest.fork_ns < plan.largest.pause_ns ? ForkOdds::kLikely : ForkOdds::kNone;
}

// What is not touched beforehand is faulted in within the pause; what is touched in vain is memory taken from the
// application.
uint64_t TouchedPerSpool(const WalkPlan& plan, uint64_t usual) {
  if (plan.fork == ForkOdds::kCertain) return 0;
  return plan.fork == ForkOdds::kLikely ? std::min(usual, SpoolBelowFork(plan.constants, plan.largest)) : usual;
}

// The first walker looks at a sample of objects in any case.
bool Touch(WalkMemory& memory, bool first, uint64_t spool_bytes) {
  if (spool_bytes != 0) return memory.Touch(spool_bytes);
  return !first || memory.TouchTables();
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
  plan.largest = Estimate(plan.constants, largest, plan.threads, false);
  plan.fork = OddsOfFork(plan, options.method);
  return plan;
}

std::unique_ptr<WalkMemories> MakeWalkMemories(const WalkPlan& plan) {
  SpoolSize size = SpoolSizeFor(plan.budget, plan.threads);
  size.touched = TouchedPerSpool(plan, size.touched);
  if (!Fits(plan.budget, size.touched * plan.threads)) return nullptr;
  auto memories = std::make_unique<WalkMemories>();
  for (unsigned i = 0; i < plan.threads; ++i) {
    auto spool = std::make_unique<WalkMemory>();
    if (!spool->Map(size.reserved) || !Touch(*spool, i == 0, size.touched)) break;
    memories->spools.push_back(std::move(spool));
  }
  if (memories->spools.empty()) return nullptr;
  if (plan.fork_refusal != nullptr) return memories;
  memories->child = std::make_unique<ChildMemory>();
  if (!memories->child->Map()) memories->child.reset();
  return memories;
}

}  // namespace cairn::collector
