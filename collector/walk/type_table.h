#pragma once
// Every type the walk met, found by MethodTable: a few thousand types against millions of objects, so the
// look-up is what counts and the insertion is not.
//
// All memory is the fixed part of a WalkMemory:
//   | hot types | walked types | hash table | slot offsets | predictor cells |
// Thread rule: one walker. Call-site rule: inside the pause; no allocation, no lock.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/walk/layout.h"
#include "collector/walk/method_table.h"
#include "collector/walk/walk_report.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

// How the slots of an object of the type are found.
enum class SlotShape : uint8_t {
  kNone,        // no references
  kFixed,       // at the offsets
  kWide,        // the same, more of them than the type has predictor cells
  kDense,       // an array of references
  kComponents,  // at the offsets in every component
};

// What is kept of an object of the type besides its references.
enum class KeptContents : uint8_t {
  kNothing,
  kHash,    // and nothing else, as of most strings
  kValues,  // of fields, and nothing else
  kMore,    // see WalkedType
};

// What every object needs, in one cache line.
struct alignas(64) HotType {
  uint64_t objects = 0;
  uint32_t elements_offset = 0;  // of the first component
  uint32_t component_size = 0;
  const uint32_t* slots = nullptr;
  uint32_t slot_count = 0;  // of the object or of a component
  SlotShape shape = SlotShape::kNone;
  bool is_free = false;
  bool has_code = false;  // its objects are delegates
  KeptContents contents = KeptContents::kNothing;
  stream::ShortVarint code;  // the id as it is written
  stream::SlotPredictor predictor;
  uint64_t bytes = 0;  // not beside `objects`: compilers would add to both as one vector, which takes longer
};
static_assert(sizeof(HotType) == 64);

class TypeTable {
 public:
  static constexpr uint32_t kMaxTypes = uint32_t{1} << 17;
  static constexpr uint32_t kMaxSlots = uint32_t{1} << 22;
  static constexpr uint32_t kMaxCells = uint32_t{1} << 21;
  static constexpr uint32_t kBuckets = kMaxTypes * 2;
  // How many of them are in use at first: as many as half that number of types need.
  static constexpr uint32_t kFirstBuckets = 4096;

  struct Bucket {
    uint64_t method_table;  // 0: empty
    uint64_t index;
  };

  static constexpr uint64_t kHotBytes = uint64_t{kMaxTypes} * sizeof(HotType);
  static constexpr uint64_t kWalkedBytes = uint64_t{kMaxTypes} * sizeof(WalkedType);
  static constexpr uint64_t kBucketBytes = uint64_t{kBuckets} * sizeof(Bucket);
  static constexpr uint64_t kSlotBytes = uint64_t{kMaxSlots} * sizeof(uint32_t);
  static constexpr uint64_t kCellBytes = uint64_t{kMaxCells} * sizeof(uint64_t);
  static constexpr uint64_t kBytes = kHotBytes + kWalkedBytes + kBucketBytes + kSlotBytes + kCellBytes;

  // Faults in what an ordinary number of types needs of each table; more of them fault pages in one by one.
  // False: the system would not give the memory.
  static bool Populate(uint8_t* memory);

  // `memory` has kBytes zero bytes, or is null; then every Add fails.
  TypeTable(const LayoutPolicy& layout, uint8_t* memory);

  // The type of an object that holds `method_table`, or null when it was never added.
  HotType* Find(uint64_t method_table) {
    CacheLine& line = LineOf(method_table);
    return line.method_table == method_table ? line.type : FindSlowly(method_table, line);
  }

  // The same of an object at `object`, where a type that was never added is. Null: see `fault`. Types found lately are
  // at hand; `fetched` is called with one that was not.
  template <class Fetched>
  [[gnu::always_inline]] HotType* FindOrAdd(uint64_t method_table, uint64_t object, WalkFault& fault, Fetched fetched) {
    const CacheLine& line = LineOf(method_table);
    if (line.method_table != method_table) [[unlikely]] {
      fault = Fetch(method_table, object);
      if (fault != WalkFault::kNone) return nullptr;
      fetched(*line.type);
    }
    return line.type;
  }

  // None is at hand any more.
  void PutAway();

  // Reads the MethodTable and adds it, with `object` as its exemplar. Null: see `fault`.
  HotType* Add(uint64_t method_table, uint64_t object, WalkFault& fault);
  // Adds a type of which raw memory is not trusted: sizes and slots come with every object. `class_id` is
  // what the runtime calls it; 0 may mean Free, or that its context is being unloaded.
  HotType* AddExplicit(uint64_t method_table, uint64_t object, uint64_t class_id, WalkFault& fault);

  bool IsEmpty() const { return count_ == 0; }
  void Clear();

  uint32_t IdOf(const HotType& type) const { return static_cast<uint32_t>(&type - hot_); }
  WalkedType& Walked(const HotType& type) const { return walked_[IdOf(type)]; }
  // The first two words of its MethodTable, as they were when it was added.
  uint64_t HeadOf(const HotType& type) const {
    const WalkedType& walked = walked_[IdOf(type)];
    return uint64_t{walked.base_size} << 32 | walked.flags;
  }
  // What chunks call it.
  uint32_t WrittenIdOf(const HotType& type) const { return walked_[IdOf(type)].written_id; }
  // With the counts of the objects found so far.
  std::span<WalkedType> Types();
  // With the counts that Types found when it was last called.
  std::span<WalkedType> TypesAsCounted() const { return {walked_, count_}; }

  // From now on chunks number the types by their place in `order`, which holds the ids of all types that will
  // be met. Counts start anew, and no MethodTable is read any more.
  void Renumber(std::span<const uint32_t> order);
  bool KnowsAll() const { return knows_all_; }

 private:
  static constexpr uint32_t kCacheLines = 2048;
  struct alignas(16) CacheLine {
    uint64_t method_table = 1;  // none: not even a bad one has such an address, as the walk masks it
    HotType* type = nullptr;
  };
  static_assert(sizeof(CacheLine) == 16);

  // Reckons in bytes, which is shorter than an index: it is done for every object. Neighbours are a few words apart,
  // so the product is what spreads them.
  CacheLine& LineOf(uint64_t method_table) {
    constexpr uint64_t kMask = uint64_t{kCacheLines - 1} * sizeof(CacheLine);
    const uint64_t offset = static_cast<uint32_t>(method_table) * 0x9E3779B1u >> 17 & kMask;
    return *reinterpret_cast<CacheLine*>(reinterpret_cast<uint8_t*>(cache_) + offset);
  }
  HotType* FindSlowly(uint64_t method_table, CacheLine& line);
  // Finds or adds the type and puts it into its line.
  WalkFault Fetch(uint64_t method_table, uint64_t object);
  uint32_t BucketOf(uint64_t method_table) const;
  void Enter(uint64_t method_table, uint32_t index);
  void DoubleBuckets();
  HotType* Insert(const WalkedType& walked, SlotShape shape, WalkFault& fault);

  CacheLine cache_[kCacheLines];  // first: so a line is found with one addition less
  LayoutPolicy layout_;
  HotType* hot_ = nullptr;
  WalkedType* walked_ = nullptr;
  Bucket* buckets_ = nullptr;
  uint32_t* slots_ = nullptr;
  uint64_t* cells_ = nullptr;
  bool knows_all_ = false;
  uint32_t bucket_mask_ = kFirstBuckets - 1;
  uint32_t count_ = 0;
  uint32_t slots_used_ = 0;
  uint32_t cells_used_ = 0;
};

}  // namespace cairn::collector
