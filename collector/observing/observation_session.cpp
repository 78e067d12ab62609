#include "collector/observing/observation_session.h"

#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "collector/capture/clock.h"
#include "collector/capture/descriptors.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/option_check.h"
#include "collector/capture/refusal_frame.h"
#include "collector/protocol/messages.h"
#include "collector/protocol/occupation.h"
#include "collector/walk/layout.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;
using protocol::ObserverKind;

constexpr int kConnectMs = 2000;
constexpr int kWishesMs = 5000;
// So long the application's start waits for a client that is there and says nothing.
constexpr int kStartMs = 10000;
constexpr int kBusyWaitMs = 1000;
constexpr int kBusySliceMs = 5;
constexpr int kSliceMs = 20;
constexpr int kControlMs = 500;
constexpr size_t kStackBytes = 512u << 10;
constexpr unsigned kFirstMajor = 8;

// Unloadings are of interest to whoever holds IDs, and events to nearly all.
constexpr uint32_t kLowMask = abi::kMonitorModuleLoads;
constexpr uint32_t kHighMask = abi::kHighMonitorEventPipe;
// Of an observer's wishes, what its last word still needs: IDs go on being unloaded, and methods are put back.
constexpr uint32_t kLastLowMask = abi::kEnableRejit;
constexpr uint32_t kLastHighMask = abi::kHighMonitorDynamicFunctionUnloads;

protocol::Hello Greeting(const protocol::Options& options, const RuntimeAccess& runtime) {
  protocol::Hello hello;
  std::memcpy(hello.nonce, options.nonce, sizeof hello.nonce);
  hello.pid = getpid();
  hello.runtime_version = runtime.version;
  hello.pointer_size = sizeof(void*);
  hello.address_shift = static_cast<uint8_t>(X64Layout(runtime.major).address_shift);
  hello.server_gc = runtime.server_gc;
  return hello;
}

// To whoever asked for it, behind what it was told before. Everything else is the next attach's by now: takes no
// memory, since what is thrown would end that one.
void SayDetached(int handle, uint64_t sequence) {
  Connection connection;
  connection.Adopt(handle);
  const protocol::FrameHeader header = MakeHeader(FrameKind::kDetached, sequence, {});
  const std::atomic<bool> stop{false};
  connection.Write(&header, sizeof header, kControlMs, stop);
}

uint64_t RealtimeNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

// ---- attach ----------------------------------------------------------------------------------------

abi::HRESULT ObservationSession::Attach(abi::IUnknown* runtime, const protocol::Options& options, bool beside) {
  // One whose client died is gone from the runtime a moment before its thread is done.
  for (int waited = 0; active_ && waited < kBusyWaitMs; waited += kBusySliceMs) SleepMs(kBusySliceMs);
  if (active_) return abi::kErrorProfilerCancelActivation;
  try {
    return Meet(runtime, options, beside);
  } catch (...) {
    SendRefusal(RefusalOfThrown());
    Forget();  // of an attach that failed the runtime keeps no interface
    throw;
  }
}

abi::HRESULT ObservationSession::Meet(abi::IUnknown* runtime, const protocol::Options& options, bool beside) {
  options_ = options;
  channel_.SetDeadline(options.client_deadline_ms);
  if (!channel_.Connect(options.socket_path, kConnectMs)) return abi::kErrorProfilerCancelActivation;
  const bool usable = runtime_.Open(runtime);
  if (!channel_.Send(FrameKind::kHello, Greeting(options, runtime_))) return Refuse(kInternal);
  if (!usable) return Refuse(kRuntimeTooOld);
  if (!HasDescriptors()) return Refuse(kNoDescriptors);
  if (const Refusal* refusal = WhyNot(beside)) return Refuse(*refusal);
  detach_asked_ = stays_ = is_last_word_said_ = false;
  detach_.Expect();
  active_ = true;
  const abi::HRESULT masked = KeepMask(kLowMask, kHighMask);
  awaits_begin_ = abi::Succeeded(masked);
  if (abi::Failed(masked)) Forget();
  return masked;
}

abi::HRESULT ObservationSession::AttachAtStart(abi::IUnknown* runtime, const StartCall& call) {
  try {
    const abi::HRESULT met = MeetAtStart(runtime, call);
    if (abi::Failed(met)) service_.Masks().Forget();
    return met;
  } catch (...) {
    SendRefusal(RefusalOfThrown());
    Forget();
    service_.Masks().Forget();
    throw;
  }
}

