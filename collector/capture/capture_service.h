#pragma once
// What the runtime's callbacks call. Holds the one capture that may be under way in this process, and the
// touched memory of an attach that has to be tried again.
// Thread rule: Attach, AttachComplete on the diagnostics thread; the rest from any callback. Never destroyed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "collector/abi/profiler_info.h"
#include "collector/capture/capture.h"

namespace cairn::collector {

class CaptureService {
 public:
  CaptureService() = default;
  // With another time than 30 s for the collection to come, and another way to a young one.
  CaptureService(uint32_t collection_deadline_ms, GcInducer& inducer)
      : collection_deadline_ms_(collection_deadline_ms), inducer_(inducer) {}

  // InitializeForAttach. Whatever fails leaves no thread (but see KeepMemory), no descriptor and no reference.
  // `beside`: another profiler is the main one.
  abi::HRESULT Attach(abi::IUnknown* runtime, const void* data, size_t size, bool beside = false);
  // Of a collector that stays: one more capture over the place that it holds in the runtime, which only --light can
  // take. False: it could not begin; its client has been told, or is not there.
  bool CaptureAttached(abi::IUnknown* runtime, const protocol::Options& options);
  // ProfilerAttachComplete.
  void AttachComplete();
  // ProfilerDetachSucceeded.
  void DetachSucceeded();
  // The capture under way; nullptr for none. Valid for the length of a Visit.
  Capture* Current() const { return current_.load(); }

  // The runtime's, of captures and of whoever else is in this process.
  EventMasks& Masks() { return masks_; }

  // One callback. A capture is destroyed only after the runtime has made its last one, or, where the collector stays
  // attached, when nobody visits.
  class Visit {
   public:
    explicit Visit(CaptureService& service) : visitors_(service.visitors_) {
      ++visitors_;
      capture_ = service.Current();
    }
    ~Visit() { --visitors_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    Capture* Current() const { return capture_; }

   private:
    std::atomic<uint64_t>& visitors_;
    Capture* capture_;
  };

 private:
  using Memory = std::unique_ptr<WalkMemories>;

  std::unique_ptr<CaptureContext> Meet(const protocol::Options& options);
  abi::HRESULT Open(abi::IUnknown* runtime, CaptureContext& context);
  abi::HRESULT Start(std::unique_ptr<CaptureContext> context);
  Memory TakeOrMakeMemory(const WalkPlan& plan);
  void KeepMemory(Memory memory);
  void DropMemory();
  void Finish();
  bool IsBusy() const;
  bool WasMainJustNow() const;

  static void RunEntry(void* service);
  static void KeeperEntry(void* service);
  void WatchKeptMemory();

  uint32_t collection_deadline_ms_ = 30000;
  HostedGcInducer hosted_inducer_;
  GcInducer& inducer_ = hosted_inducer_;
  EventMasks masks_;
  std::atomic<Capture*> current_{nullptr};
  std::atomic<uint64_t> visitors_{0};
  std::atomic<bool> without_threads_{false};
  std::atomic<uint64_t> main_left_ns_{0};

  std::mutex kept_mutex_;
  Memory kept_;
  uint64_t kept_round_ = 0;
  bool keeper_runs_ = false;
};

}  // namespace cairn::collector
