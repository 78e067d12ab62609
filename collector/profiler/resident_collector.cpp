#include "collector/profiler/resident_collector.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "collector/capture/client_channel.h"
#include "collector/capture/clock.h"
#include "collector/capture/detach_wait.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/refusal_frame.h"
#include "collector/capture/runtime_access.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr size_t kStackBytes = 256u << 10;
constexpr int kClientMs = 5000;
constexpr int kDetachMs = 30000;
constexpr int kDetachTries = 50;
constexpr int kDetachRetryMs = 100;

// Whoever connects learns at once which runtime this is. A collector that has begun to leave asks the runtime nothing.
protocol::Hello Greeting(abi::IUnknown* runtime) {
  protocol::Hello hello;
  hello.pid = getpid();
  RuntimeAccess access;
  if (runtime != nullptr && access.Open(runtime)) {
    hello.runtime_version = access.version;
    hello.server_gc = access.server_gc;
  }
  return hello;
}

}  // namespace

abi::HRESULT ResidentCollector::Start(abi::IUnknown* runtime) {
  info_ = abi::ComPtr<abi::ICorProfilerInfo5>::From(runtime);
  if (!info_) return abi::kErrorProfilerCancelActivation;
  // MONITOR_GC at start-up would switch concurrent collections off for good.
  const abi::HRESULT masked = service_.Masks().Keep(*info_.Get(), abi::kMonitorNone, abi::kHighBasicGc);
  if (abi::Failed(masked)) {
    info_.Reset();
    return masked;
  }
  active_ = true;
  exiting_ = detached_ = requested_ = false;
  if (listener_.Open(true) && !StartThread("cairn-control", kStackBytes, ListenEntry, this)) listener_.Close();
  return abi::kOk;
}

void ResidentCollector::ListenEntry(void* self) { static_cast<ResidentCollector*>(self)->Serve(); }

void ResidentCollector::Serve() {
  while (active_ && !exiting_) {
    const int client = listener_.Accept();
    if (client >= 0 && ServeClient(client)) break;
    if (client < 0 && errno != EINTR && errno != ECONNABORTED) SleepMs(kDetachRetryMs);
  }
  if (!exiting_) listener_.Close();
}

// True when the collector has left the runtime.
bool ResidentCollector::ServeClient(int client) {
  ClientChannel channel;
  channel.Adopt(client);
  channel.SetDeadline(kClientMs);
  try {
    return Answer(channel);
  } catch (...) {
    SendRefusal(channel, RefusalOfThrown());  // the next may find more memory
    return false;
  }
}

bool ResidentCollector::Answer(ClientChannel& channel) {
  if (!channel.Send(FrameKind::kHello, Greeting(info_.Get()))) return false;
  const ClientSign sign = channel.WaitForFrame(kClientMs);
  const bool asks = sign == ClientSign::kCapture && channel.Asked().observe == protocol::ObserverKind::kNone;
  // What becomes of it is told over the capture's own connection.
  if (asks && info_) service_.CaptureAttached(info_.Get(), channel.Asked());
  return sign == ClientSign::kDetach && Leave(channel);
}

// A capture under way ends first.
bool ResidentCollector::Leave(ClientChannel& channel) {
  while (service_.Current() != nullptr && !exiting_) SleepMs(kDetachRetryMs);
  if (!DetachFromRuntime()) return false;
  listener_.Close();
  channel.Send(FrameKind::kDetached, protocol::Detached{});
  return true;
}

// A detach that did not come in time may be asked for again: then it is only waited for, or requested anew.
bool ResidentCollector::DetachFromRuntime() {
  if (exiting_) return false;
  if (info_) {
    // The runtime keeps the interface until the detach has succeeded; ours must be gone by then.
    observed_ = abi::ComPtr<abi::ICorProfilerInfo3>::From(info_.Get()).Get();
    info_.Reset();
  }
  for (int tries = 0; tries < kDetachTries && !requested_ && !exiting_; ++tries) {
    requested_ = RequestDetach();
    if (!requested_) SleepMs(kDetachRetryMs);
  }
  std::unique_lock lock(mutex_);
  return requested_ && changed_.wait_for(lock, std::chrono::milliseconds(kDetachMs), [this] { return detached_; });
}

bool ResidentCollector::RequestDetach() {
  return observed_ != nullptr && abi::Succeeded(observed_->RequestProfilerDetach(kDetachHintMs));
}

void ResidentCollector::OnDetached() {
  if (!active_.exchange(false)) return;
  const std::lock_guard lock(mutex_);
  detached_ = true;
  changed_.notify_all();
}

void ResidentCollector::OnShutdown() {
  exiting_ = true;
  if (active_) listener_.RemoveName();
}

}  // namespace cairn::collector
