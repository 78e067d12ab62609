#include "collector/capture/capture.h"

#include <chrono>
#include <new>

#include "collector/capture/clock.h"
#include "collector/capture/detach_wait.h"
#include "collector/capture/naming_step.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/pause_step.h"
#include "collector/capture/refusal_frame.h"
#include "collector/capture/shape_finder.h"
#include "collector/capture/type_ranking.h"
#include "collector/capture/walk_setup.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr int kWatchSliceMs = 200;
constexpr int kResumeWaitMs = 2000;
constexpr int kDetachWaitMs = 30000;
constexpr int kDetachTries = 50;
constexpr int kDetachRetryMs = 100;
constexpr int kCallTries = 5;
constexpr uint64_t kChunksPerReport = 16;
constexpr size_t kCaptureStackBytes = 2u << 20;  // naming recurses over signatures
constexpr size_t kWatchStackBytes = 256u << 10;
constexpr size_t kDetachStackBytes = 256u << 10;

struct DetachRequest {
  abi::ICorProfilerInfo3* runtime;
  std::atomic<abi::HRESULT> result{abi::kFalse};
};

void AskToDetach(void* request) {
  auto& asked = *static_cast<DetachRequest*>(request);
  asked.result = asked.runtime->RequestProfilerDetach(kDetachHintMs);
}

// .NET Core 3.1 hears no such request from a thread that has run managed code: one that has not asks in its place.
bool AskToDetachElsewhere(abi::ICorProfilerInfo3* runtime) {
  DetachRequest request{runtime};
  if (!StartThread("cairn-detach", kDetachStackBytes, AskToDetach, &request)) return false;
  while (request.result == abi::kFalse) SleepMs(1);
  return abi::Succeeded(request.result);
}

bool RequestDetachOf(abi::ICorProfilerInfo3* runtime) {
  const abi::HRESULT result = runtime->RequestProfilerDetach(kDetachHintMs);
  if (result == abi::kErrorUnsupportedCallSequence) return AskToDetachElsewhere(runtime);
  return abi::Succeeded(result);
}

bool IsOver(CaptureState state) { return state == CaptureState::kDone || state == CaptureState::kFailed; }

// Of a collector that tracks, which has the events of collections already.
bool Follows(const CaptureContext& context) { return context.options.track != 0; }

const Refusal& LoadContextsRefusal(const CaptureContext& context) {
  if (Follows(context)) return kTrackLoadContexts;
  return context.stays ? kResidentLoadContexts : kLightLoadContexts;
}

}  // namespace

CaptureAction Capture::Post(CaptureEvent event) {
  CaptureState state = state_.load();
  for (;;) {
    const CaptureTransition transition = Decide(state, event);
    if (state_.compare_exchange_weak(state, transition.next)) return transition.action;
  }
}

// ---- diagnostics thread ----------------------------------------------------------------------------

bool Capture::PrepareTables() {
  CaptureContext& c = *context_;
  c.layout = NativeLayout(c.runtime.major);
  c.tracker.SetFitting(WantsYoung(c.options) ? FittingCollection::kAny : FittingCollection::kInducedFull);
  return c.roots.Map(RootRecorder::kDefaultCapacity) &&
         c.bounds.Prepare(c.runtime.info.Get(), c.runtime.frozen.Get()) && c.contexts.Prepare();
}

abi::HRESULT Capture::SetMask() {
  mask_set_ns_ = NowNs();
  abi::ICorProfilerInfo10& runtime = *context_->runtime.info.Get();
  // --light never asks for what switches concurrent collections off.
  const bool light = context_->options.light != 0;
  const abi::HRESULT result =
      light ? context_->masks->SetMonitorGc(runtime, false) : context_->masks->SetFirst(runtime);
  Post(abi::Succeeded(result) ? CaptureEvent::kMaskAccepted : CaptureEvent::kMaskRefused);
  if (abi::Failed(result)) context_->runtime.Release();
  return result;
}

bool Capture::Begin(void (*run)(void*), void* service) {
  // MONITOR_GC costs full-heap walks in every collection, so it stays off until the one that is taken.
  if (Legal(RuntimeCall::kClearMonitorGc)) context_->masks->SetMonitorGc(*context_->runtime.info.Get(), false);
  watching_ = true;
  if (!StartThread("cairn-watch", kWatchStackBytes, WatchEntry, this)) watching_ = false;
  if (watching_ && StartThread("cairn", kCaptureStackBytes, run, service)) return true;
  Refuse(kNoThread);
  EndWatch();
  Post(CaptureEvent::kBroken);
  RequestDetach();
  return false;
}