// The thread must not be the one that starts the runtime, which asks more of a thread that it knows. As long as this
// one waits, the runtime takes the masks that it takes at its start only.
abi::HRESULT ObservationSession::MeetAtStart(abi::IUnknown* runtime, const StartCall& call) {
  options_ = {};
  std::memcpy(options_.nonce, call.nonce, sizeof call.nonce);
  start_ends_ns_ = NowNs() + uint64_t{kStartMs} * 1'000'000;
  channel_.SetDeadline(kStartMs);
  if (!channel_.Connect(call.path.c_str(), kConnectMs)) return abi::kErrorProfilerCancelActivation;
  const bool usable = runtime_.Open(runtime);
  if (!channel_.Send(FrameKind::kHello, Greeting(options_, runtime_))) return Decline();
  if (!TakeCall()) return Decline();
  if (!usable) return Refuse(kRuntimeTooOld);
  if (const Refusal* refusal = WhyNot(false)) return Refuse(*refusal);
  detach_asked_ = stays_ = is_last_word_said_ = false;
  detach_.Expect();
  active_ = true;
  if (abi::Failed(KeepMask(kLowMask, kHighMask))) return Refuse(kObserveRefused);
  start_.Shut();
  if (!StartThread(kObserveThread, kStackBytes, RunFromStart, this)) {
    SendRefusal(kNoThread);
    start_.Open(false);
  }
  if (start_.Wait()) return abi::kOk;
  KeepMask(abi::kMonitorNone, abi::kHighMonitorNone);
  return Decline();
}

// What is left of the time for which the runtime may be kept from starting.
int ObservationSession::StartLeftMs() const {
  const uint64_t now = NowNs();
  return now < start_ends_ns_ ? static_cast<int>((start_ends_ns_ - now) / 1'000'000) : 0;
}

// False: this process is not meant.
bool ObservationSession::TakeCall() {
  if (channel_.WaitForFrame(StartLeftMs()) != ClientSign::kCapture) return false;
  const protocol::Options asked = channel_.Asked();
  return ReadOptions(&asked, sizeof asked, options_) && options_.observe != ObserverKind::kNone;
}

abi::HRESULT ObservationSession::Decline() {
  Forget();
  return abi::kErrorProfilerCancelActivation;
}

const Refusal* ObservationSession::WhyNot(bool beside) const {
  if (beside) return &kObserveBeside;
  if (service_.Current() != nullptr) return &kBusy;
  return runtime_.major < kFirstMajor || !runtime_.events ? &kObserveOldRuntime : nullptr;
}

abi::HRESULT ObservationSession::Refuse(const Refusal& refusal) {
  SendRefusal(refusal);
  return Decline();
}

void ObservationSession::SendRefusal(const Refusal& refusal) { collector::SendRefusal(channel_, refusal); }

// Nothing of ours is left in the runtime, or it never was. Who sees a connection end may attach again at once, and then
// everything here is the next one's.
void ObservationSession::Forget() {
  runtime_ = {};
  listener_.Close();
  ClientChannel last;
  last.Adopt(channel_.Release());
  active_ = false;
}

abi::HRESULT ObservationSession::Begin() {
  awaits_begin_ = false;
  if (StartThread(kObserveThread, kStackBytes, RunEntry, this)) return abi::kOk;
  // Without one, the rest is done in the callback of the detach.
  SendRefusal(kNoThread);
  detach_.Request(runtime_, service_.Masks(), channel_);
  return abi::kOk;
}

// ---- the thread ------------------------------------------------------------------------------------

void ObservationSession::RunEntry(void* self) {
  auto& session = *static_cast<ObservationSession*>(self);
  session.Run();
  session.GoAway();
}

// One that never watched has nothing to leave: the runtime's start does the rest.
void ObservationSession::RunFromStart(void* self) {
  auto& session = *static_cast<ObservationSession*>(self);
  session.Run();
  if (!session.start_.Open(false)) session.GoAway();
}

void ObservationSession::GoAway() {
  try {
    if (!exiting_) stays_ ? Reside() : Leave();
  } catch (...) {
    // Out of memory, most likely. No callback does anything any more.
    channel_.Shut();
    listener_.Close();
  }
}

// Whatever happens in it, afterwards nothing is switched on.
void ObservationSession::Run() {
  try {
    Observe();
  } catch (...) {
    SendRefusal(RefusalOfThrown());
  }
  if (exiting_) return;
  SwitchOff();
  DropObserver();
  Rest();
}

