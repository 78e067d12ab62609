#pragma once
// Logs calls of methods: finds them, has them compiled anew with two calls around their bodies, tells what comes, and
// has everything put back at the end, however that comes about. At the start of a process no module is there yet: each
// is searched as it comes, before anything of it is compiled.
// Thread rule: see Observer. Ownership: the calls themselves go into CallLog, which outlives every observer, since a
// method that was on a stack when all was put back ends its old code some time.

#include <atomic>
#include <string>
#include <unordered_map>

#include "collector/il/arriving_methods.h"
#include "collector/il/call_log.h"
#include "collector/il/exception_names.h"
#include "collector/il/method_plan.h"
#include "collector/observing/observer.h"

namespace cairn::collector::il {

class MethodObserver final : public Observer {
 public:
  ~MethodObserver() override;

  const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) override;
  ObserverNeeds Needs() const override;
  bool Begin(ObservationSink& sink) override;
  bool Drain(ObservationSink& sink) override;
  bool IsDone() const override { return wishes_.task != protocol::MethodTask::kTrace; }
  void Finish(ObservationSink& sink) override;

  void OnModuleLoaded(abi::ModuleID module) override;
  void OnModuleUnloadStarted(abi::ModuleID) override;
  void OnShutdown() override;
  abi::HRESULT OnRejitParameters(abi::ModuleID module, abi::mdMethodDef method,
                                 abi::ICorProfilerFunctionControl* control) override;

 private:
  bool IsTrace() const { return wishes_.task == protocol::MethodTask::kTrace; }
  const Refusal* CheckWishes() const;
  const Refusal* ReserveLog();
  bool TellMethods(ObservationSink& sink);
  const Refusal* ChooseLoaded();
  bool BeginArriving(ObservationSink& sink, const CallTarget& target);
  bool TellArrived(ObservationSink& sink);
  abi::HRESULT Rewrite();
  abi::HRESULT Request(MethodRows& rows);
  void Revert();
  bool TellCall(ObservationSink& sink, size_t thread, uint32_t os_thread, const CallRecord& record);
  bool TellThread(ObservationSink& sink, size_t thread, uint32_t os_thread);
  bool FlushCalls(ObservationSink& sink);
  bool TellTotals(ObservationSink& sink, uint32_t methods);
  void TellOldSums(ObservationSink& sink);

  const RuntimeAccess* runtime_ = nullptr;
  protocol::MethodWishes wishes_;
  std::unique_ptr<MethodPlan> plan_;
  std::unique_ptr<ExceptionNames> exceptions_;
  std::unique_ptr<ArrivingMethods> arriving_;  // null: of what was loaded before
  MethodRows rows_;                            // of what was loaded before
  bool has_log_ = false;
  bool logs_ = false;  // the client may have gone before it began
  std::atomic<bool> rewritten_{false};
  std::atomic<bool> is_shut_down_{false};  // the runtime is asked nothing any more
  protocol::MethodsReverted reverted_;
  protocol::TracedCalls calls_;
  struct KnownThread {
    uint32_t number = 0, os_id = 0;
  };
  std::unordered_map<size_t, KnownThread> threads_;
  uint32_t thread_count_ = 0;
  uint32_t told_methods_ = 0;  // their numbers are below
};

}  // namespace cairn::collector::il
