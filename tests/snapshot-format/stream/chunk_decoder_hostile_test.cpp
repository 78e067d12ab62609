// What a hostile or damaged chunk does to the decoder: a sentence, never a crash.

#include <gtest/gtest.h>

#include <random>

#include "tests/snapshot-format/stream/chunk_cases.h"

namespace cairn::stream {
namespace {

class HostileChunkTest : public ::testing::Test {
 protected:
  HostileChunkTest() {
    heap_.types = {
        {.base_size = 32, .fixed_slots = 2},
        {.base_size = 24, .component_size = 8, .element_slots = 1},
        {.base_size = 22, .component_size = 2},
        {.component_size = 1, .explicit_slots = true},
    };
    Append(heap_, 0).targets = {{0, 0x10000}};
    Append(heap_, 1, 3, 0, 8).targets = {{1, 0x10003}};
    Append(heap_, 2, 5);
    Append(heap_, 3, 40, 2).targets = {{0, 0x10000}};
    chunk_ = EncodeHeap(heap_).at(0);
  }

  std::string Decode() { return Decode(chunk_); }
  std::string Decode(const EncodedChunk& chunk) {
    return ChunkDecoder(heap_.types, heap_.unit_shift).Decode(chunk.header, chunk.Columns(), heap_.alignment, decoded_);
  }
  std::string DecodeSlotMap() { return DecodeSlotMap(chunk_); }
  std::string DecodeSlotMap(const EncodedChunk& chunk) {
    return ChunkDecoder(heap_.types, heap_.unit_shift)
        .DecodeSlotMap(chunk.header, chunk.Columns(), heap_.alignment, map_);
  }
  void Set(ColumnKind kind, std::vector<uint8_t> bytes) { chunk_.Column(kind) = std::move(bytes); }
  // The chunk continues the array of slots 10 to 12.
  void Continue() {
    chunk_.header.continued_object = 0x8000;
    chunk_.header.continued_type = 1;
    chunk_.header.continued_slot = 10;
    chunk_.header.continued_slots = 3;
    chunk_.header.slot_count += 3;
    chunk_.Column(ColumnKind::kReferences).insert(chunk_.Column(ColumnKind::kReferences).begin(), 3 * 4);  // nulls
  }

  Heap heap_;
  EncodedChunk chunk_;
  DecodedChunk decoded_;
  SlotMap map_;
};

TEST_F(HostileChunkTest, TheChunkItselfIsFine) {
  EXPECT_EQ(Decode(), "");
  Continue();
  EXPECT_EQ(Decode(), "");
  EXPECT_EQ(decoded_.first_slot[0], 3u);
}

TEST_F(HostileChunkTest, EveryCountOfTheHeaderIsChecked) {
  const ChunkHeader good = chunk_.header;
  const auto wrong = [&](auto change) {
    chunk_.header = good;
    change(chunk_.header);
    return Decode();
  };
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.object_count = 65537; }), "the chunk claims too many objects: 65537");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.slot_count = 393217; }), "the chunk claims too many slots: 393217");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.object_count = 5; }), "the types column ends or is malformed at object 4");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.object_count = 3; }), "bytes are left over in the types column");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.slot_count = 8; }),
            "the chunk has more slots than its objects, of which there are 7");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.slot_count = 3; }), "the chunk has fewer slots than are needed by object 1");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.end_address += 8; }), "the last object does not end where the header says");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.first_address += 1; }), "the first object lies at an unaligned address");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.first_address = 0xFFFFFFFFFFFFFFF0; }),
            "the address space ends within object 0");
}

TEST_F(HostileChunkTest, EveryPartOfAContinuationIsChecked) {
  Continue();
  const ChunkHeader good = chunk_.header;
  const auto wrong = [&](auto change) {
    chunk_.header = good;
    change(chunk_.header);
    return Decode();
  };
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_object = 0; }), "the chunk continues an array by halves");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_slots = 0; }), "the chunk continues an array by halves");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_slots = 11; }), "the chunk continues more slots than it has");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_object = 0x8004; }),
            "the continued array lies at an unaligned address");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_type = 4; }), "the continued array has the unknown type 4");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_type = 0; }), "the continued object is of fixed size, type 0");
  EXPECT_EQ(wrong([](ChunkHeader& h) { h.continued_type = 2; }), "the continued array is of a type without slots");
}

