#include "collector/capture/walk_plan.h"

#include "collector/capture/fork_safety.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kLeastTouched = 1u << 20;

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
  const WalkEstimate estimate = Estimate(plan.constants, largest, plan.threads, false);
  plan.expects_fork = Choose(estimate, options.method, plan.fork_refusal == nullptr, 0) == WalkChoice::kFork;
  return plan;
}

std::unique_ptr<WalkMemories> MakeWalkMemories(const WalkPlan& plan) {
  SpoolSize size = SpoolSizeFor(plan.budget, plan.threads);
  if (plan.expects_fork) size.touched = kLeastTouched;
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
