// A random heap, laid, walked and decoded, has the same objects and the same references.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

using stream::Generation;

// A type and, apart from its GCDesc, where its slots are.
struct RandomType {
  uint64_t method_table = 0;
  bool is_free = false;
  uint32_t base_size = 0, component_size = 0;
  std::vector<uint32_t> slots;  // in the object or in a component
};

RandomType RandomClass(HeapBuilder& heap) {
  RandomType type;
  const uint32_t w = heap.Word();
  const auto words = *rc::gen::inRange<uint32_t>(1, 90);
  std::vector<HeapBuilder::Run> runs;
  for (uint32_t word = 0; word < words;) {
    const auto skip = *rc::gen::inRange<uint32_t>(0, 4), slots = *rc::gen::inRange<uint32_t>(1, 5);
    word += skip;
    if (word + slots > words) break;
    runs.push_back({(1 + word) * w, slots});
    for (uint32_t i = 0; i < slots; ++i) type.slots.push_back((1 + word + i) * w);
    word += slots;
  }
  type.base_size = (2 + words) * w;
  type.method_table = heap.Class(type.base_size, runs);
  return type;
}

RandomType RandomStructArray(HeapBuilder& heap) {
  RandomType type;
  const uint32_t w = heap.Word();
  std::vector<HeapBuilder::Item> items;
  const auto first = *rc::gen::inRange<uint32_t>(0, 3);
  uint32_t word = first;
  for (auto left = *rc::gen::inRange<uint32_t>(1, 4); left > 0; --left) {
    const auto pointers = *rc::gen::inRange<uint32_t>(1, 40), skip = *rc::gen::inRange<uint32_t>(0, 3);
    for (uint32_t i = 0; i < pointers; ++i) type.slots.push_back((word + i) * w);
    items.push_back({pointers, skip * w});
    word += pointers + skip;
  }
  items.back().skip += first * w;  // wraps to the first reference of the next component
  type.base_size = 3 * w;
  type.component_size = word * w;
  type.method_table = heap.StructArray(type.component_size, first * w, items);
  return type;
}

RandomType NextType(HeapBuilder& heap) {
  const uint32_t w = heap.Word();
  RandomType type;
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return RandomStructArray(heap);
    case 1:
      type = {heap.String(), false, 2 * w + 6, 2, {}};
      break;
    case 2:
      type = {heap.Free(), true, 3 * w, 1, {}};
      break;
    case 3:
      type = {heap.ReferenceArray(), false, 3 * w, w, {0}};
      break;
    case 4: {
      const auto component = *rc::gen::inRange<uint32_t>(1, 50);
      type = {heap.PrimitiveArray(component), false, 3 * w, component, {}};
      break;
    }
    default:
      return RandomClass(heap);
  }
  return type;
}

uint64_t RandomTarget(uint64_t object) {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return 0;
    case 1:
      return 4 * uint64_t{*rc::gen::inRange<uint32_t>(1, 0x3FFFFFFF)};
    case 2:
      return *rc::gen::inRange<uint32_t>(1, 0x7FFFFFFF);
    default:
      return object + 8 * *rc::gen::inRange<uint64_t>(0, 100);
  }
}

WalkedObject RandomObject(HeapBuilder& heap, const RandomType& type, uint32_t range) {
  const uint64_t length = type.component_size == 0 ? 0 : *rc::gen::inRange<uint64_t>(0, 30);
  WalkedObject object;
  object.range = range;
  object.address = heap.Object(type.method_table, length);
  object.method_table = type.method_table;
  object.size = heap.At() - object.address;
  object.length = length;
  const bool components = type.component_size != 0;
  for (uint64_t i = 0; i < (components ? length : 1); ++i) {
    for (const uint32_t slot : type.slots) {
      object.targets.push_back(RandomTarget(object.address));
      const uint64_t component = components ? heap.Elements() + i * type.component_size : 0;
      heap.Set(object.address, component + slot, object.targets.back());
    }
  }
  return object;
}

void WalksWhatWasLaid(const LayoutPolicy& layout) {
  HeapBuilder heap(layout, size_t{8} << 20, size_t{1} << 20);
  std::vector<RandomType> types;
  for (auto left = *rc::gen::inRange(1, 12); left > 0; --left) types.push_back(NextType(heap));
  std::vector<HeapRange> ranges;
  std::vector<WalkedObject> expected;
  uint64_t free_objects = 0, edges = 0;
  for (uint32_t range = 0; range < 3; ++range) {
    heap.BeginRange(static_cast<Generation>(*rc::gen::inRange(0, 6)));
    for (auto left = *rc::gen::inRange(0, 60); left > 0; --left) {
      const RandomType& type = types[*rc::gen::inRange<size_t>(0, types.size())];
      WalkedObject object = RandomObject(heap, type, range);
      free_objects += type.is_free;
      for (const uint64_t target : object.targets) edges += target != 0;
      if (!type.is_free) expected.push_back(std::move(object));
    }
    ranges.push_back(heap.EndRange());
  }
  WalkedHeap walked(layout, uint64_t{16} << 20);
  const WalkReport& report = walked.Walk(ranges);
  RC_ASSERT(report.problem_count == 0u);
  RC_ASSERT(report.free_objects == free_objects);
  RC_ASSERT(report.edges == edges);
  const std::vector<WalkedObject> found = walked.Objects(ranges);
  RC_ASSERT(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) RC_ASSERT(found[i] == expected[i]);
}

RC_GTEST_PROP(WalkProperty, X64, ()) { WalksWhatWasLaid(X64Layout(10)); }
RC_GTEST_PROP(WalkProperty, X86, ()) { WalksWhatWasLaid(X86Layout(10)); }

}  // namespace
}  // namespace cairn::collector
