#pragma once
// Where the runtime allows every question about types. A thread that it does not know may not ask for a class by
// its token (the runtime would crash), and one that it knows may ask nothing at all outside a callback, unless it
// has called ForceGC. After a collection that nobody forced, a thread of ours therefore lets the runtime get to
// know it, and names inside the callback that tells of the new thread. Where that is not to be had, it names as
// an unknown thread, and what needs a token stays unnamed.

#include <atomic>
#include <functional>

#include "collector/abi/profiler_info.h"
#include "collector/capture/event_masks.h"
#include "collector/capture/gc_inducer.h"

namespace cairn::collector {

class NamingThread {
 public:
  NamingThread(abi::ICorProfilerInfo5& runtime, EventMasks& masks, GcInducer& inducer)
      : runtime_(runtime), masks_(masks), inducer_(inducer) {}

  // On the capture thread, after resume. Returns when `name` has returned, which it calls once. False: there was no
  // thread to be had.
  bool Run(std::function<void()> name);
  // `name` was left for want of memory.
  bool LackedMemory() const { return lacked_memory_; }
  // ThreadCreated, on any thread.
  void OnThreadCreated();

 private:
  static void Enter(void* self);
  void NameOnce();

  abi::ICorProfilerInfo5& runtime_;
  EventMasks& masks_;
  GcInducer& inducer_;
  std::function<void()> name_;
  std::atomic<uint32_t> thread_{0};
  std::atomic<bool> named_{false}, lacked_memory_{false}, over_{false};
};

}  // namespace cairn::collector
