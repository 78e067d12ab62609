#pragma once
// A collector that stays attached with its client and tells it what every collection does to objects, so that the
// client knows which objects of one snapshot are still there in the next. Concurrent collections stay on: it never
// asks for MONITOR_GC. Snapshots are captures of their own over the same attach, one at a time.
//
// One thread of ours ("cairn-track") sends the journal, takes the client's orders, and answers on the control socket.
// It ends, and the collector leaves the process, when the client says so, hangs up or dies, or `cairn detach` asks.
// Ownership: lives in static storage; between two uses nothing is mapped or open. Thread rule: Attach and Begin on the
// diagnostics thread, the On… functions from callbacks.

#include <atomic>
#include <span>

#include "collector/capture/capture_service.h"
#include "collector/capture/detach_wait.h"
#include "collector/capture/gc_events.h"
#include "collector/capture/refusal.h"
#include "collector/tracking/control_listener.h"
#include "collector/tracking/gc_journal.h"

namespace cairn::collector {

class TrackingSession {
 public:
  explicit TrackingSession(CaptureService& service) : service_(service) {}

  // How the journal names the snapshot that these options ask for.
  static uint64_t MarkerOf(const protocol::Options& options);

  // InitializeForAttach and ProfilerAttachComplete.
  abi::HRESULT Attach(abi::IUnknown* runtime, const protocol::Options& options, bool beside);
  abi::HRESULT Begin();
  bool IsActive() const { return active_; }
  // The attach under way is this one's: its Begin is still to come. One that has left the runtime may be active still.
  bool AwaitsBegin() const { return awaits_begin_; }

  void OnSuspendFinished() { journal_.OnSuspendFinished(); }
  void OnResumeStarted() { journal_.OnResumeStarted(); }
  void OnCollectionStarted(std::span<const abi::Bool> collected) { journal_.OnCollectionStarted(collected); }
  void OnEvent(uint32_t id, uint32_t version, std::span<const uint8_t> payload) {
    journal_.OnEvent(id, version, payload);
  }
  void OnCollectionFinished(uint64_t marker) { journal_.OnCollectionFinished(marker); }
  void OnDetached();
  void OnShutdown();

 private:
  abi::HRESULT Meet(abi::IUnknown* runtime, const protocol::Options& options, bool beside);
  const Refusal* WhyNot(bool beside);
  abi::HRESULT Refuse(const Refusal& refusal);
  static void RunEntry(void* self);
  void Run();
  void Follow();
  bool Obey(ClientSign sign);
  bool HearControl();
  bool SendJournal();
  void Leave();
  void LeaveAnyhow();
  bool DetachFromRuntime();
  void Forget();

  CaptureService& service_;
  std::atomic<bool> active_{false}, awaits_begin_{false}, shutdown_{false};
  ClientChannel channel_, control_;
  ControlListener listener_;
  RuntimeAccess runtime_;
  GcEventSession events_;
  GcJournal journal_;
  protocol::Options options_;
  bool detach_asked_ = false;  // over the control socket
  DetachWait detach_;
};

}  // namespace cairn::collector
