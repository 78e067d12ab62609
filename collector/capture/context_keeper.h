#pragma once
// Collectible load contexts: finds the LoaderAllocator of each collectible type and keeps it alive until the
// types have their names, since asking about an unloaded type crashes the target.
// Call-site rule: Keep inside GarbageCollectionFinished (allocates nothing of ours; the runtime makes one
// handle per context); LetGo after the pause and before the detach.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"
#include "collector/capture/context_finder.h"
#include "collector/capture/mapped_array.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class ContextKeeper {
 public:
  static constexpr size_t kMaxContexts = 8192;

  // Makes room. False: no memory. Before the pause.
  bool Prepare();
  // Before the pause: the modules of the contexts that may be there in it.
  void LearnModules(abi::ICorProfilerInfo10* info);
  // In the pause: every context there is, without a look at the heap; see ContextFinder::Find. False: it cannot be
  // done this way in this runtime.
  bool FindAll(const LayoutPolicy& layout, std::span<const RecordedRoot> roots, std::span<const WalkedType> types);
  bool FoundAll() const { return found_all_; }
  // In the pause, after FindAll.
  void KeepFound(abi::ICorProfilerInfo13* handles);
  // Where the types are known, in a child forked after KeepFound: sets loader_allocator of the collectible ones, 0 for
  // those of a context that was going already.
  void Assign(std::span<WalkedType> types) const;
  // Sets loader_allocator of every collectible type. `handles` may be null (before .NET 7): then nothing
  // can be kept, and no collectible type may be asked about.
  void Keep(std::span<WalkedType> types, ObjectInspector& inspector, abi::ICorProfilerInfo13* handles);
  // True for a type that may still be asked about after the pause.
  bool IsSafe(const WalkedType& type) const;
  void LetGo(abi::ICorProfilerInfo13* handles);

 private:
  struct Entry {
    uint64_t loader_allocator;
    abi::ObjectHandleID handle;
  };
  Entry* Find(uint64_t loader_allocator) const;
  void KeepOne(uint64_t loader_allocator, abi::ICorProfilerInfo13* handles);

  static constexpr size_t kSlots = kMaxContexts * 2;  // open addressing, at most half full
  MappedArray<Entry> entries_;
  size_t count_ = 0;
  ContextFinder finder_;
  bool found_all_ = false;
};

}  // namespace cairn::collector
