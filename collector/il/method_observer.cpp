#include "collector/il/method_observer.h"

#include <algorithm>

#include "collector/abi/masks.h"
#include "collector/protocol/method_pattern.h"
#include "collector/roots/thread_name.h"

namespace cairn::collector::il {

namespace {

using protocol::MethodBlock;
using protocol::MethodTask;

constexpr size_t kCallsOfBlock = 4096;
constexpr size_t kMostPatterns = 64;

}  // namespace

MethodObserver::~MethodObserver() {
  Revert();
  if (has_log_) CallLog::Instance().Free();
}

const Refusal* MethodObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  runtime_ = &context.runtime;
  stream::RecordReader reader(wishes);
  reader(wishes_);
  if (!reader.Complete() || wishes_.task > MethodTask::kSums) return &kInternal;
  if (wishes_.task == MethodTask::kUndo) return nullptr;
  if (wishes_.task == MethodTask::kSums) return ReserveLog();
  if (const Refusal* refusal = CheckWishes()) return refusal;
  plan_ = std::make_unique<MethodPlan>(runtime_->info.Get());
  exceptions_ = std::make_unique<ExceptionNames>(runtime_->info.Get());
  if (!context.at_start) return ChooseLoaded();
  if (!IsTrace()) return &kMethodsNone;
  arriving_ = std::make_unique<ArrivingMethods>(*plan_, wishes_);
  return ReserveLog();
}

const Refusal* MethodObserver::ChooseLoaded() {
  plan_->Choose(wishes_.patterns, wishes_.most_methods);
  if (plan_->Methods().empty()) return &kMethodsNone;
  if (!IsTrace()) return nullptr;
  if (plan_->Matched() > wishes_.most_methods) return &kMethodsTooMany;
  if (plan_->TracedCount() == 0) return &kMethodsNotTraceable;
  if (plan_->SawCollectible() && !wishes_.forgo_captures) return &kMethodsLoadContexts;
  return ReserveLog();
}

// Also to read what an ended trace left: another runtime of the process may begin one.
const Refusal* MethodObserver::ReserveLog() {
  has_log_ = CallLog::Instance().Reserve();
  return has_log_ ? nullptr : &kMethodsBusy;
}

const Refusal* MethodObserver::CheckWishes() const {
  if (wishes_.patterns.empty() || wishes_.patterns.size() > kMostPatterns) return &kMethodsPattern;
  if (wishes_.most_methods == 0 || wishes_.most_methods > protocol::kMostTracedMethods) return &kInternal;
  for (const std::string& pattern : wishes_.patterns) {
    if (protocol::FaultOfMethodPattern(pattern) != nullptr) return &kMethodsPattern;
  }
  return nullptr;
}

ObserverNeeds MethodObserver::Needs() const {
  ObserverNeeds needs;
  if (!IsTrace()) return needs;
  needs.low_mask = abi::kEnableRejit;
  // Code that was compiled beforehand has inlined methods of other modules, and nothing says which: it is not used.
  if (arriving_ != nullptr) needs.low_mask |= abi::kDisableAllNgenImages;
  needs.stays = true;
  return needs;
}

bool MethodObserver::Begin(ObservationSink& sink) {
  if (wishes_.task == MethodTask::kUndo || wishes_.task == MethodTask::kSums) return true;
  if (!IsTrace()) return TellMethods(sink);
  CallLog& log = CallLog::Instance();
  if (!log.Begin(wishes_.lines)) return false;
  logs_ = true;
  const CallTarget target{log.KeyOf(0), reinterpret_cast<uint64_t>(&CallLog::Enter),
                          reinterpret_cast<uint64_t>(&CallLog::Leave)};
  if (arriving_ != nullptr) return BeginArriving(sink, target);
  plan_->Write(target);
  if (!TellMethods(sink) || !sink.Flush()) return false;
  const abi::HRESULT rewritten = Rewrite();
  const auto count = static_cast<uint32_t>(rows_.methods.size());
  if (abi::Succeeded(rewritten)) return sink.Send(MethodBlock::kBegun, protocol::TracingBegun{count, log.Session()});
  sink.Send(MethodBlock::kProblem, protocol::MethodProblem{static_cast<uint32_t>(rewritten)});
  return false;
}

