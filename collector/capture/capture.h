#pragma once
// One capture, from the mask to the last frame. Callbacks of the runtime come in as the On… functions; the
// rest happens on two threads of ours:
//
//   "cairn"        starts the event session, asks for the collection, names, detaches, sends
//   "cairn-watch"  reads the socket and the clock, so that a client that died or a collection that does not
//                  come is noticed while the first one is inside the runtime
//
// Ownership: CaptureService owns it and hands it to the capture thread, which destroys it at its end.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "collector/capture/capture_context.h"
#include "collector/capture/capture_state_machine.h"
#include "collector/capture/gc_trigger.h"
#include "collector/capture/naming_thread.h"
#include "collector/capture/pause_step.h"
#include "collector/capture/refusal.h"
#include "collector/capture/type_ranking.h"

namespace cairn::collector {

class Capture final : private GcTrigger::Progress {
 public:
  // The context's options, channel, runtime and memory are set; its tables are mapped here.
  explicit Capture(std::unique_ptr<CaptureContext> context)
      : context_(std::move(context)), trigger_(context_->options, *context_->inducer) {}

  // ---- diagnostics thread ----
  // False: no memory for the tables.
  bool PrepareTables();
  // The last call of InitializeForAttach: concurrent collections are off from here.
  abi::HRESULT SetMask();
  std::unique_ptr<WalkMemories> TakeMemory() { return std::move(context_->memories); }
  // ProfilerAttachComplete. False: no thread could be started; everything was undone but the detach's end.
  bool Begin(void (*run)(void*), void* service);

  // ---- callbacks; those of a collection with the runtime suspended ----
  void OnSuspendStarted();
  void OnSuspendFinished();
  void OnSuspendAborted() { context_->tracker.SuspendAborted(); }
  void OnResumeStarted() { context_->tracker.ResumeStarted(); }
  void OnResumeFinished();
  void OnCollectionStarted(std::span<const abi::Bool> collected, abi::GcReason reason);
  void OnEvent(uint32_t id, uint32_t version, std::span<const uint8_t> payload);
  void OnRoots(uint32_t count, const abi::ObjectID* objects, const abi::GcRootKind* kinds, const uint32_t* flags,
               const uintptr_t* ids);
  void OnDependents(uint32_t count, const abi::ObjectID* keys, const abi::ObjectID* values);
  // True: its heap was walked.
  bool OnCollectionFinished();
  void OnThreadCreated();
  void OnModuleUnload() { context_->unloads.Pass(); }
  void OnDetached();
  void OnShutdown();

  // ---- capture thread ----
  // Returns when nothing of this capture is inside the runtime any more and its memory may go; false where
  // that cannot be known (the target is exiting, the detach did not succeed) and it must stay.
  bool Run();

  // After Run: the socket, still open. Closing it tells the client that nothing of the capture is left.
  int ReleaseSocket() { return context_->channel.Release(); }

  bool IsBeside() const { return context_->beside; }
  bool Stays() const { return context_->stays; }
  const protocol::Options& Options() const { return context_->options; }
  CaptureState State() const { return state_.load(); }
  void Refuse(const Refusal& refusal, const std::string& detail = {});

 private:
  CaptureAction Post(CaptureEvent event);
  bool Legal(RuntimeCall call) const { return IsLegal(State(), call); }
  void Work();
  void Fail(const Refusal& refusal);
  bool Prepare();
  void Collect();
  void Conclude(TriggerOutcome trigger);
  bool StartEvents();
  bool Wanted() const override;
  bool Collecting() const override;
  void Walk();
  void Break();
  void WaitForResume() const;
  void Name();
  void FreeOtherWalk();
  void NameHere();
  bool RuntimeStillCalls();
  void SayLeftBehind();
  void RequestDetach();
  void StayAttached();
  bool WaitForDetach(int milliseconds);
  void SendRest();
  void SendDetached();
  void ReportState(uint64_t done = 0, uint64_t total = 0);
  void RecordRoots();
  void OnEventOfCollection(uint32_t id, std::span<const uint8_t> payload);
  std::string OverLimitDetail() const;
  std::string SpoolDetail() const;

  static void WatchEntry(void* capture);
  void Watch();
  void EndWatch();

  std::unique_ptr<CaptureContext> context_;
  GcTrigger trigger_;
  std::unique_ptr<TypeRanking> ranking_;
  std::unique_ptr<NamingThread> naming_thread_;
  std::atomic<CaptureState> state_{CaptureState::kConnected};
  std::atomic<bool> refused_{false}, shutdown_{false}, over_{false}, watching_{false}, walk_left_{false};
  std::atomic<uint64_t> mask_set_ns_{0}, detached_ns_{0}, suspensions_{0};
  PauseOutcome outcome_ = PauseOutcome::kWalked;
  std::mutex detach_mutex_;
  std::condition_variable detach_changed_;
  bool detach_requested_ = false, detached_ = false, detached_sent_ = false;
};

}  // namespace cairn::collector
