#pragma once
// The threads of the pause, with the arrays that hold their thread statics, and the place that each has among the
// stack roots.
//
//   ThreadRecorder threads;  threads.Prepare(source);   // before the pause
//   threads.Record(recorder.Roots());                    // in the pause, after the last RootReferences2
//   threads.ThreadsOfRoots(recorder.Roots(), code_map);  // after resume
//
// The runtime reports the stack roots thread after thread, and at the end of each thread's the array of its slot
// arrays, which no other thread has: that is how a thread is known. Some threads have no such array. Where their roots
// may lie in between, a root belongs to a thread only if its method has an address on that thread's stack, so that the
// order of the threads leaves one answer or none.
// Nothing is recorded where the runtime's list of threads cannot be read. Thread rule: one thread at a time.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/roots/code_map.h"
#include "collector/roots/root_recorder.h"
#include "collector/roots/stack_scan.h"
#include "collector/roots/thread_blocks.h"
#include "collector/roots/thread_table.h"

namespace cairn::collector {

struct RecordedThread {
  ManagedThread thread;
  uint32_t marker = 0;  // index of the root that is its slot arrays; kNoMarker: not met
};

// The slots of one type in one thread.
struct RecordedSlotArray {
  uint64_t object = 0;
  uint32_t thread = 0;  // index into Threads()
  uint32_t index = 0;   // as ThreadStaticFields::index
  uint32_t slots = 0;   // its length
};

class ThreadRecorder {
 public:
  static constexpr size_t kMaxThreads = 1u << 15;
  static constexpr size_t kMaxSlotArrays = 1u << 20;
  static constexpr uint32_t kNoMarker = kUncertainThread;

  // Makes room and checks the list against the runtime's own answer. False: no memory. Nothing will be recorded
  // where the list cannot be trusted. `source` is observed.
  bool Prepare(ThreadSource& source);
  // Call-site rule: in the pause. Allocates nothing.
  void Record(std::span<const RecordedRoot> roots);

  std::span<const RecordedThread> Threads() const;
  std::span<const RecordedSlotArray> SlotArrays() const;
  // Whether threads that are not certain left addresses to compare code with.
  bool NeedsCode() const { return !code_.Candidates().empty(); }
  uint64_t DroppedSlotArrays() const { return dropped_; }
  // For each root the index of its thread; kNoMarker where it has none or none is certain.
  std::vector<uint32_t> ThreadsOfRoots(std::span<const RecordedRoot> roots, const CodeMap& code) const;

 private:
  void FindMarkers(std::span<RecordedThread> threads, std::span<const RecordedRoot> roots);
  void RecordSlotArrays(uint32_t thread, uint64_t arrays);
  void ScanUncertainStacks();
  RootBlock Describe(uint32_t thread, const CodeMap& code) const;

  const ManagedThreads* list_ = nullptr;
  FixedBuffer list_buffer_, thread_buffer_, array_buffer_;
  StackScan code_;  // addresses on the stacks of threads that are not certain
  size_t threads_ = 0, arrays_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace cairn::collector