TEST_F(HostileChunkTest, EveryColumnIsCheckedAgainstItsEnd) {
  for (const ColumnKind kind : kObjectColumns) {
    const std::vector<uint8_t> good = chunk_.Column(kind);
    for (size_t cut = 0; cut < good.size(); ++cut) {
      chunk_.Column(kind).assign(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_NE(Decode(), "") << "column " << int(kind) << " cut at " << cut;
      EXPECT_EQ(DecodeSlotMap() == "", kind == ColumnKind::kGaps) << "column " << int(kind) << " cut at " << cut;
    }
    chunk_.Column(kind) = good;
    chunk_.Column(kind).push_back(0);
    EXPECT_NE(Decode(), "") << "column " << int(kind) << " with one byte more";
    EXPECT_EQ(DecodeSlotMap() == "", kind == ColumnKind::kGaps) << "column " << int(kind) << " with one byte more";
    chunk_.Column(kind) = good;
  }
}

TEST_F(HostileChunkTest, TypesColumn) {
  Set(ColumnKind::kTypes, {0, 4, 2, 3});
  EXPECT_EQ(Decode(), "an unknown type is named by object 1");
  Set(ColumnKind::kTypes, {0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 2, 3});
  EXPECT_EQ(Decode(), "an unknown type is named by object 1");
}

TEST_F(HostileChunkTest, LengthsColumn) {
  const auto with_length = [](uint64_t length) {
    uint8_t bytes[kMaxVarintBytes];
    std::vector<uint8_t> column(bytes, PutVarint(bytes, length));
    column.insert(column.end(), {5, 40, 2});
    return column;
  };
  Set(ColumnKind::kLengths, with_length(~0ull));
  EXPECT_EQ(Decode(), "the size is 0 or leaves 64 bits in object 1");
  Set(ColumnKind::kLengths, with_length((~0ull - 24) / 8));
  EXPECT_EQ(Decode(), "the size is 0 or leaves 64 bits in object 1");
  Set(ColumnKind::kLengths, with_length(1ull << 60));
  EXPECT_NE(Decode(), "");
  heap_.types[1].element_slots = 3;
  Set(ColumnKind::kLengths, with_length(1ull << 63));
  EXPECT_EQ(Decode(), "the length leaves 64 bits in object 1");
}

TEST_F(HostileChunkTest, ObjectsWithoutASizeAreRefused) {
  Set(ColumnKind::kLengths, {3, 5, 0, 2});
  EXPECT_EQ(Decode(), "the size is 0 or leaves 64 bits in object 3");
}

TEST_F(HostileChunkTest, GapsColumn) {
  Set(ColumnKind::kGaps, {0, 1});
  EXPECT_EQ(Decode(), "the gaps column is malformed at its start");
  Set(ColumnKind::kGaps, {1, 0});
  EXPECT_EQ(Decode(), "the gaps column is malformed at its start");
  Set(ColumnKind::kGaps, {1, 1, 0, 1});
  EXPECT_EQ(Decode(), "the gaps column is malformed after object 1");
  Set(ColumnKind::kGaps, {1, 1, 9, 1});
  EXPECT_EQ(Decode(), "a gap is left over in the gaps column");
  Set(ColumnKind::kGaps, {1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F});
  EXPECT_EQ(Decode(), "a gap leaves the address space before object 1");
}

TEST_F(HostileChunkTest, ReferencesColumn) {
  Set(ColumnKind::kReferences, {0});
  EXPECT_EQ(Decode(), "a run of nulls does not fit at slot 0 of the chunk");
  Set(ColumnKind::kReferences, {8 * 4});
  EXPECT_EQ(Decode(), "a run of nulls does not fit at slot 0 of the chunk");
  Set(ColumnKind::kReferences, {7 * 4});
  EXPECT_EQ(Decode(), "");
  Set(ColumnKind::kReferences, {7 * 4, 4});
  EXPECT_EQ(Decode(), "bytes are left over in the references column");
  Set(ColumnKind::kReferences, {2});
  EXPECT_EQ(Decode(), "a null target is written as a reference at slot 0 of the chunk");
  Set(ColumnKind::kReferences, {7, 1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(Decode(), "an unaligned target is malformed at slot 0 of the chunk");
  Set(ColumnKind::kReferences, {3, 8, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(Decode(), "an aligned target is marked unaligned at slot 0 of the chunk");
  Set(ColumnKind::kReferences, {1});
  EXPECT_EQ(Decode(), "the references column ends or is malformed at slot 1 of the chunk");
}

TEST_F(HostileChunkTest, SlotMapsCheckWhatTheyRead) {
  const EncodedChunk good = chunk_;
  const auto wrong = [&](auto change) {
    chunk_ = good;
    change();
    return DecodeSlotMap();
  };
  const auto references = [&](std::vector<uint8_t> bytes) {
    return wrong([&] { Set(ColumnKind::kReferences, std::move(bytes)); });
  };
  EXPECT_EQ(wrong([&] { chunk_.header.object_count = 65537; }), "the chunk claims too many objects: 65537");
  EXPECT_EQ(wrong([&] { chunk_.header.slot_count = 393217; }), "the chunk claims too many slots: 393217");
  EXPECT_EQ(wrong([&] { chunk_.header.slot_count = 8; }),
            "the chunk has more slots than its objects, of which there are 7");
  EXPECT_EQ(wrong([&] { chunk_.header.slot_count = 3; }), "the chunk has fewer slots than are needed by object 1");
  EXPECT_EQ(wrong([&] { Set(ColumnKind::kTypes, {0, 4, 2, 3}); }), "an unknown type is named by object 1");
  EXPECT_EQ(wrong([&] { Set(ColumnKind::kLengths, {3, 5, 40, 2, 1}); }), "bytes are left over in the lengths column");
  EXPECT_EQ(references({8 * 4}), "a run of nulls does not fit at slot 0 of the chunk");
  EXPECT_EQ(references({0}), "a run of nulls does not fit at slot 0 of the chunk");
  EXPECT_EQ(references({7 * 4}), "");
  EXPECT_EQ(references({7 * 4, 4}), "bytes are left over in the references column");
  EXPECT_EQ(references({7, 1, 0, 0, 0, 0, 0, 0, 0}), "an unaligned target is malformed at slot 0 of the chunk");
  EXPECT_EQ(references({1}), "the references column ends or is malformed at slot 1 of the chunk");
}

TEST_F(HostileChunkTest, OnlyAnArrayMayLackSlotsAtTheEnd) {
  Heap heap = heap_;
  heap.objects.clear();
  Append(heap, 0).targets = {{0, 0x10000}};
  EncodedChunk chunk = EncodeHeap(heap).at(0);
  chunk.header.slot_count = 1;
  chunk.Column(ColumnKind::kReferences).pop_back();
  EXPECT_EQ(Decode(chunk), "the chunk has fewer slots than are needed by object 0");
}

TEST_F(HostileChunkTest, ImpossibleAlignmentsAreRefused) {
  for (const uint32_t alignment : {0u, 4u, 12u}) {
    heap_.alignment = alignment;
    EXPECT_EQ(Decode(), "the range has the impossible alignment " + std::to_string(alignment));
  }
}

// A decoder is used for many chunks; what one leaves must not matter to the next.
TEST_F(HostileChunkTest, DecoderIsAsGoodAsNewAfterAnError) {
  ChunkDecoder decoder(heap_.types, heap_.unit_shift);
  EncodedChunk bad = chunk_;
  bad.Column(ColumnKind::kReferences).pop_back();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(decoder.Decode(bad.header, bad.Columns(), 8, decoded_), "");
    EXPECT_EQ(decoder.Decode(chunk_.header, chunk_.Columns(), 8, decoded_), "");
    EXPECT_EQ(decoded_.targets, (std::vector<uint64_t>{0x10000, 0, 0, 0x10003, 0, 0x10000, 0}));
  }
}

TEST_F(HostileChunkTest, RandomDamageNeverCrashesAndNeverBreaksTheResult) {
  std::mt19937_64 random(20260101);
  Continue();
  for (int round = 0; round < 50000; ++round) {
    EncodedChunk damaged = chunk_;
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      std::vector<uint8_t>& column = damaged.column[random() % kColumnCount];
      if (!column.empty()) column[random() % column.size()] ^= static_cast<uint8_t>(1 << random() % 8);
    }
    const bool is_mapped = DecodeSlotMap(damaged).empty();
    if (!Decode(damaged).empty()) continue;
    ASSERT_TRUE(is_mapped);
    ASSERT_EQ(map_.first_slot, decoded_.first_slot);
    ASSERT_EQ(decoded_.types.size(), damaged.header.object_count);
    ASSERT_EQ(decoded_.first_slot.back(), decoded_.targets.size());
    for (size_t i = 0; i < decoded_.types.size(); ++i) {
      ASSERT_LT(decoded_.types[i], heap_.types.size());
      ASSERT_LE(decoded_.first_slot[i], decoded_.first_slot[i + 1]);
    }
  }
}

}  // namespace
}  // namespace cairn::stream
