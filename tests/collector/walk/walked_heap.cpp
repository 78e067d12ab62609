#include "tests/collector/walk/walked_heap.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

void Append(const stream::DecodedChunk& chunk, const stream::ChunkHeader& header, std::span<WalkedType> types,
            std::vector<WalkedObject>& objects) {
  if (header.continued_slots != 0) {
    ASSERT_FALSE(objects.empty());
    WalkedObject& array = objects.back();
    ASSERT_EQ(array.address, header.continued_object);
    ASSERT_EQ(array.targets.size(), header.continued_slot);
    array.targets.insert(array.targets.end(), chunk.targets.begin(), chunk.targets.begin() + header.continued_slots);
  }
  for (size_t i = 0; i < chunk.types.size(); ++i) {
    WalkedObject object;
    object.range = header.range;
    object.address = chunk.addresses[i];
    object.method_table = types[chunk.types[i]].method_table;
    object.size = chunk.sizes[i];
    object.length = chunk.lengths[i];
    object.targets.assign(chunk.targets.begin() + chunk.first_slot[i], chunk.targets.begin() + chunk.first_slot[i + 1]);
    objects.push_back(std::move(object));
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const WalkedObject& object) {
  out << std::hex << "{range " << object.range << ", 0x" << object.address << ", type 0x" << object.method_table
      << std::dec << ", " << object.size << " bytes, length " << object.length << ", targets" << std::hex;
  for (size_t i = 0; i < object.targets.size() && i < 12; ++i) out << " 0x" << object.targets[i];
  return out << std::dec << " (" << object.targets.size() << ")}";
}

WalkedHeap::WalkedHeap(const LayoutPolicy& layout, uint64_t spool_bytes) : layout_(layout) {
  EXPECT_TRUE(memory_.Map(spool_bytes));
  walker_ = std::make_unique<HeapWalker>(layout, memory_);
}

const WalkReport& WalkedHeap::Walk(std::vector<HeapRange>& ranges, uint32_t first_range) {
  report_ = walker_->Walk(ranges, first_range);
  return report_;
}

const WalkReport& WalkedHeap::WalkThroughApi(std::vector<HeapRange>& ranges, ObjectInspector& inspector) {
  report_ = walker_->WalkThroughApi(ranges, inspector);
  return report_;
}

std::vector<WalkedObject> WalkedHeap::Objects(const std::vector<HeapRange>& ranges, uint32_t first_range) {
  std::vector<stream::TypeLayout> layouts;
  for (const WalkedType& type : walker_->Types()) layouts.push_back(type.Layout());
  stream::ChunkDecoder decoder(layouts, layout_.address_shift);
  std::vector<WalkedObject> objects;
  SpoolBlock block;
  uint32_t next_sequence = 0, last_range = ~uint32_t{0};
  for (uint64_t at = 0; memory_.NextBlock(&at, &block);) {
    next_sequence = block.header.range == last_range ? next_sequence + 1 : 0;
    last_range = block.header.range;
    EXPECT_EQ(block.header.sequence, next_sequence);
    stream::ChunkColumns columns;
    for (size_t i = 0; i < stream::kColumnCount; ++i) columns.column[i] = {block.column[i], block.column_size[i]};
    stream::DecodedChunk chunk;
    const uint32_t alignment = ranges.at(block.header.range - first_range).alignment;
    EXPECT_EQ(decoder.Decode(block.header, columns, alignment, chunk), "");
    Append(chunk, block.header, walker_->Types(), objects);
  }
  return objects;
}

const WalkedType* WalkedHeap::TypeOf(uint64_t method_table) {
  for (const WalkedType& type : walker_->Types()) {
    if (type.method_table == method_table) return &type;
  }
  return nullptr;
}

}  // namespace cairn::collector
