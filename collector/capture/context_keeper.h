#pragma once
// Collectible load contexts: finds the LoaderAllocator of each collectible type and keeps it alive until the
// types have their names, since asking about an unloaded type crashes the target.
// Call-site rule: Keep inside GarbageCollectionFinished (allocates nothing of ours; the runtime makes one
// handle per context); LetGo after the pause and before the detach.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/abi/profiler_info.h"
#include "collector/capture/mapped_array.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class ContextKeeper {
 public:
  static constexpr size_t kMaxContexts = 8192;

  // Makes room. False: no memory. Before the pause.
  bool Prepare();
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

  static constexpr size_t kSlots = kMaxContexts * 2;  // open addressing, at most half full
  MappedArray<Entry> entries_;
  size_t count_ = 0;
};

}  // namespace cairn::collector