bool MethodObserver::TellMethods(ObservationSink& sink) {
  uint32_t number = 0;
  for (const PlannedMethod& planned : plan_->Methods()) {
    const protocol::TracedMethod method{number++, planned.method.name, planned.method.module_name, planned.not_traced};
    if (!sink.Send(MethodBlock::kMethod, method)) return false;
  }
  told_methods_ = number;
  return IsTrace() || sink.Send(MethodBlock::kMatched, protocol::MethodsMatched{plan_->Matched()});
}

abi::HRESULT MethodObserver::Rewrite() {
  rows_.Reserve(plan_->Methods().size());
  for (const PlannedMethod& planned : plan_->Methods()) {
    if (planned.not_traced.empty()) rows_.Add(planned.method.module, planned.method.token);
  }
  return Request(rows_);
}

// Callers into which a method was inlined are compiled anew as well, and inline it no more.
abi::HRESULT MethodObserver::Request(MethodRows& rows) {
  rewritten_ = true;
  return runtime_->info->RequestReJITWithInliners(abi::kRejitBlockInlining, static_cast<uint32_t>(rows.methods.size()),
                                                  rows.modules.data(), rows.methods.data());
}

// ---- from the start --------------------------------------------------------------------------------

bool MethodObserver::BeginArriving(ObservationSink& sink, const CallTarget& target) {
  arriving_->Begin(target);
  return sink.Send(MethodBlock::kBegun, protocol::TracingBegun{0, CallLog::Instance().Session()});
}

// Before the runtime has compiled anything of the module, so that there is no call that is not counted.
void MethodObserver::OnModuleLoaded(abi::ModuleID module) {
  if (arriving_ == nullptr) return;
  MethodRows rows = arriving_->Add(module);
  if (!rows.methods.empty() && abi::Failed(Request(rows))) arriving_->Refuse(rows);
}

bool MethodObserver::TellArrived(ObservationSink& sink) {
  for (const protocol::TracedMethod& method : arriving_->Untold()) {
    told_methods_ = std::max(told_methods_, method.number + 1);
    if (!sink.Send(MethodBlock::kMethod, method)) return false;
  }
  return true;
}

// The runtime takes this only while ReJIT is switched on; the observation switches masks back itself. A process that
// ends is asked nothing any more: its methods end with it. Also in the destructor: allocates nothing.
void MethodObserver::Revert() {
  if (!rewritten_) return;
  rewritten_ = false;
  if (is_shut_down_) return CallLog::Instance().End();
  MethodRows& rows = arriving_ != nullptr ? arriving_->Rows() : rows_;
  const auto count = static_cast<uint32_t>(rows.methods.size());
  abi::ICorProfilerInfo10& info = *runtime_->info.Get();
  const abi::HRESULT all = info.RequestRevert(count, rows.modules.data(), rows.methods.data(), rows.results.data());
  CallLog::Instance().End();
  for (const abi::HRESULT one : rows.results) {
    if (abi::Succeeded(all) && abi::Succeeded(one)) ++reverted_.reverted;
  }
  reverted_.refused = count - reverted_.reverted;
  CallLog::Instance().Keep(reverted_);
}

abi::HRESULT MethodObserver::OnRejitParameters(abi::ModuleID module, abi::mdMethodDef method,
                                               abi::ICorProfilerFunctionControl* control) {
  if (arriving_ != nullptr) {
    const std::vector<uint8_t> body = control != nullptr ? arriving_->Body(module, method) : std::vector<uint8_t>();
    return body.empty() ? abi::kOk : control->SetILFunctionBody(static_cast<uint32_t>(body.size()), body.data());
  }
  const std::vector<uint8_t>* bytes = plan_ != nullptr ? plan_->BytesOf(module, method) : nullptr;
  if (bytes == nullptr || control == nullptr) return abi::kOk;  // a caller that inlined one: as it was
  return control->SetILFunctionBody(static_cast<uint32_t>(bytes->size()), bytes->data());
}

