#pragma once
// Walks one range object by object and encodes each of them.
// Call-site rule: inside the pause; no allocation, no lock.

#include <cstdint>

#include "collector/walk/object_code.h"
#include "collector/walk/object_reader.h"
#include "collector/walk/spool_writer.h"

namespace cairn::collector {

template <unsigned kPointerSize, Heads kHeads>
class RangeWalk {
 public:
  RangeWalk(const LayoutPolicy& layout, TypeTable& types, SpoolWriter& spool, HeapRange& range, CodeTable& code)
      : types_(types),
        spool_(spool),
        encoder_(spool.Encoder()),
        range_(range),
        reader_(layout, types, range),
        plan_(layout.contents),
        code_(code) {}

  // kNone: the range ended exactly. Otherwise the walk of this range stopped, and `problem` says where.
  WalkFault Run(WalkProblem& problem);

 private:
  // The unit of addresses is half a header: LayoutPolicy::address_shift.
  using Row = stream::ChunkEncoder::Row<kPointerSize == 8 ? 3 : 2>;

  // A type's first object of a chunk comes through the table: then its last targets are forgotten.
  [[gnu::always_inline]] WalkFault Read(uint64_t at, ObjectView& view, uint64_t& value) {
    return reader_.Read(at, view, value, [this](HotType& type) { encoder_.Cells(type.predictor); });
  }

  // Part of the loop over objects, whose state is to stay in registers.
  [[gnu::always_inline]] WalkFault EncodeRun(Row& row, ObjectView& view, uint64_t& value);
  [[gnu::always_inline]] bool BeginObject(Row& row, const ObjectView& view);
  [[gnu::always_inline]] void EncodeFixed(Row& row, const ObjectView& view);
  [[gnu::always_inline]] bool EncodeSized(Row& row, const ObjectView& view);
  [[gnu::always_inline]] void EncodeReferences(Row& row, HotType& type, uint64_t object, uint64_t first,
                                               uint32_t count);
  [[gnu::always_inline]] void EncodeComponents(Row& row, HotType& type, uint64_t object, uint64_t first,
                                               uint32_t count);
  [[gnu::always_inline]] void EncodeValues(const WalkedType& type, uint64_t object);
  [[gnu::always_inline]] void EncodeWide(Row& row, const ObjectView& view);
  [[gnu::always_inline]] bool EncodeParts(Row& row, const ObjectView& view);
  [[gnu::always_inline]] bool Flush(Row& row);

  // Not part of it. What they need of an object goes in registers: taking a view's address would cost every object.
  [[gnu::noinline]] void EncodeHash(uint64_t components, uint64_t bytes);
  [[gnu::noinline]] bool EncodeContents(const HotType& hot, uint64_t object, uint64_t length);
  [[gnu::noinline]] bool EncodeSlots(HotType& type, uint64_t object, uint64_t length);
  [[gnu::noinline]] void EncodeManySlots(HotType& type, uint64_t object);
  void CountChunk();

  TypeTable& types_;
  SpoolWriter& spool_;
  stream::ChunkEncoder& encoder_;
  HeapRange& range_;
  ObjectReader<kPointerSize, kHeads> reader_;
  const ContentPlan* plan_;
  CodeTable& code_;
};

extern template class RangeWalk<4, Heads::kInMemory>;
extern template class RangeWalk<8, Heads::kInMemory>;
extern template class RangeWalk<4, Heads::kLearnt>;
extern template class RangeWalk<8, Heads::kLearnt>;

}  // namespace cairn::collector