// ---- callbacks -------------------------------------------------------------------------------------

void Capture::OnSuspendStarted() {
  ++suspensions_;
  context_->tracker.SuspendStarted(NowNs());
}

void Capture::OnSuspendFinished() { context_->tracker.SuspendFinished(NowNs()); }

void Capture::OnResumeFinished() { context_->tracker.ResumeFinished(NowNs()); }

void Capture::OnCollectionStarted(std::span<const abi::Bool> collected, abi::GcReason reason) {
  if (!context_->tracker.CollectionStarted(collected, reason == abi::GcReason::kInduced)) return;
  Post(CaptureEvent::kCollectionStarted);
  // Without the event, MONITOR_GC is on from before the collection, and roots may come any time now.
  if (!context_->has_event_session) RecordRoots();
}

void Capture::OnEvent(uint32_t id, uint32_t version, std::span<const uint8_t> payload) {
  if (context_->tracker.InFittingCollection()) OnEventOfCollection(id, payload);
  // The runtime sends its figures of a collection behind GarbageCollectionFinished, still in the pause. The first
  // ones count: short of memory, it goes on with a full collection in the same pause.
  uint64_t bytes = 0;
  const bool of_walked = id == kGcHeapStatsEvent && context_->gc_heap_bytes == 0 && context_->tracker.InWalkedPause();
  if (of_walked && HeapStatsBytes(version, payload, &bytes)) context_->gc_heap_bytes = bytes;
  const bool of_memory = id == kGcDynamicEvent && context_->tracker.InWalkedPause();
  if (of_memory && CommittedBytes(payload, &bytes)) context_->gc_committed_bytes = bytes;
}

void Capture::OnEventOfCollection(uint32_t id, std::span<const uint8_t> payload) {
  CaptureContext& c = *context_;
  if (id == kGcGlobalHeapHistoryEvent) {
    uint8_t generation = 0;
    if (CondemnedGeneration(payload, &generation)) c.tracker.SetCondemned(generation);
    RecordRoots();
  }
  if (c.options.light == 0 || State() != CaptureState::kCollecting) return;
  if (id == kGcRootEdgesEvent) c.root_events.OnRootEdges(payload);
  if (id == kGcDependentsEvent) c.root_events.OnDependents(payload);
  c.has_roots = c.root_events.HasRoots();
}

void Capture::RecordRoots() {
  if (Post(CaptureEvent::kRootsAhead) != CaptureAction::kRecordRoots) return;
  context_->tracker.MarkRoots(NowNs());
  context_->root_events.Reset();
  context_->has_roots = false;
  const bool by_callbacks = context_->has_event_session && context_->options.light == 0;
  if (by_callbacks && Legal(RuntimeCall::kSetMonitorGc))
    context_->masks->SetMonitorGc(*context_->runtime.info.Get(), true);
}

void Capture::OnRoots(uint32_t count, const abi::ObjectID* objects, const abi::GcRootKind* kinds, const uint32_t* flags,
                      const uintptr_t* ids) {
  if (State() != CaptureState::kCollecting) return;
  context_->roots.RecordRoots(count, objects, kinds, flags, ids);
  context_->has_roots = true;
}

void Capture::OnDependents(uint32_t count, const abi::ObjectID* keys, const abi::ObjectID* values) {
  if (State() == CaptureState::kCollecting) context_->roots.RecordDependents(count, keys, values);
}

bool Capture::OnCollectionFinished() {
  const bool fitting = context_->tracker.InFittingCollection() && context_->tracker.Suspended();
  const bool usable = fitting && context_->has_roots;
  const bool walk = usable && Post(CaptureEvent::kCollectionFinished) == CaptureAction::kWalk;
  // Not before: whoever awaits the collection would believe that it came to nothing.
  context_->tracker.CollectionFinished();
  if (!walk) return false;
  try {
    Walk();
  } catch (...) {
    // What could not be walked is told by the capture thread.
  }
  walk_left_ = true;
  return outcome_ == PauseOutcome::kWalked && State() == CaptureState::kNaming;
}

void Capture::Walk() {
  context_->masks->SetMonitorGc(*context_->runtime.info.Get(), false);
  outcome_ = WalkInPause(*context_);
  Post(outcome_ == PauseOutcome::kWalked ? CaptureEvent::kWalked : CaptureEvent::kWalkRefused);
}

