#include "collector/tracking/tracking_session.h"

#include <unistd.h>

#include <cstring>
#include <vector>

#include "collector/capture/clock.h"
#include "collector/capture/descriptors.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/refusal_frame.h"
#include "collector/protocol/messages.h"
#include "collector/walk/layout.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr int kConnectMs = 2000;
constexpr int kSliceMs = 20;
constexpr int kControlMs = 500;
constexpr size_t kStackBytes = 256u << 10;
constexpr size_t kFrameBytes = 256u << 10;
constexpr unsigned kFirstMajor = 8;

protocol::Hello Greeting(const protocol::Options& options, const RuntimeAccess& runtime) {
  protocol::Hello hello;
  std::memcpy(hello.nonce, options.nonce, sizeof hello.nonce);
  hello.pid = getpid();
  hello.runtime_version = runtime.version;
  hello.pointer_size = sizeof(void*);
  hello.address_shift = static_cast<uint8_t>(NativeLayout(runtime.major).address_shift);
  hello.server_gc = runtime.server_gc;
  return hello;
}

}  // namespace

uint64_t TrackingSession::MarkerOf(const protocol::Options& options) {
  uint64_t marker = 0;
  std::memcpy(&marker, options.nonce, sizeof marker);
  return options.track != 0 ? marker : 0;
}

// ---- attach ----------------------------------------------------------------------------------------

abi::HRESULT TrackingSession::Attach(abi::IUnknown* runtime, const protocol::Options& options, bool beside) {
  if (active_) return abi::kErrorProfilerCancelActivation;
  try {
    return Meet(runtime, options, beside);
  } catch (...) {
    SendRefusal(channel_, RefusalOfThrown());
    Forget();  // of an attach that failed the runtime keeps no interface
    throw;
  }
}

abi::HRESULT TrackingSession::Meet(abi::IUnknown* runtime, const protocol::Options& options, bool beside) {
  options_ = options;
  channel_.SetDeadline(options.client_deadline_ms);
  if (!channel_.Connect(options.socket_path, kConnectMs)) return abi::kErrorProfilerCancelActivation;
  const bool usable = runtime_.Open(runtime);
  if (!channel_.Send(FrameKind::kHello, Greeting(options, runtime_))) return Refuse(kInternal);
  if (!usable) return Refuse(kRuntimeTooOld);
  if (!HasDescriptors()) return Refuse(kNoDescriptors);
  if (const Refusal* refusal = WhyNot(beside)) return Refuse(*refusal);
  if (!journal_.Prepare(runtime_.info.Get())) return Refuse(kMemoryLimit);
  detach_asked_ = false;
  detach_.Expect();
  active_ = true;
  const abi::HRESULT masked = service_.Masks().KeepAsCapture(*runtime_.info.Get());
  awaits_begin_ = abi::Succeeded(masked);
  if (abi::Failed(masked)) Forget();
  return masked;
}

const Refusal* TrackingSession::WhyNot(bool beside) {
  if (beside) return &kTrackBeside;
  if (service_.Current() != nullptr) return &kBusy;
  return runtime_.major < kFirstMajor || !runtime_.events ? &kTrackOldRuntime : nullptr;
}

abi::HRESULT TrackingSession::Refuse(const Refusal& refusal) {
  SendRefusal(channel_, refusal);
  Forget();
  return abi::kErrorProfilerCancelActivation;
}

// Nothing of ours is left in the runtime, or it never was.
void TrackingSession::Forget() {
  journal_.Stop();
  journal_.Free();
  runtime_ = {};
  listener_.Close();
  active_ = false;
  channel_.Close();
}

abi::HRESULT TrackingSession::Begin() {
  awaits_begin_ = false;
  if (StartThread("cairn-track", kStackBytes, RunEntry, this)) return abi::kOk;
  // Without one, the rest is done in the callback of the detach.
  SendRefusal(channel_, kNoThread);
  journal_.Stop();
  detach_.Request(runtime_, service_.Masks(), channel_);
  return abi::kOk;
}

// ---- the thread ------------------------------------------------------------------------------------

void TrackingSession::RunEntry(void* self) {
  auto& session = *static_cast<TrackingSession*>(self);
  try {
    session.Run();
  } catch (...) {
    // Whatever else happens, the target gets rid of us.
    SendRefusal(session.channel_, RefusalOfThrown());
    session.LeaveAnyhow();
  }
}

void TrackingSession::LeaveAnyhow() {
  try {
    if (!shutdown_) Leave();
  } catch (...) {
    journal_.Stop();
  }
}

void TrackingSession::Run() {
  if (events_.StartWithMovement(runtime_.events.Get())) {
    listener_.Open(false);
    if (channel_.SendFrame(FrameKind::kTracking, {})) Follow();
  } else {
    SendRefusal(channel_, kTrackOldRuntime);
  }
  if (!shutdown_) Leave();
}

void TrackingSession::Follow() {
  while (!shutdown_ && Obey(channel_.WaitForClient(kSliceMs)) && SendJournal() && !HearControl()) continue;
}

// False: it is over.
bool TrackingSession::Obey(ClientSign sign) {
  if (sign == ClientSign::kCapture) service_.CaptureAttached(runtime_.info.Get(), channel_.Asked());
  return sign == ClientSign::kCapture || sign == ClientSign::kNothing;
}

// False: the client takes nothing any more.
bool TrackingSession::SendJournal() {
  std::vector<uint8_t> frame;
  for (std::span<const uint8_t> record = journal_.Next(); !record.empty(); record = journal_.Next()) {
    if (!frame.empty() && frame.size() + record.size() > kFrameBytes) {
      if (!channel_.SendFrame(FrameKind::kJournal, frame)) return false;
      frame.clear();
    }
    frame.insert(frame.end(), record.begin(), record.end());
    journal_.Pop();
  }
  return frame.empty() || channel_.SendFrame(FrameKind::kJournal, frame);
}

// True: somebody asked for the end of it.
bool TrackingSession::HearControl() {
  const int client = listener_.IsOpen() ? listener_.Accept() : -1;
  if (client < 0) return false;
  control_.Adopt(client);
  control_.SetDeadline(kControlMs);
  control_.SendFrame(FrameKind::kTracking, {});
  detach_asked_ = control_.WaitForFrame(kControlMs) == ClientSign::kDetach;
  if (!detach_asked_) control_.Close();
  return detach_asked_;
}

// A capture under way ends first: its client is gone too, or it has what it came for in a moment.
void TrackingSession::Leave() {
  if (detach_asked_) channel_.Shut();
  while (service_.Current() != nullptr && !shutdown_) SleepMs(kSliceMs);
  journal_.Stop();
  if (shutdown_) return channel_.Shut();
  if (!DetachFromRuntime()) return;
  channel_.SendFrame(FrameKind::kDetached, {});
  Forget();
  if (!detach_asked_) return;
  control_.Send(FrameKind::kDetached, protocol::Detached{});
  control_.Close();
}

bool TrackingSession::DetachFromRuntime() {
  if (!runtime_.info) return false;  // asked for before something was thrown
  events_.Stop(runtime_.events.Get());
  return detach_.Leave(runtime_, service_.Masks(), shutdown_, channel_);
}

void TrackingSession::OnDetached() {
  if (active_) detach_.Detached([this] { Forget(); });
}

void TrackingSession::OnShutdown() {
  shutdown_ = true;
  journal_.Stop();
  if (active_) listener_.RemoveName();
}

}  // namespace cairn::collector