void ObservationSession::Observe() {
  const int patience = start_.IsShut() ? StartLeftMs() : kWishesMs;
  if (channel_.WaitForFrame(patience) != ClientSign::kOrder) return channel_.Shut();
  if (const Refusal* refusal = StartObserver()) return SendRefusal(*refusal);
  needs_ = owned_->Needs();
  last_word_ms_ = needs_.last_word_ms;
  if (const Refusal* refusal = OpenControl()) {
    needs_ = {};  // nothing of it was switched on, nor may be by switching off: after ReJIT nobody can leave
    return SendRefusal(*refusal);
  }
  if (const Refusal* refusal = SwitchOn()) return SendRefusal(*refusal);
  ObservationSink sink(channel_);
  if (Greet() && owned_->Begin(sink) && GoOn(sink)) Follow(sink);
  TakeLeave(sink);
}

const Refusal* ObservationSession::StartObserver() {
  owned_ = maker_(options_.observe);
  if (owned_ == nullptr) return &kInternal;
  const UnloadGate::Hold hold(unloads_);
  const Refusal* refusal = owned_->Start({runtime_, false, start_.IsShut()}, channel_.Order());
  if (refusal == nullptr) holder_ = owned_.get();
  return refusal;
}

// One that stays must be reachable, which is to be known before it cannot leave any more.
const Refusal* ObservationSession::OpenControl() {
  const bool open = listener_.IsOpen() || listener_.Open(false);
  return open || !needs_.stays ? nullptr : &kObserveNoControl;
}

// Callbacks come from the first mask on; an observer that asks for ReJIT cannot be undone.
const Refusal* ObservationSession::SwitchOn() {
  observer_ = owned_.get();
  has_events_ = !needs_.providers.empty();
  if (abi::Failed(KeepMask(kLowMask | needs_.low_mask, kHighMask | needs_.high_mask))) {
    needs_ = {};  // what is refused now is not asked for once more by switching off
    return &kObserveRefused;
  }
  stays_ = stays_ || needs_.stays;
  return needs_.providers.empty() ? nullptr : events_.Start(runtime_.events.Get(), needs_.providers);
}

abi::HRESULT ObservationSession::KeepMask(uint32_t low, uint32_t high) {
  return service_.Masks().Keep(*runtime_.info.Get(), low, high);
}

void ObservationSession::SwitchOff() {
  events_.Stop();
  KeepMask(kLowMask | (needs_.low_mask & kLastLowMask), kHighMask | (needs_.high_mask & kLastHighMask));
}

void ObservationSession::Rest() {
  needs_ = {};
  KeepMask(kLowMask, kHighMask);
}

bool ObservationSession::Greet() {
  return channel_.Send(FrameKind::kObserving, protocol::Observing{NowNs(), RealtimeNs(), stays_});
}

// A runtime that waits with its start need do so no longer.
bool ObservationSession::GoOn(ObservationSink& sink) {
  if (!sink.Flush()) return false;
  start_.Open(true);
  channel_.SetDeadline(options_.client_deadline_ms);
  return true;
}

void ObservationSession::Follow(ObservationSink& sink) {
  while (!exiting_ && Obey(channel_.WaitForClient(kSliceMs), sink) && owned_->Drain(sink) && sink.Flush() &&
         !owned_->IsDone() && !HearControl())
    continue;
}

// False: it is over.
bool ObservationSession::Obey(ClientSign sign, ObservationSink& sink) {
  if (sign == ClientSign::kOrder) return owned_->OnOrder(channel_.Order(), sink);
  if (sign == ClientSign::kCapture) return service_.CaptureAttached(runtime_.info.Get(), channel_.Asked());
  return sign == ClientSign::kNothing;
}

// What came until nothing came any more. As the process ends, its exit waits for this, a moment at most, and nothing is
// switched off in the runtime.
void ObservationSession::TakeLeave(ObservationSink& sink) {
  if (!exiting_) SwitchOff();
  observer_ = nullptr;
  while (visitors_ != 0 && !exiting_) SleepMs(1);
  if (owned_->Drain(sink)) owned_->Finish(sink);
  sink.Flush();
  channel_.Send(FrameKind::kObservationEnd, protocol::ObservationEnd{stays_, exiting_});
  const std::lock_guard lock(mutex_);
  is_last_word_said_ = true;
  changed_.notify_all();
}

void ObservationSession::DropObserver() {
  observer_ = holder_ = nullptr;
  while (visitors_ != 0) SleepMs(1);
  owned_.reset();
}