void Capture::OnThreadCreated() {
  if (State() == CaptureState::kNaming && naming_thread_) naming_thread_->OnThreadCreated();
}

void Capture::OnDetached() {
  const std::lock_guard lock(detach_mutex_);
  detached_ns_ = NowNs();
  detached_ = true;
  detach_changed_.notify_all();
}

void Capture::OnShutdown() {
  shutdown_ = true;
  Post(CaptureEvent::kShutdown);
}

// ---- capture thread --------------------------------------------------------------------------------

bool Capture::Run() {
  try {
    Work();
  } catch (const std::bad_alloc&) {
    Fail(kMemoryRefused);
  } catch (...) {
    Fail(kInternal);
  }
  if (shutdown_) return false;
  const bool detached = WaitForDetach(kDetachWaitMs);
  EndWatch();
  if (!detached) context_->channel.Shut();  // it stays, but the client need not wait
  return detached && !shutdown_;
}

void Capture::Work() {
  ReportState();
  if (Prepare()) Collect();
  if (State() == CaptureState::kNaming) Name();
  if (shutdown_) return;
  RequestDetach();
  if (State() == CaptureState::kSending) SendRest();
}

// Whatever else happens, the target gets rid of us.
void Capture::Fail(const Refusal& refusal) {
  Post(CaptureEvent::kBroken);
  try {
    if (!shutdown_) RequestDetach();
    Refuse(refusal);
  } catch (...) {
    context_->channel.Shut();
  }
}

bool Capture::Prepare() {
  CaptureContext& c = *context_;
  if (!Legal(RuntimeCall::kStartSession)) return false;
  const UnloadGate::Hold no_unloads(c.unloads);
  const bool unsafe_events = c.options.light != 0 && HasCollectibleModules(c.runtime.info.Get());
  const Refusal* refusal = unsafe_events ? &LoadContextsRefusal(c) : SetUpWalks(c);
  if (refusal != nullptr) {
    Post(CaptureEvent::kBroken);
    Refuse(*refusal);
    return false;
  }
  c.naming = std::make_unique<NamingTools>(c.runtime.info.Get());
  if (!c.naming->Prepare()) {
    Post(CaptureEvent::kBroken);
    Refuse(kMemoryLimit);
    return false;
  }
  FindShapes(c);
  trigger_.Prepare();
  if (!StartEvents()) {
    Post(CaptureEvent::kBroken);
    Refuse(kLightNotAvailable);
    return false;
  }
  if (Post(CaptureEvent::kPrepared) != CaptureAction::kCollect) return false;
  ReportState();
  return true;
}

// False: without events there would be no roots.
bool Capture::StartEvents() {
  CaptureContext& c = *context_;
  const bool light = c.options.light != 0;
  abi::ICorProfilerInfo12* events = c.runtime.events.Get();
  c.has_event_session =
      c.runtime.events && (Follows(c) ? c.event_session.StartRootsOnly(events) : c.event_session.Start(events, light));
  return c.has_event_session || !light;
}

bool Capture::Wanted() const {
  const CaptureState state = State();
  return state == CaptureState::kArmed || state == CaptureState::kCollecting;
}

bool Capture::Collecting() const { return context_->tracker.InFittingCollection(); }

void Capture::Collect() {
  CaptureContext& c = *context_;
  if (!c.has_event_session && Legal(RuntimeCall::kSetMonitorGc)) c.masks->SetMonitorGc(*c.runtime.info.Get(), true);
  // One of the application's own may have come already, and even be over.
  TriggerOutcome trigger = TriggerOutcome::kReturned;
  if (Legal(RuntimeCall::kCollect)) trigger = trigger_.Collect(*c.runtime.info.Get(), *this);
  WaitForResume();
  Conclude(trigger);
}

void Capture::Conclude(TriggerOutcome trigger) {
  const CaptureState before = State();
  Post(CaptureEvent::kTriggerReturned);
  if (trigger == TriggerOutcome::kNoneNatural) return Refuse(kNoneNatural);
  if (trigger == TriggerOutcome::kRefused && before == CaptureState::kArmed) {
    return Refuse(kGcRefused, abi::HResultName(trigger_.ForceResult()));
  }
  if (before == CaptureState::kArmed) return Refuse(kGcMissed);
  if (before == CaptureState::kCollecting) return Refuse(kNoRoots);
  if (before == CaptureState::kWalking) return Break();
  if (outcome_ == PauseOutcome::kNoBounds) return Refuse(kNoBounds);
  if (outcome_ == PauseOutcome::kForkFailed) return Refuse(kForkFailed);
  if (outcome_ == PauseOutcome::kSpoolFull) return Refuse(kSpoolFull, SpoolDetail());
  if (outcome_ == PauseOutcome::kOverLimit) Refuse(kPauseOverLimit, OverLimitDetail());
}

