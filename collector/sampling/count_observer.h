#pragma once
// Every allocation, counted by type and stack: objects and bytes. Only from the start of a process, since the runtime
// has to be told before it compiles its first method; and from then on the runtime lets nobody leave, and each
// allocation takes its slow way, whether anybody counts or not.
//
// A callback comes on the allocating thread, which is in cooperative mode: it takes no lock, waits for nothing, and
// adds to a table of its own thread (count_table.h). What does not fit is counted as dropped. The observation's thread
// reads the tables, and tells the client how much was added.

#include <atomic>
#include <vector>

#include "collector/observing/function_names.h"
#include "collector/observing/observer.h"
#include "collector/protocol/allocation_counts.h"
#include "collector/sampling/class_names.h"
#include "collector/sampling/count_tables.h"
#include "collector/sampling/stack_recorder.h"
#include "collector/sampling/told_stacks.h"

namespace cairn::collector {

class CountObserver final : public Observer {
 public:
  ~CountObserver() override;

  const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) override;
  ObserverNeeds Needs() const override;
  bool Begin(ObservationSink& sink) override;
  bool Drain(ObservationSink& sink) override;
  void Finish(ObservationSink& sink) override;

  void OnObjectAllocated(abi::ObjectID object, abi::ClassID type) override;
  void OnModuleUnloadStarted(abi::ModuleID module) override;
  void OnDynamicMethodUnloaded(abi::FunctionID function) override;

 private:
  uint32_t StackOf(CountTable& table);
  uint32_t NamedStackOf(CountTable& table, const RecordedStack& stack);

  bool TellTables(ObservationSink& sink, bool all);
  bool TellTable(ObservationSink& sink, size_t number, CountTable& table);
  uint32_t TellStack(ObservationSink& sink, size_t number, const CountTable& table, uint32_t stack);
  void TellType(ObservationSink& sink, uint32_t serial);
  bool SendCounts(ObservationSink& sink);
  bool SendCosts(ObservationSink& sink);

  const RuntimeAccess* runtime_ = nullptr;
  protocol::AllocationCountWishes wishes_;
  FunctionNames names_;
  ClassNames types_;
  CountTables* tables_ = nullptr;  // never destroyed
  std::atomic<uint64_t> dropped_objects_{0}, dropped_bytes_{0}, dropped_stacks_{0}, without_stack_{0};

  // ---- the observation's thread ----
  ToldStacks stacks_;
  std::vector<std::vector<uint32_t>> stack_numbers_;  // by table and the table's own number; 0: not told yet
  std::vector<bool> told_types_;
  std::vector<protocol::AllocationCount> batch_;
  uint64_t objects_ = 0;
  uint64_t began_ns_ = 0, read_ns_ = 0;
};

}  // namespace cairn::collector
