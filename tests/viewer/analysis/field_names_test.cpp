#include "viewer/analysis/field_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/analysis/memory_heap.h"

namespace cairn::analysis::testing {
namespace {

using ::testing::ElementsAre;

// The names of all edges of an object, in order.
std::vector<std::string> NamesOf(const MemoryHeap& heap, uint32_t object) {
  const HeapGraph graph = BuildGraph(heap);
  FieldNames names(graph, heap);
  std::vector<std::string> found;
  for (uint64_t i = 0; i < graph.Targets(ObjectIndex(object)).size(); ++i)
    found.push_back(*names.NameOf({ObjectIndex(object), i}));
  return found;
}

TEST(FieldNames, NullsDoNotShiftNames) {
  MemoryHeap heap;
  const uint32_t node = heap.Class("Node", 48, {8, 16, 24}, {"_a", "_pair.Key", "_c"});
  heap.Object(node, {0, 0, 0});
  heap.Object(node, {kNull, 0, 0});
  heap.Object(node, {0, kNull, 0});
  heap.Finish();
  EXPECT_THAT(NamesOf(heap, 0), ElementsAre("_a", "_pair.Key", "_c"));
  EXPECT_THAT(NamesOf(heap, 1), ElementsAre("_pair.Key", "_c"));
  EXPECT_THAT(NamesOf(heap, 2), ElementsAre("_a", "_c"));
}

TEST(FieldNames, ArraysByIndexAndStructsByIndexAndField) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0}, {""});
  const uint32_t entries = heap.Array("Entry[]", 24, {0, 8}, {"Key", "Value"});
  heap.Object(array, {kNull, 0, kNull, 1}, 4);
  heap.Object(entries, {0, kNull, kNull, kNull, 1, 1}, 3);
  for (const uint32_t slots : {1u, 2u, 100u}) {
    MemoryHeap cut = heap;
    cut.Finish(65536, slots);
    EXPECT_THAT(NamesOf(cut, 0), ElementsAre("[1]", "[3]"));
    EXPECT_THAT(NamesOf(cut, 1), ElementsAre("[0].Key", "[2].Key", "[2].Value"));
  }
}

TEST(FieldNames, ImpliedEdgesAndUnknownSlots) {
  MemoryHeap heap;
  const uint32_t leaf = heap.Class("Leaf", 24), plugin = heap.Class("Plugin", 24, {8}, {""});
  heap.Object(leaf);
  heap.MakeCollectible(plugin, 0);
  heap.Object(plugin, {0});
  heap.Dependent(1, 0);
  heap.Finish();
  EXPECT_THAT(NamesOf(heap, 1), ElementsAre("(offset 8)", "(loader allocator)", "(dependent)"));
}

// Where no element is null, nothing needs to be read; one component more than there are references is no reason to
// believe it.
TEST(SlotReader, KnowsTheSlotsOfArraysWithoutNulls) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0}), pairs = heap.Array("Pair[]", 24, {0, 8});
  heap.Object(array, {0, 1, 2}, 3);
  heap.Object(array, {0, 1, kNull}, 3);
  heap.Object(pairs, {0, 1, 2, 0}, 2);
  heap.Object(pairs, {0, 1, 2, kNull}, 2);
  heap.Finish();
  const HeapGraph graph = BuildGraph(heap);
  const auto known = [&](uint32_t object, uint64_t ordinal) {
    return SlotReader::SlotWithoutReading(graph, {ObjectIndex(object), ordinal});
  };
  EXPECT_EQ(known(0, 2), 2u);
  EXPECT_EQ(known(1, 1), std::nullopt);
  EXPECT_EQ(known(2, 3), 3u);
  EXPECT_EQ(known(3, 0), std::nullopt);
}

TEST(SlotReader, ReadsWholeArraysWithNullsUpToALimit) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0});
  heap.Object(array, {kNull, 0, kNull, 0, kNull}, 5);
  heap.Finish(65536, 2);
  const HeapGraph graph = BuildGraph(heap);
  SlotReader reader(graph, heap);
  const uint64_t self = heap.AddressOf(0);
  const ObjectSlots all = *reader.Read(ObjectIndex(0), 100);
  EXPECT_THAT(all.targets, ElementsAre(0, self, 0, self, 0));
  EXPECT_EQ(all.length, 5u);
  const ObjectSlots some = *reader.Read(ObjectIndex(0), 3);
  EXPECT_THAT(some.targets, ElementsAre(0, self, 0));
  EXPECT_EQ(some.total, 5u);
}

// Counts what its cursors read.
class CountingSource : public ChunkSource {
 public:
  explicit CountingSource(const MemoryHeap& heap) : heap_(heap) {}

  const snapshot::Summary& GetSummary() const override { return heap_.GetSummary(); }
  const std::vector<snapshot::ChunkInfo>& Chunks() const override { return heap_.Chunks(); }
  Result<std::unique_ptr<ChunkCursor>> NewCursor() const override {
    return std::make_unique<Cursor>(*heap_.NewCursor(), reads_);
  }
  uint64_t Reads() const { return reads_; }

 private:
  class Cursor : public ChunkCursor {
   public:
    Cursor(std::unique_ptr<ChunkCursor> cursor, uint64_t& reads) : cursor_(std::move(cursor)), reads_(reads) {}
    Status Read(size_t chunk, stream::DecodedChunk& out) override {
      ++reads_;
      return cursor_->Read(chunk, out);
    }
    Status ReadSlotMap(size_t chunk, stream::SlotMap& out) override {
      ++reads_;
      return cursor_->ReadSlotMap(chunk, out);
    }
    Status ReadContents(size_t chunk, const stream::DecodedChunk& objects, stream::DecodedContents& out) override {
      return cursor_->ReadContents(chunk, objects, out);
    }
    Result<std::vector<snapshot::Field>> Fields(uint32_t type) override { return cursor_->Fields(type); }

   private:
    std::unique_ptr<ChunkCursor> cursor_;
    uint64_t& reads_;
  };

  const MemoryHeap& heap_;
  mutable uint64_t reads_ = 0;
};

// 64 slots in chunks of 8, every other one null. What comes in the worst order is read in the order of the file.
TEST(SlotReader, ReadsEachChunkOfAnArrayOnceForAllItsEdges) {
  MemoryHeap heap;
  const uint32_t array = heap.Array("Object[]", 8, {0});
  std::vector<int64_t> elements;
  for (int i = 0; i < 64; ++i) elements.push_back(i % 2 == 0 ? int64_t{kNull} : 0);
  heap.Object(array, elements, 64);
  heap.Finish(65536, 8);
  const HeapGraph graph = BuildGraph(heap);
  const CountingSource source(heap);
  std::vector<EdgeRef> edges;
  for (uint64_t ordinal = 32; ordinal-- > 0;) edges.push_back({ObjectIndex(0), (ordinal * 7) % 32});
  Work work;
  const std::vector<uint64_t> slots = *SlotsOf(graph, source, edges, 1, work);
  for (size_t i = 0; i < edges.size(); ++i) EXPECT_EQ(slots[i], 2 * edges[i].ordinal + 1);
  EXPECT_LE(source.Reads(), heap.Chunks().size());
}

}  // namespace
}  // namespace cairn::analysis::testing