// The walk was left by an exception.
void Capture::Break() {
  Post(CaptureEvent::kBroken);
  Refuse(kInternal);
}

// The last callbacks of the pause come on another thread under server GC, and for a collection that was awaited.
void Capture::WaitForResume() const {
  while (State() == CaptureState::kWalking && !walk_left_) SleepMs(1);
  const bool walked = State() == CaptureState::kNaming;
  for (int waited = 0; waited < kResumeWaitMs && walked && !context_->tracker.WalkedPauseIsOver(); ++waited) SleepMs(1);
}

void Capture::Name() {
  CaptureContext& c = *context_;
  ReportState();
  const UnloadGate::Hold no_unloads(c.unloads);
  if (c.fork_walk != nullptr) c.fork_walk->StopWhen([this] { return IsOver(State()); });
  if (!c.walk->FinishTypes(c.bounds.Ranges(), c.report)) {
    Post(CaptureEvent::kBroken);
    return Refuse(kForkChildDied);
  }
  FreeOtherWalk();
  ranking_ = std::make_unique<TypeRanking>(c.walk->Types());
  // The thread that called ForceGC may ask everything.
  if (trigger_.HasForced()) return NameHere();
  naming_thread_ = std::make_unique<NamingThread>(*context_->runtime.info.Get(), *context_->masks, *context_->inducer);
  const bool ran = naming_thread_->Run([this] { NameHere(); });
  if (State() != CaptureState::kNaming) return;
  Post(CaptureEvent::kBroken);
  Refuse(!ran ? kNoThread : naming_thread_->LackedMemory() ? kMemoryRefused : kInternal);
}

// A child that walks must be the only one that holds its stream, and memory that is not needed any more is the
// application's.
void Capture::FreeOtherWalk() {
  CaptureContext& c = *context_;
  if (c.walk->IsForked()) {
    c.pause_walk.reset();
    c.memories->spools.clear();
  } else {
    c.fork_walk.reset();
    c.memories->child.reset();
    for (const auto& spool : c.memories->spools) spool->ReleaseUnused();
  }
}

void Capture::NameHere() {
  const bool sent = NameAndSend(*context_, *ranking_) && context_->channel.SendFrame(FrameKind::kNamed, {});
  Post(sent ? CaptureEvent::kNamed : CaptureEvent::kClientGone);
}

// Where the other profiler left meanwhile, the runtime has forgotten us too, and would crash over our own request to
// leave. A suspension that comes without its callback tells.
bool Capture::RuntimeStillCalls() {
  if (!context_->beside) return true;
  abi::ICorProfilerInfo10& runtime = *context_->runtime.info.Get();
  const uint64_t before = suspensions_;
  for (int tries = 0; tries < kCallTries && suspensions_ == before && !shutdown_; ++tries) {
    if (abi::Succeeded(runtime.SuspendRuntime())) runtime.ResumeRuntime();
    if (suspensions_ == before) SleepMs(kDetachRetryMs);
  }
  return suspensions_ != before;
}

void Capture::SayLeftBehind() {
  context_->channel.Send(FrameKind::kProblem,
                         protocol::Problem{"attach.left_behind",
                                           "The other profiler left during the capture, and the runtime has forgotten "
                                           "the collector with it: it stays in the process, silent, until that ends.",
                                           false});
}

// In this order: the session, or it would go on; handles and metadata, which need the runtime; the
// references we hold. The runtime keeps the interface itself until the detach has succeeded.
void Capture::RequestDetach() {
  if (detach_requested_ || !context_->runtime.info) return;
  CaptureContext& c = *context_;
  if (c.has_event_session) c.event_session.Stop(c.runtime.events.Get());
  c.contexts.LetGo(c.runtime.handles.Get());
  c.naming.reset();
  if (c.stays) return StayAttached();
  const bool called = RuntimeStillCalls();
  abi::ICorProfilerInfo3* runtime = c.runtime.info.Get();
  // A callback under way when the runtime looks makes it look again only seconds later.
  c.masks->Clear(*c.runtime.info.Get());
  c.runtime.Release();
  if (!called) return SayLeftBehind();
  for (int tries = 0; tries < kDetachTries && !detach_requested_ && !shutdown_; ++tries) {
    detach_requested_ = RequestDetachOf(runtime);
    if (!detach_requested_) SleepMs(kDetachRetryMs);
  }
}

