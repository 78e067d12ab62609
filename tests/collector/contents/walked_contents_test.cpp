// What a walk keeps of objects in laid memory, decoded again.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "collector/contents/content_plan.h"
#include "snapshot-format/stream/contents_decoder.h"
#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

class WalkedContents : public ::testing::Test {
 protected:
  WalkedContents() {
    plan_.hashes = true;
    plan_.salt = {0x0123456789ABCDEF, 0xFEDCBA9876543210};
  }
  static LayoutPolicy Keeping(const ContentPlan& plan) {
    LayoutPolicy layout = X64Layout(10);
    layout.contents = &plan;
    return layout;
  }

  uint64_t Text(uint64_t string, const std::u16string& text) {
    const uint64_t object = heap_.Object(string, text.size());
    std::memcpy(reinterpret_cast<void*>(object + 12), text.data(), text.size() * 2);
    return object;
  }
  // One per object, in order.
  std::vector<stream::ObjectContents> Walk() {
    ranges_ = {heap_.EndRange()};
    EXPECT_EQ(walked_.Walk(ranges_).problem_count, 0u);
    std::vector<stream::TypeLayout> layouts;
    for (const WalkedType& type : walked_.Walker().Types()) layouts.push_back(type.Layout());
    uint64_t at = 0;
    SpoolBlock block;
    EXPECT_TRUE(walked_.Memory().NextBlock(&at, &block));
    stream::ChunkColumns columns;
    for (size_t i = 0; i < stream::kColumnCount; ++i) columns.column[i] = {block.column[i], block.column_size[i]};
    stream::DecodedChunk objects;
    EXPECT_EQ(stream::ChunkDecoder(layouts, 3).Decode(block.header, columns, 8, objects), "");
    EXPECT_EQ(stream::DecodeContents(layouts, columns, objects, decoded_), "");
    std::vector<stream::ObjectContents> contents;
    for (size_t i = 0; i < objects.types.size(); ++i) contents.push_back(decoded_.Of(i));
    return contents;
  }

  ContentPlan plan_;
  LayoutPolicy layout_ = Keeping(plan_);
  HeapBuilder heap_{layout_};
  WalkedHeap walked_{layout_};
  std::vector<HeapRange> ranges_;
  stream::DecodedContents decoded_;
};

std::vector<int64_t> ValuesOf(const stream::ObjectContents& contents) {
  return {contents.values.begin(), contents.values.end()};
}

TEST_F(WalkedContents, HashesOfStringsAndArraysWithoutReferences) {
  const uint64_t string = heap_.String(), bytes = heap_.PrimitiveArray(1), references = heap_.ReferenceArray();
  heap_.BeginRange(stream::Generation::kGen2);
  Text(string, u"leak");
  Text(string, u"leak");
  Text(string, u"leaf");
  heap_.Object(bytes, 65536);
  heap_.Object(bytes, 65537);
  heap_.Object(references, 2);
  const auto contents = Walk();
  ASSERT_EQ(contents.size(), 6u);
  const std::u16string leak = u"leak";
  EXPECT_EQ(contents[0].hash, ContentHash(reinterpret_cast<const uint8_t*>(leak.data()), 8, plan_.salt));
  EXPECT_EQ(contents[1].hash, contents[0].hash);
  EXPECT_NE(contents[2].hash, contents[0].hash);
  EXPECT_NE(contents[3].hash, 0u);
  EXPECT_EQ(contents[4].hash, 0u);  // too long
  EXPECT_EQ(contents[5].hash, 0u);
  EXPECT_FALSE(contents[0].has_text);
}

TEST_F(WalkedContents, TextsAreCutWhereTheyAreLong) {
  plan_.texts = true;
  const uint64_t string = heap_.String();
  heap_.BeginRange(stream::Generation::kGen2);
  Text(string, u"");
  Text(string, u"l\u00E4k");
  Text(string, std::u16string(1024, u'x'));
  Text(string, std::u16string(1025, u'\u20AC'));
  const auto contents = Walk();
  EXPECT_TRUE(contents[0].has_text);
  EXPECT_EQ(contents[0].text, "");
  EXPECT_EQ(contents[1].text, "l\xC3\xA4k");
  EXPECT_EQ(contents[2].text, std::string(1024, 'x'));
  EXPECT_FALSE(contents[2].text_cut);
  EXPECT_EQ(contents[3].text.size(), 3072u);  // three bytes each
  EXPECT_TRUE(contents[3].text_cut);
}

