#pragma once
// What watches a running process for a while: the event log, the allocation stacks, the method log, the IDs. The
// observation (observation_session.h) does what all of them need: it attaches, sets the masks, opens the one event
// session, takes the client's orders, and leaves again; an observer says what it wants of the runtime and makes
// records of what comes.
//
//   class GcCounter final : public Observer {
//     ObserverNeeds Needs() const override { return {.high_mask = abi::kHighBasicGc}; }
//     void OnCollectionFinished() override { ++count_; }                          // a callback: see below
//     bool Drain(ObservationSink& sink) override { return sink.Send(Count{count_}); }
//   };
//
// Thread rule: Start, Begin, OnOrder, Drain and Finish on the observation's own thread, which is native and unknown to
// the runtime. The callbacks come on the runtime's threads, many at once: they take no lock, wait for nothing, and put
// what they saw into a RecordRings (record_rings.h); what they do not know is asked of the runtime there and then,
// since an ID may be gone a moment later (function_names.h). Those of a module that is being loaded and of a body that
// is asked for may take a lock that nobody holds for long, since they are to answer. No callback comes before Start has
// returned; after the last Drain began none but those of unloading and of the process's end. Ownership: by the
// observation; destroyed on its thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collector/abi/profiler_info.h"
#include "collector/capture/refusal.h"
#include "collector/capture/runtime_access.h"
#include "collector/observing/observation_sink.h"

namespace cairn::collector {

struct ObservedProvider {
  const abi::WChar* name = nullptr;  // CAIRN_WIDE("Microsoft-Windows-DotNETRuntime")
  uint64_t keywords = 0;
  abi::EventPipeLevel level = abi::EventPipeLevel::kInformational;
};

struct ObserverNeeds {
  // Only bits that the runtime takes after an attach, but at its start. MONITOR_GC (low) is never among them: it would
  // switch concurrent collections off. MODULE_LOADS (low) and EVENT_PIPE (high) are set in any case.
  uint32_t low_mask = 0;
  uint32_t high_mask = 0;
  // All in one session, since two would deliver each event twice. Empty: none is opened.
  std::vector<ObservedProvider> providers;
  // The runtime refuses every later detach (ReJIT was switched on): the collector then stays for good and keeps its
  // control socket.
  bool stays = false;
  // So long the application's exit waits for the last records to be sent.
  uint32_t last_word_ms = 200;
};

struct ObserverContext {
  const RuntimeAccess& runtime;  // valid until the observer is destroyed
  bool beside = false;           // another profiler is the main one
  bool at_start = false;  // no managed code has run yet, and the runtime takes masks that it takes at no other time
};

// An event as it is delivered: on the thread that it is about.
struct ObservedEvent {
  abi::EventPipeProvider provider = 0;
  uint32_t id = 0;
  uint32_t version = 0;
  std::span<const uint8_t> payload;
};

class Observer {
 public:
  virtual ~Observer() = default;

  // ---- what is asked of it, on the observation's thread ----

  // Before anything is switched on. `wishes`: what the client sent with its request; not checked by anyone before.
  // A refusal ends the observation.
  virtual const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) = 0;
  // Asked once, after Start.
  virtual ObserverNeeds Needs() const = 0;
  // The masks are set and the session is open. False: the client is gone.
  virtual bool Begin(ObservationSink&) { return true; }
  // Something the client says later.
  virtual bool OnOrder(std::span<const uint8_t>, ObservationSink&) { return true; }
  // Every 20 ms, and once more after the last callback: sends what has come. False: the client is gone.
  virtual bool Drain(ObservationSink& sink) = 0;
  // True: it has done what it was asked for, and the observation may end by itself.
  virtual bool IsDone() const { return false; }
  // The last word, when nothing new comes any more; the runtime may still be asked, through ObserverContext. Also
  // called where the client is gone, when what it sends goes nowhere.
  virtual void Finish(ObservationSink&) {}

  // ---- callbacks, on the runtime's threads ----

  virtual void OnEvent(const ObservedEvent&) {}
  virtual void OnThreadCreated(abi::ThreadID) {}
  virtual void OnThreadDestroyed(abi::ThreadID) {}
  virtual void OnThreadAssigned(abi::ThreadID, uint32_t /*os_id*/) {}
  virtual void OnThreadNamed(abi::ThreadID, std::span<const abi::WChar> /*name*/) {}
  // Nothing of it was compiled yet, and its metadata may be asked. On the thread that needs it, which waits.
  virtual void OnModuleLoaded(abi::ModuleID) {}
  // The IDs of the module and of everything in it are valid until this returns, and never again.
  virtual void OnModuleUnloadStarted(abi::ModuleID) {}
  // A dynamic method goes: so does its FunctionID (high mask 0x4).
  virtual void OnDynamicMethodUnloaded(abi::FunctionID) {}
  virtual void OnObjectAllocated(abi::ObjectID, abi::ClassID) {}  // large objects: high mask 0x40
  virtual void OnCollectionStarted(std::span<const abi::Bool> /*collected*/, abi::GcReason) {}
  virtual void OnCollectionFinished() {}
  // The heap was walked in the pause of that collection, by a capture that the client asked for; first eight bytes of
  // its nonce.
  virtual void OnSnapshotTaken(uint64_t /*marker*/) {}
  virtual void OnSuspendFinished() {}
  virtual void OnResumeStarted() {}
  virtual void OnJitStarted(abi::FunctionID, abi::Bool /*safe_to_block*/) {}
  virtual void OnRejitStarted(abi::FunctionID, abi::ReJITID) {}
  virtual abi::HRESULT OnRejitParameters(abi::ModuleID, abi::mdMethodDef, abi::ICorProfilerFunctionControl*) {
    return abi::kOk;
  }
  virtual void OnRejitFinished(abi::FunctionID, abi::ReJITID, abi::HRESULT) {}
  virtual void OnRejitError(abi::ModuleID, abi::mdMethodDef, abi::FunctionID, abi::HRESULT) {}
  // The process ends: the runtime may not be asked any more.
  virtual void OnShutdown() {}
};

}  // namespace cairn::collector
