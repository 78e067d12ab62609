#pragma once
// Samples of what the application allocates, each with its stack. On .NET 10 the runtime's allocation samples, which
// are random and so without bias; before that its allocation ticks, with every large object told besides.
//
// A callback takes the stack, turns it into serial numbers of methods, and puts it all into a ring. Types, stacks and
// names are made of it on the observation's thread. The object itself is never touched: it is not one yet.
// Where objects are followed, the collections' journal also says where each sampled object began its life; a sample and
// a collection can never come at the same time, so that their order in the journal is the true one.

#include <atomic>
#include <optional>

#include "collector/observing/function_names.h"
#include "collector/observing/observer.h"
#include "collector/observing/record_rings.h"
#include "collector/protocol/allocation_observation.h"
#include "collector/sampling/allocation_event.h"
#include "collector/sampling/class_names.h"
#include "collector/sampling/cost_limit.h"
#include "collector/sampling/told_stacks.h"
#include "collector/sampling/type_table.h"
#include "collector/tracking/gc_journal.h"

namespace cairn::collector {

class AllocationObserver final : public Observer {
 public:
  ~AllocationObserver() override;

  const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) override;
  ObserverNeeds Needs() const override;
  bool Begin(ObservationSink& sink) override;
  bool OnOrder(std::span<const uint8_t> order, ObservationSink& sink) override;
  bool Drain(ObservationSink& sink) override;
  void Finish(ObservationSink& sink) override;

  void OnEvent(const ObservedEvent& event) override;
  void OnObjectAllocated(abi::ObjectID object, abi::ClassID type) override;
  void OnModuleUnloadStarted(abi::ModuleID module) override;
  void OnDynamicMethodUnloaded(abi::FunctionID function) override { names_.ForgetMethod(function); }
  void OnSuspendFinished() override;
  void OnResumeStarted() override;
  void OnCollectionStarted(std::span<const abi::Bool> collected, abi::GcReason reason) override;
  void OnCollectionFinished() override;
  void OnSnapshotTaken(uint64_t marker) override;

 private:
  bool UsesTicks() const;
  bool TellBegun(ObservationSink& sink) const;
  void OnAllocation(const AllocationEvent& allocation, bool exact);
  void Record(const AllocationEvent& allocation, uint32_t one_in, bool exact);

  bool TakeRecord(ObservationSink& sink, std::span<const uint8_t> record);
  uint32_t TypeOf(ObservationSink& sink, uint64_t class_id, uint32_t serial, std::span<const uint8_t> name);
  bool SendSamples(ObservationSink& sink);
  bool SendJournal(ObservationSink& sink);
  bool SendCosts(ObservationSink& sink);

  const RuntimeAccess* runtime_ = nullptr;
  protocol::AllocationWishes wishes_;
  FunctionNames names_;
  ClassNames type_names_;
  RecordRings rings_;
  std::atomic<bool> samples_{true};  // until told to stop
  std::atomic<uint32_t> one_in_{1};
  std::atomic<uint64_t> seen_{0}, taken_{0}, left_out_{0}, taken_ns_{0}, without_stack_{0}, key_{0};
  GcJournal journal_;
  std::atomic<bool> suspended_in_collection_{false};

  // ---- the observation's thread ----
  CostLimit limit_{0};
  TypeTable types_;
  ToldStacks stacks_;
  std::vector<protocol::AllocationSample> batch_;
  std::vector<std::vector<uint8_t>> nameless_;  // large objects whose type has not been named yet
  bool is_ending_ = false;
  uint64_t began_ns_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace cairn::collector
