#pragma once
// What the runtime itself says of an object: the profiling API in the collector, a table in tests.
// Call-site rule: only while the runtime is suspended inside GarbageCollectionFinished.

#include <cstdint>

namespace cairn::collector {

class ObjectInspector {
 public:
  struct Reference {
    uint64_t offset;  // of the slot from the object's start; kNoOffset for the LoaderAllocator edge
    uint64_t target;
  };
  static constexpr uint64_t kNoOffset = ~uint64_t{0};
  using Visit = void (*)(void* context, Reference reference);

  virtual uint64_t Size(uint64_t object) = 0;                                // unaligned, 0 on failure
  virtual uint64_t ClassId(uint64_t object) = 0;                             // 0 for Free objects
  virtual bool References(uint64_t object, Visit visit, void* context) = 0;  // non-null ones, slot order

 protected:
  ~ObjectInspector() = default;
};

}  // namespace cairn::collector
