#pragma once
// Roots and dependent handles as the runtime hands them over inside a GC: copied into mappings of a fixed
// capacity, nothing else.
//
//   RootRecorder recorder;  recorder.Map(RootRecorder::kDefaultCapacity);    // before the pause
//   recorder.Reset();                                                        // at event 205
//   recorder.RecordRoots(count, objects, kinds, flags, ids);                 // RootReferences2, several calls
//   recorder.RecordDependents(count, keys, values);                          // ConditionalWeakTable…References
//
// Call-site rule: all but Map only inside the pause or after it, one thread at a time (the runtime calls from
// one). Record* allocate nothing and take no lock. What does not fit is counted;
// who owns the recorder reports that.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::collector {

struct RecordedRoot {
  uint64_t object;  // may be 0: a handle whose target is gone
  uint64_t id;      // FunctionID, handle address, or 0
  uint32_t kind;    // COR_PRF_GC_ROOT_KIND
  uint32_t flags;   // COR_PRF_GC_ROOT_FLAGS
};
struct RecordedDependent {
  uint64_t primary;
  uint64_t secondary;
};

// A fixed array in a mapping of its own. Memory appears as it is touched.
class FixedBuffer {
 public:
  FixedBuffer() = default;
  ~FixedBuffer();
  FixedBuffer(const FixedBuffer&) = delete;
  FixedBuffer& operator=(const FixedBuffer&) = delete;
  bool Map(size_t bytes);
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

class RootRecorder {
 public:
  static constexpr size_t kDefaultCapacity = 1u << 20;

  // Reserves room for `capacity` roots and as many dependent handles, and touches the first `touched` of each.
  // False: the system refused.
  bool Map(size_t capacity, size_t touched = 4096);
  void Reset();
  void ResetRoots();
  void ResetDependents();

  template <class Object, class Kind, class Flags, class Id>
  void RecordRoots(uint32_t count, const Object* objects, const Kind* kinds, const Flags* flags, const Id* ids) {
    for (uint32_t i = 0; i < count; ++i) {
      AddRoot({objects[i], ids[i], static_cast<uint32_t>(kinds[i]), static_cast<uint32_t>(flags[i])});
    }
  }
  template <class Object>
  void RecordDependents(uint32_t count, const Object* keys, const Object* values) {
    for (uint32_t i = 0; i < count; ++i) AddDependent({keys[i], values[i]});
  }

  std::span<const RecordedRoot> Roots() const;
  std::span<const RecordedDependent> Dependents() const;
  uint64_t DroppedRoots() const { return dropped_roots_; }
  uint64_t DroppedDependents() const { return dropped_dependents_; }

 private:
  void AddRoot(const RecordedRoot& root);
  void AddDependent(const RecordedDependent& dependent);

  FixedBuffer root_buffer_, dependent_buffer_;
  size_t root_count_ = 0, dependent_count_ = 0;
  uint64_t dropped_roots_ = 0, dropped_dependents_ = 0;
};

}  // namespace cairn::collector