// Whoever stays holds references and bits of its own.
void Capture::StayAttached() {
  context_->masks->EndCapture(*context_->runtime.info.Get());
  context_->runtime.Release();
  detach_requested_ = true;
  OnDetached();
}

bool Capture::WaitForDetach(int milliseconds) {
  std::unique_lock lock(detach_mutex_);
  if (!detach_requested_) return false;
  return detach_changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return detached_; });
}

void Capture::SendRest() {
  ReportState(0, context_->report.chunks);
  LowerOwnPriority();
  uint64_t chunks = 0, reported = 0;
  const auto between = [this, &reported](uint64_t sent) {
    SendDetached();
    if (sent < reported + kChunksPerReport) return;
    reported = sent;
    ReportState(sent, context_->report.chunks);
  };
  const SendOutcome outcome = context_->walk->Send(context_->channel, *ranking_, between, &chunks);
  if (outcome == SendOutcome::kFailed) {
    context_->channel.Send(FrameKind::kProblem,
                           protocol::Problem{"send.chunk",
                                             "A chunk of the walk could not be packed, so the objects "
                                             "from there on are missing.",
                                             true});
  }
  if (outcome == SendOutcome::kClientGone) {
    Post(CaptureEvent::kClientGone);
    return;
  }
  WaitForDetach(kDetachWaitMs);
  SendDetached();
  const protocol::End end{chunks, context_->channel.FramesSent() + 1};
  Post(context_->channel.Send(FrameKind::kEnd, end) ? CaptureEvent::kSent : CaptureEvent::kClientGone);
}

// Once, as soon as it is true.
void Capture::SendDetached() {
  if (detached_sent_ || detached_ns_ == 0) return;
  detached_sent_ = true;
  const double off_ms = context_->options.light != 0 ? 0 : MsBetween(mask_set_ns_, detached_ns_);
  context_->channel.Send(FrameKind::kDetached, protocol::Detached{off_ms});
}

void Capture::ReportState(uint64_t done, uint64_t total) {
  context_->channel.Send(FrameKind::kState, protocol::State{State(), done, total});
}

void Capture::Refuse(const Refusal& refusal, const std::string& detail) {
  if (refused_.exchange(true)) return;
  SendRefusal(context_->channel, refusal, detail);
}

std::string Capture::OverLimitDetail() const {
  const WalkEstimate& estimate = context_->estimate;
  std::string text = std::to_string(estimate.pause_ns / kNsPerMs) + " ms expected";
  if (context_->fork_walk != nullptr) text += ", or " + std::to_string(estimate.fork_ns / kNsPerMs) + " ms for a fork";
  return text + ", " + std::to_string(context_->options.max_pause_ms) + " ms allowed";
}

std::string Capture::SpoolDetail() const {
  std::string text = "about " + std::to_string((context_->pause_walk->BytesNeeded() >> 20) + 1) + " MiB are needed";
  const Refusal* refusal = context_->plan.fork_refusal;
  return refusal == nullptr ? text : text + "; " + refusal->message;
}

// ---- watch thread ----------------------------------------------------------------------------------

void Capture::WatchEntry(void* capture) {
  auto* self = static_cast<Capture*>(capture);
  try {
    self->Watch();
  } catch (...) {
    // Without the watch the capture still ends: sends have their own deadline.
  }
  self->watching_ = false;
}

void Capture::Watch() {
  const uint64_t natural_ms = context_->options.wait_natural_ms;
  const uint64_t deadline = NowNs() + (context_->collection_deadline_ms + natural_ms) * kNsPerMs;
  while (!over_ && !IsOver(State())) {
    const ClientSign sign = context_->channel.WaitForClient(kWatchSliceMs);
    if (sign == ClientSign::kCancel || sign == ClientSign::kGone) {
      Post(sign == ClientSign::kCancel ? CaptureEvent::kCancelled : CaptureEvent::kClientGone);
      context_->channel.Shut();
      return;
    }
    if (NowNs() < deadline) continue;
    if (Post(CaptureEvent::kTimedOut) == CaptureAction::kGiveUp) Refuse(kGcTimeout);
  }
}

void Capture::EndWatch() {
  over_ = true;
  context_->channel.StopWaiting();
  while (watching_) SleepMs(1);
}

}  // namespace cairn::collector