// A capture under way ends first: its client is gone too, or it has what it came for in a moment.
void ObservationSession::Leave() {
  while (service_.Current() != nullptr && !exiting_) SleepMs(kSliceMs);
  if (exiting_) return channel_.Shut();
  if (!detach_.Leave(runtime_, service_.Masks(), exiting_, channel_)) return;
  channel_.SendFrame(FrameKind::kDetached, {});
  const uint64_t sequence = control_.FramesSent();
  const int control = detach_asked_ ? control_.Release() : -1;
  Forget();
  if (control >= 0) SayDetached(control, sequence);
}

// ---- the control socket ----------------------------------------------------------------------------

// True: somebody asked for the end of it. Whoever connects learns first what goes on here. A capture may be asked for
// too, but not beside an observation's events.
bool ObservationSession::HearControl() {
  const int client = listener_.IsOpen() ? listener_.Accept() : -1;
  if (client < 0) return false;
  control_.Adopt(client);
  control_.SetDeadline(kControlMs);
  const bool captures = !has_events_;
  control_.Send(FrameKind::kObserving, protocol::Occupation{options_.observe, captures, stays_});
  if (captures) control_.Send(FrameKind::kHello, Greeting({}, runtime_));
  const ClientSign sign = control_.WaitForFrame(kControlMs);
  const protocol::Options options = control_.Asked();
  detach_asked_ = sign == ClientSign::kDetach;
  if (!detach_asked_) control_.Close();
  if (sign == ClientSign::kCapture && captures && options.observe == ObserverKind::kNone)
    service_.CaptureAttached(runtime_.info.Get(), options);
  return detach_asked_;
}

// Whoever asked to detach got the end of the observation, but not of the collector.
void ObservationSession::SayItStays() {
  if (detach_asked_) collector::SendRefusal(control_, kObserveStays);
  control_.Close();
  detach_asked_ = false;
}

// The runtime lets nobody leave: from here on the collector waits for orders until the process ends.
void ObservationSession::Reside() {
  while (!exiting_ && listener_.IsOpen()) {
    try {
      channel_.Close();
      SayItStays();
      SleepMs(kSliceMs);
      ServeNext();
    } catch (...) {
      SendRefusal(RefusalOfThrown());  // the next may have more memory
    }
  }
}

void ObservationSession::ServeNext() {
  const int client = listener_.Accept();
  if (client < 0) return;
  control_.Adopt(client);
  control_.SetDeadline(kControlMs);
  control_.Send(FrameKind::kObserving, protocol::Occupation{ObserverKind::kNone, true, true});
  control_.Send(FrameKind::kHello, Greeting({}, runtime_));
  const ClientSign sign = control_.WaitForFrame(kControlMs);
  const protocol::Options options = control_.Asked();
  detach_asked_ = sign == ClientSign::kDetach;
  SayItStays();
  if (sign == ClientSign::kCapture) Serve(options);
}

// An attach that needs no attaching. False: it could not begin.
bool ObservationSession::Serve(const protocol::Options& asked) {
  protocol::Options options;
  if (!ReadOptions(&asked, sizeof asked, options)) return false;
  if (options.observe == ObserverKind::kNone) return service_.CaptureAttached(runtime_.info.Get(), options);
  options_ = options;
  {
    const std::lock_guard lock(mutex_);
    is_last_word_said_ = false;
  }
  channel_.SetDeadline(options.client_deadline_ms);
  if (!channel_.Connect(options.socket_path, kConnectMs)) return false;
  const bool greeted = channel_.Send(FrameKind::kHello, Greeting(options, runtime_));
  if (greeted && service_.Current() != nullptr)
    SendRefusal(kBusy);
  else if (greeted)
    Run();
  channel_.Close();
  return greeted;
}

// ---- callbacks -------------------------------------------------------------------------------------

void ObservationSession::OnModuleUnload(abi::ModuleID module) {
  unloads_.Pass();
  TellOneOf(holder_, [module](Observer& observer) { observer.OnModuleUnloadStarted(module); });
}

void ObservationSession::OnDynamicMethodUnload(abi::FunctionID function) {
  TellOneOf(holder_, [function](Observer& observer) { observer.OnDynamicMethodUnloaded(function); });
}

void ObservationSession::OnDetached() {
  if (active_) detach_.Detached([this] { Forget(); });
}

void ObservationSession::OnShutdown() {
  if (!active_) return;
  TellOneOf(holder_, [](Observer& observer) { observer.OnShutdown(); });
  const bool observes = holder_.load() != nullptr;
  exiting_ = true;
  listener_.RemoveName();
  if (!observes) return;
  channel_.StopWaiting();
  const std::chrono::milliseconds last_word(last_word_ms_);
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, last_word, [this] { return is_last_word_said_; });
}

}  // namespace cairn::collector
