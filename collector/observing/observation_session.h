#pragma once
// One attach that watches: greets the client, takes its wishes, starts the observer, switches on what that needs, sends
// what it has to say, and leaves the process when the client says so, hangs up, takes nothing for its deadline, or when
// the observer is done. Where the runtime lets nobody leave any more, the collector stays and keeps its control socket,
// over which another observation or a capture can be asked for.
//
// One thread of ours ("cairn-observe") does all of it. Ownership: lives in static storage; between two uses nothing is
// mapped or open. Thread rule: AttachAtStart on the thread that starts the runtime, Attach and Begin on the diagnostics
// thread; Tell and the On… functions from callbacks.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "collector/capture/capture_service.h"
#include "collector/capture/detach_wait.h"
#include "collector/capture/refusal.h"
#include "collector/capture/unload_gate.h"
#include "collector/observing/event_switch.h"
#include "collector/observing/observer.h"
#include "collector/observing/observer_kinds.h"
#include "collector/observing/start_call.h"
#include "collector/observing/start_gate.h"
#include "collector/tracking/control_listener.h"

namespace cairn::collector {

class ObservationSession {
 public:
  ObservationSession(CaptureService& service, ObserverMaker maker) : service_(service), maker_(maker) {}

  // InitializeForAttach and ProfilerAttachComplete.
  abi::HRESULT Attach(abi::IUnknown* runtime, const protocol::Options& options, bool beside);
  abi::HRESULT Begin();
  // Initialize: calls the client that started this process to observe it, and returns when everything that it wants is
  // switched on, before any managed code runs. Where the client is gone, does not want this process, or does not answer
  // within 10 s, the runtime goes on without: kErrorProfilerCancelActivation, and nothing of us is left in it.
  abi::HRESULT AttachAtStart(abi::IUnknown* runtime, const StartCall& call);
  bool IsActive() const { return active_; }
  // The attach under way is this one's: its Begin is still to come.
  bool AwaitsBegin() const { return awaits_begin_; }

  // One callback: `body(Observer&)` where an observer is there. It is not destroyed meanwhile.
  template <class Body>
  void Tell(Body&& body) {
    TellOneOf(observer_, body);
  }

  // An ID goes, as long as anybody may ask about it: up to the observer's last word. That of a module waits for an
  // observer that is starting.
  void OnModuleUnload(abi::ModuleID module);
  void OnDynamicMethodUnload(abi::FunctionID function);
  void OnDetached();
  void OnShutdown();

 private:
  class Visit {
   public:
    explicit Visit(std::atomic<uint64_t>& visitors) : visitors_(visitors) { ++visitors_; }
    ~Visit() { --visitors_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    std::atomic<uint64_t>& visitors_;
  };

  template <class Body>
  void TellOneOf(const std::atomic<Observer*>& told, Body&& body) {
    if (told.load(std::memory_order_relaxed) == nullptr) return;
    const Visit visit(visitors_);
    if (Observer* observer = told.load()) body(*observer);
  }

  // ---- the attach ----
  abi::HRESULT Meet(abi::IUnknown* runtime, const protocol::Options& options, bool beside);
  abi::HRESULT MeetAtStart(abi::IUnknown* runtime, const StartCall& call);
  bool TakeCall();
  int StartLeftMs() const;
  abi::HRESULT Decline();
  const Refusal* WhyNot(bool beside) const;
  abi::HRESULT Refuse(const Refusal& refusal);
  void SendRefusal(const Refusal& refusal);
  void Forget();

  // ---- the thread ----
  static void RunEntry(void* self);
  static void RunFromStart(void* self);
  void GoAway();
  void Run();
  void Observe();
  const Refusal* StartObserver();
  const Refusal* OpenControl();
  const Refusal* SwitchOn();
  abi::HRESULT KeepMask(uint32_t low, uint32_t high);
  void SwitchOff();
  void Rest();
  bool Greet();
  bool GoOn(ObservationSink& sink);
  void Follow(ObservationSink& sink);
  bool Obey(ClientSign sign, ObservationSink& sink);
  void TakeLeave(ObservationSink& sink);
  void DropObserver();
  void Leave();

  // ---- the control socket ----
  bool HearControl();
  void SayItStays();
  void Reside();
  void ServeNext();
  bool Serve(const protocol::Options& options);

  CaptureService& service_;
  const ObserverMaker maker_;
  std::atomic<bool> active_{false}, awaits_begin_{false}, exiting_{false};
  ClientChannel channel_, control_;
  ControlListener listener_;
  RuntimeAccess runtime_;
  protocol::Options options_;
  std::unique_ptr<Observer> owned_;
  std::atomic<Observer*> observer_{nullptr};  // owned_, while callbacks may reach it
  std::atomic<Observer*> holder_{nullptr};    // owned_, while it may hold IDs: longer
  ObserverNeeds needs_;
  std::atomic<uint64_t> visitors_{0};
  UnloadGate unloads_;  // held while an observer lists modules, and unloadings do not reach it yet
  EventSwitch events_;
  bool has_events_ = false;    // an event session, beside which no capture is made
  bool stays_ = false;         // the runtime lets nobody leave any more
  bool detach_asked_ = false;  // over the control socket
  DetachWait detach_;
  StartGate start_;
  uint64_t start_ends_ns_ = 0;  // until then the runtime's start may be kept waiting
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint32_t> last_word_ms_{ObserverNeeds().last_word_ms};
  bool is_last_word_said_ = false;  // of an observation under way as the process ends
};

}  // namespace cairn::collector