void MethodObserver::OnModuleUnloadStarted(abi::ModuleID) {
  if (exceptions_ != nullptr) exceptions_->OnModuleUnload();
}

void MethodObserver::OnShutdown() {
  is_shut_down_ = true;
  if (exceptions_ != nullptr) exceptions_->OnShutdown();
}

// ---- calls -----------------------------------------------------------------------------------------

bool MethodObserver::Drain(ObservationSink& sink) {
  if (!logs_) return true;
  if (arriving_ != nullptr && !TellArrived(sink)) return false;
  const bool taken = CallLog::Instance().Drain([&](size_t thread, uint32_t os_thread, const CallRecord& record) {
    return TellCall(sink, thread, os_thread, record);
  });
  return taken && FlushCalls(sink);
}

bool MethodObserver::TellCall(ObservationSink& sink, size_t thread, uint32_t os_thread, const CallRecord& record) {
  if (arriving_ != nullptr && record.method >= told_methods_ && !TellArrived(sink)) return false;
  if (threads_[thread].os_id != os_thread && !TellThread(sink, thread, os_thread)) return false;
  protocol::TracedCall call;
  call.time_ns = record.time_ns;
  call.duration_ns = record.duration_ns;
  call.method = record.method;
  call.thread = threads_[thread].number;
  call.leave = record.leave;
  call.is_inner = record.is_inner;
  const auto tell = [&](uint32_t number, const std::string& type) {
    return sink.Send(MethodBlock::kException, protocol::TracedException{number, type});
  };
  if (!exceptions_->NumberOf(record.exception, record.time_ns, tell, call.exception)) return false;
  calls_.calls.push_back(call);
  return calls_.calls.size() < kCallsOfBlock || FlushCalls(sink);
}

bool MethodObserver::TellThread(ObservationSink& sink, size_t thread, uint32_t os_thread) {
  threads_[thread] = {++thread_count_, os_thread};
  return sink.Send(MethodBlock::kThread, protocol::TracedThread{thread_count_, os_thread, ThreadName(os_thread)});
}

bool MethodObserver::FlushCalls(ObservationSink& sink) {
  if (calls_.calls.empty()) return true;
  const bool sent = sink.Send(MethodBlock::kCalls, calls_);
  calls_.calls.clear();
  return sent;
}

void MethodObserver::Finish(ObservationSink& sink) {
  Revert();
  if (wishes_.task == MethodTask::kList) return;
  if (wishes_.task == MethodTask::kSums) return TellOldSums(sink);
  if (logs_ && !(Drain(sink) && TellTotals(sink, told_methods_))) return;
  if (arriving_ != nullptr) sink.Send(MethodBlock::kMatched, protocol::MethodsMatched{arriving_->Matched()});
  sink.Send(MethodBlock::kReverted, reverted_);
}

// Those of the trace that this client lost, where nobody has traced since.
void MethodObserver::TellOldSums(ObservationSink& sink) {
  const CallLog& log = CallLog::Instance();
  if (log.Session() != wishes_.session || wishes_.session == 0) return;
  const uint32_t methods = std::min(wishes_.most_methods, protocol::kMostTracedMethods);
  if (TellTotals(sink, methods)) sink.Send(MethodBlock::kReverted, log.Reverted());
}

bool MethodObserver::TellTotals(ObservationSink& sink, uint32_t methods) {
  const CallLog& log = CallLog::Instance();
  protocol::MethodTotals totals;
  totals.lost_lines = log.Lost();
  totals.not_counted = log.NotCounted();
  uint32_t number = 0;
  for (const CallCounters& one : log.Totals(methods)) {
    totals.methods.push_back({number++, one.enters, one.leaves, one.exceptions, one.total_ns, one.longest_ns});
  }
  return sink.Send(MethodBlock::kTotals, totals);
}

}  // namespace cairn::collector::il