TEST_F(WalkedContents, ValuesOfTheShape) {
  const uint64_t list = heap_.Class(32, {{8, 1}}), other = heap_.Class(32, {{8, 1}});
  const uint32_t slots[] = {stream::Packed({16, 4}), stream::Packed({20, 1})};
  plan_.shapes.Add(list, {slots, {}});
  plan_.shapes.Add(other, {});
  plan_.shapes.Close();
  heap_.BeginRange(stream::Generation::kGen2);
  heap_.Poke(heap_.Object(list) + 16, 0x0000'0001'FFFF'FFFE);  // -2, 1
  heap_.Poke(heap_.Object(other) + 16, 77);
  heap_.Poke(heap_.Object(list) + 16, 0x0000'00FF'0000'0005);  // 5, -1
  const auto contents = Walk();
  EXPECT_EQ(ValuesOf(contents[0]), (std::vector<int64_t>{-2, 1}));
  EXPECT_EQ(ValuesOf(contents[1]), std::vector<int64_t>());
  EXPECT_EQ(ValuesOf(contents[2]), (std::vector<int64_t>{5, -1}));
}

// 48 bytes: header, MethodTable, a word, a reference, a word, a reference: four values of 4 bytes.
TEST_F(WalkedContents, AllValuesAreAllThatIsNoReference) {
  plan_.values = true;
  const uint64_t type = heap_.Class(48, {{16, 1}, {32, 1}});
  heap_.BeginRange(stream::Generation::kGen2);
  const uint64_t object = heap_.Object(type);
  heap_.Poke(object + 8, 0xFFFF'FFFF'0000'0003);
  heap_.Poke(object + 24, 0x0000'0009'0000'0007);
  const auto contents = Walk();
  EXPECT_EQ(ValuesOf(contents[0]), (std::vector<int64_t>{3, -1, 7, 9}));
  const WalkedType& walked = *walked_.TypeOf(type);
  ASSERT_EQ(walked.value_slot_count, 4u);
  const uint32_t offsets[] = {8, 12, 24, 28};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(stream::UnpackedValueSlot(walked.value_slots[i]).offset, offsets[i]);
    EXPECT_EQ(stream::UnpackedValueSlot(walked.value_slots[i]).bytes, 4u);
  }
}

TEST_F(WalkedContents, CodeOfDelegatesByBothPasses) {
  const uint64_t delegate = heap_.Class(48, {{8, 1}});
  const uint32_t slots[] = {stream::Packed({16, 8}), stream::Packed({24, 8})};
  plan_.shapes.Add(delegate, {slots, {16, 24}});
  plan_.shapes.Close();
  heap_.BeginRange(stream::Generation::kGen2);
  for (uint64_t code : {0x7000u, 0x7000u, 0x9000u}) {
    const uint64_t object = heap_.Object(delegate);
    heap_.Poke(object + 16, code);
    heap_.Poke(object + 24, code == 0x9000 ? 0xA000 : 0);
  }
  const auto code_of = [](const HeapWalker& walker) {
    std::vector<uint64_t> code;
    walker.Code().ForEach([&](uint64_t address) { code.push_back(address); });
    std::sort(code.begin(), code.end());
    return code;
  };
  const auto contents = Walk();
  EXPECT_EQ(ValuesOf(contents[2]), (std::vector<int64_t>{0x9000, 0xA000}));
  EXPECT_EQ(code_of(walked_.Walker()), (std::vector<uint64_t>{0x7000, 0x9000, 0xA000}));
  WalkedHeap counted(layout_);
  ASSERT_EQ(counted.Walker().Count(ranges_).problem_count, 0u);
  EXPECT_EQ(code_of(counted.Walker()), (std::vector<uint64_t>{0x7000, 0x9000, 0xA000}));
}

}  // namespace
}  // namespace cairn::collector
