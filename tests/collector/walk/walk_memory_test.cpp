// The mapping of a walk, and the question whether memory can be read.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "collector/walk/pages.h"
#include "tests/collector/walk/heap_builder.h"
#include "tests/collector/walk/walked_heap.h"

namespace cairn::collector {
namespace {

// What this process has of private and shared memory, in pages.
uint64_t ResidentPages() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

uint64_t ResidentPages(const uint8_t* start, uint64_t bytes) {
  std::vector<unsigned char> pages(bytes / 4096);
  EXPECT_EQ(mincore(const_cast<uint8_t*>(start), bytes, pages.data()), 0);
  uint64_t resident = 0;
  for (const unsigned char page : pages) resident += page & 1;
  return resident;
}

TEST(Pages, PopulateMakesResidentAndReleaseGivesBack) {
  constexpr uint64_t kBytes = uint64_t{20} << 20;
  uint8_t* start = pages::Map(kBytes);
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(ResidentPages(start, kBytes), 0u);
  EXPECT_TRUE(pages::Populate(start, kBytes));
  EXPECT_EQ(ResidentPages(start, kBytes), 5120u);
  pages::Release(start, kBytes / 2 + 100);  // the page that is half used stays
  EXPECT_EQ(ResidentPages(start, kBytes), 2560u);
  pages::Unmap(start, kBytes);
}

TEST(Pages, RefusesWhatNoSystemHas) { EXPECT_EQ(pages::Map(size_t{1} << 60), nullptr); }

TEST(Pages, KnowsWhatCanBeReadAndKeepsErrno) {
  uint8_t* start = pages::Map(8192);
  ASSERT_NE(start, nullptr);
  mprotect(start + 4096, 4096, PROT_NONE);
  const auto address = reinterpret_cast<uint64_t>(start);
  errno = 1234;
  EXPECT_TRUE(pages::IsReadable(address, 4096));
  EXPECT_TRUE(pages::IsReadable(address + 4088, 8));
  EXPECT_FALSE(pages::IsReadable(address + 4089, 8));
  EXPECT_FALSE(pages::IsReadable(address, 4097));
  EXPECT_FALSE(pages::IsReadable(address + 4096, 8));
  EXPECT_FALSE(pages::IsReadable(0, 8));
  EXPECT_FALSE(pages::IsReadable(8, 8));
  EXPECT_FALSE(pages::IsReadable(0xFFFFFFFFFFFFFFF0, 32));
  EXPECT_FALSE(pages::IsReadable(0x8000000000000000, 8));
  EXPECT_FALSE(pages::IsReadable(0xFFFFFFFF80000000, 8));
  EXPECT_EQ(errno, 1234);
  pages::Unmap(start, 8192);
}

// Objects of 24 bytes that refer to themselves.
HeapRange TwoChunks(HeapBuilder& heap) {
  const uint64_t node = heap.Class(24, {{8, 1}});
  heap.BeginRange(stream::Generation::kGen2);
  for (uint32_t i = 0; i < 2 * stream::kMaxChunkObjects; ++i) {
    const uint64_t object = heap.Object(node);
    heap.Set(object, 8, object);
  }
  return heap.EndRange();
}

TEST(WalkMemory, MapsTouchesAndFrees) {
  WalkMemory memory;
  EXPECT_FALSE(memory.Touch(4096));
  ASSERT_TRUE(memory.Map(1000000));
  EXPECT_EQ(memory.SpoolCapacity(), 1003520u);  // 245 pages
  EXPECT_TRUE(memory.Touch(1000000));
  EXPECT_TRUE(memory.Touch(uint64_t{1} << 40));  // no more than there is
  EXPECT_EQ(memory.SpoolUsed(), 0u);
  memory.Free();
  EXPECT_FALSE(memory.IsMapped());
  EXPECT_FALSE(memory.Map(uint64_t{1} << 62));
}

// Four tables for 2,048 types and 16,384 slots, and 4,096 buckets of 16 B; of the buffers what a common chunk takes.
TEST(WalkMemory, TablesAndBuffersTakeLittleOfTheTarget) {
  constexpr uint64_t kTables =
      2048 * (sizeof(HotType) + sizeof(WalkedType)) + 16384 * (sizeof(uint32_t) + sizeof(uint64_t)) + 4096 * 16;
  static_assert(kTables < 900'000);
  WalkMemory memory;
  ASSERT_TRUE(memory.Map(uint64_t{64} << 20));
  const uint64_t before = ResidentPages();
  ASSERT_TRUE(memory.TouchTables());
  const uint64_t tables = ResidentPages() - before;
  EXPECT_GE(tables, kTables / 4096);
  EXPECT_LE(tables, kTables / 4096 + 40);
  EXPECT_EQ(memory.SpoolTouched(), 0u);
  ASSERT_TRUE(memory.Touch(1000000));
  EXPECT_EQ(memory.SpoolTouched(), 1003520u);  // 245 pages
  EXPECT_LE(ResidentPages() - before - tables, 245 + (uint64_t{1} << 20) / 4096);
  memory.ReleaseUnused();  // and nothing was written
  EXPECT_LE(ResidentPages() - before, tables + 40);
}

TEST(WalkMemory, TheSpoolIsReachedByThePieceWhenLessWasTouched) {
  const LayoutPolicy layout = X64Layout(10);
  HeapBuilder heap(layout);
  std::vector<HeapRange> ranges = {TwoChunks(heap)};
  WalkMemory memory;
  ASSERT_TRUE(memory.Map(uint64_t{64} << 20));
  HeapWalker walker(layout, memory);
  EXPECT_EQ(walker.Walk(ranges).problem_count, 0u);
  EXPECT_EQ(memory.SpoolUsed(), 2 * 131160u);
  EXPECT_EQ(memory.SpoolTouched(), 1183744u);  // 131,160 + 1 MiB = 1,179,736, in whole pages
}

TEST(WalkMemory, IsNotInAForkedChild) {
  uint8_t* start = pages::Map(4096);
  ASSERT_NE(start, nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(pages::IsReadable(reinterpret_cast<uint64_t>(start), 8) ? 1 : 0);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  pages::Unmap(start, 4096);
}

TEST(WalkMemory, ReleasedBlocksAreGoneAndTheRestStays) {
  const LayoutPolicy layout = X64Layout(10);
  HeapBuilder heap(layout);
  std::vector<HeapRange> ranges = {TwoChunks(heap)};
  WalkedHeap walked(layout);
  ASSERT_EQ(walked.Walk(ranges).chunks, 2u);
  WalkMemory& memory = walked.Memory();
  uint64_t at = 0;
  SpoolBlock first, second;
  ASSERT_TRUE(memory.NextBlock(&at, &first));
  // 88 bytes, a type and a reference to self of one byte each per object.
  EXPECT_EQ(at, 131160u);
  memory.Release(at);
  EXPECT_EQ(first.column[0][100000 - 88 - 88], 0);  // zero pages now
  ASSERT_TRUE(memory.NextBlock(&at, &second));
  EXPECT_EQ(second.header.sequence, 1u);
  EXPECT_EQ(second.column_size[stream::ColumnSlot(stream::ColumnKind::kReferences)], 65536u);
  EXPECT_EQ(second.column[stream::ColumnSlot(stream::ColumnKind::kReferences)][65535], 1);
  EXPECT_FALSE(memory.NextBlock(&at, &second));
}

}  // namespace
}  // namespace cairn::collector
