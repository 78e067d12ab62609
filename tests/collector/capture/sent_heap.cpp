#include "tests/collector/capture/sent_heap.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"

namespace cairn::collector {

namespace {

struct Chunk {
  stream::ChunkHeader header;
  std::vector<uint8_t> raw[stream::kColumnCount];
};

Chunk Unpack(const std::vector<uint8_t>& payload) {
  stream::RecordReader reader(payload);
  protocol::Chunk sent;
  reader(sent);
  EXPECT_TRUE(reader.Ok());
  Chunk chunk;
  chunk.header = {
      sent.range,          sent.sequence,       sent.first_address,   sent.end_address,  sent.continued_object,
      sent.continued_slot, sent.continued_type, sent.continued_slots, sent.object_count, sent.slot_count};
  size_t at = payload.size();
  for (const auto& column : sent.columns) at -= column.raw_size != 0 ? column.compressed_size : 0;
  for (const auto& column : sent.columns) {
    std::vector<uint8_t>& raw = chunk.raw[column.kind - 1];
    raw.resize(column.raw_size);
    if (column.raw_size == 0) continue;
    EXPECT_EQ(ZSTD_decompress(raw.data(), raw.size(), payload.data() + at, column.compressed_size), raw.size());
    at += column.compressed_size;
  }
  return chunk;
}

void Append(const stream::DecodedChunk& chunk, const stream::ChunkHeader& header,
            const std::vector<uint64_t>& method_tables, std::vector<WalkedObject>& objects) {
  if (header.continued_slots != 0) {
    ASSERT_EQ(objects.back().address, header.continued_object);
    ASSERT_EQ(objects.back().targets.size(), header.continued_slot);
    objects.back().targets.insert(objects.back().targets.end(), chunk.targets.begin(),
                                  chunk.targets.begin() + header.continued_slots);
  }
  for (size_t i = 0; i < chunk.types.size(); ++i) {
    WalkedObject object;
    object.range = header.range;
    object.address = chunk.addresses[i];
    object.method_table = method_tables[chunk.types[i]];
    object.size = chunk.sizes[i];
    object.length = chunk.lengths[i];
    object.targets.assign(chunk.targets.begin() + chunk.first_slot[i], chunk.targets.begin() + chunk.first_slot[i + 1]);
    objects.push_back(std::move(object));
  }
}

}  // namespace

std::vector<WalkedObject> ObjectsOf(const std::vector<SentFrame>& frames, std::span<const WalkedType> types,
                                    const TypeRanking& ranking, std::span<const HeapRange> ranges) {
  std::vector<stream::TypeLayout> layouts;
  std::vector<uint64_t> method_tables;
  for (const uint32_t id : ranking.Order()) {
    layouts.push_back(types[id].Layout());
    method_tables.push_back(types[id].method_table);
  }
  // Ranges come in any order, the chunks of each in theirs.
  std::map<std::pair<uint32_t, uint32_t>, Chunk> chunks;
  for (const SentFrame& frame : frames) {
    if (frame.kind != protocol::FrameKind::kChunk) continue;
    Chunk chunk = Unpack(frame.payload);
    const auto key = std::pair(chunk.header.range, chunk.header.sequence);
    EXPECT_TRUE(chunks.emplace(key, std::move(chunk)).second);
  }
  stream::ChunkDecoder decoder(layouts, 3);
  std::vector<WalkedObject> objects;
  for (const auto& [key, chunk] : chunks) {
    stream::ChunkColumns columns;
    for (size_t i = 0; i < stream::kColumnCount; ++i) columns.column[i] = chunk.raw[i];
    stream::DecodedChunk decoded;
    EXPECT_EQ(decoder.Decode(chunk.header, columns, ranges[key.first].alignment, decoded), "");
    Append(decoded, chunk.header, method_tables, objects);
  }
  return objects;
}

MixedHeap::MixedHeap() : builder_(X64Layout(10)) {
  const uint64_t node = builder_.Class(40, {{8, 3}});
  const uint64_t plain = builder_.Class(24);
  const uint64_t array = builder_.ReferenceArray();
  const uint64_t text = builder_.String();
  const uint64_t free = builder_.Free();
  uint64_t last = 0;
  const auto add = [&](uint64_t type, uint64_t length = 0) {
    ++objects;
    return builder_.Object(type, length);
  };
  for (int range = 0; range < 24; ++range) {
    builder_.BeginRange(range % 5 == 0 ? stream::Generation::kLoh : stream::Generation::kGen2);
    for (int i = 0; i < (range + 1) * 700; ++i) {
      const uint64_t object = add(node);
      builder_.Set(object, 8, last);
      builder_.Set(object, 24, object);
      last = object;
      // Types come up in another order in each range.
      if ((i + range) % 7 == 0) add(plain);
      if ((i + range) % 11 == 3) add(text, i % 40);
      if (i % 50 == 0) builder_.Object(free, 16);
    }
    if (range % 8 != 3) {
      ranges.push_back(builder_.EndRange());
      continue;
    }
    const uint64_t big = add(array, 300'000);  // more than the 262,144 slots of a chunk
    for (int i = 0; i < 300'000; i += 1 + i % 3) builder_.Set(big, 16 + 8 * i, last);
    ranges.push_back(builder_.EndRange());
  }
}

}  // namespace cairn::collector
