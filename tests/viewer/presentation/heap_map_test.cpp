#include "viewer/presentation/layouts/heap_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::presentation {
namespace {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;

class HeapMaps : public ::testing::Test {
 protected:
  ~HeapMaps() override { std::filesystem::remove(path_); }

  HeapMap MapOf(SnapshotBuilder& builder, size_t most) {
    if (!builder.Write(path_)) ADD_FAILURE();
    const auto session = session::SnapshotSession::Open(path_);
    analysis::Work work;
    auto map = MapHeap(**session, work, most);
    if (!map) ADD_FAILURE() << map.error().message;
    return map ? std::move(*map) : HeapMap();
  }

  std::string path_ =
      (std::filesystem::temp_directory_path() / ("cairn-heap-map-" + std::to_string(getpid()))).string();
};

TEST_F(HeapMaps, SharesObjectsOutAmongTheCells) {
  SnapshotBuilder builder;
  const uint32_t blob = builder.StructArray("System.Byte[]", 1);
  builder.Range(Generation::kLoh, 0x10000000);
  builder.Array("big", blob, 5976);  // 24 and 5976: 6000 bytes, of which 1904 lie in the second cell of 4096
  builder.Gap(1000);
  builder.Array("lost", blob, 976);  // 1000 bytes from 7000 on
  builder.Range(Generation::kGen0, 0x20000000);
  builder.Array("small", blob, 76);  // 100, padded to 104
  builder.Root(RootKind::kHandlePinned, "big");
  builder.Root(RootKind::kStatic, "small", "S.F");
  const HeapMap map = MapOf(builder, 100);
  EXPECT_EQ(map.bytes_per_cell, 4096u);
  ASSERT_EQ(map.strips.size(), 2u);
  EXPECT_EQ(map.strips[0].name, "gen0");
  EXPECT_EQ(map.strips[1].name, "loh");
  const auto& cells = map.strips[1].cells;
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].address, 0x10000000u);
  EXPECT_EQ(cells[0].reachable, 4096u);
  EXPECT_EQ(cells[0].free, 0u);
  EXPECT_EQ(cells[0].pinned, 1u);
  EXPECT_EQ(cells[1].reachable, 1904u);
  EXPECT_EQ(cells[1].free, 1000u);
  EXPECT_EQ(cells[1].unreachable, 1000u);
  EXPECT_EQ(cells[1].pinned, 0u);
  ASSERT_EQ(map.strips[0].cells.size(), 1u);
  EXPECT_EQ(map.strips[0].cells[0].Bytes(), 104u);
}

TEST_F(HeapMaps, MakesCellsLargerUntilTheyAreFewEnough) {
  SnapshotBuilder builder;
  const uint32_t blob = builder.StructArray("System.Byte[]", 1);
  builder.Range(Generation::kGen2, 0x10000000);
  builder.Array("big", blob, (1 << 20) - 24);  // 1 MiB: 256 cells of 4 KiB
  builder.Range(Generation::kGen2, 0x10100000);
  builder.Array("next", blob, 76);  // right behind, in a cell of its own
  const HeapMap map = MapOf(builder, 16);
  // 64 KiB would make 16 and one more; 128 KiB makes 8 and one more.
  EXPECT_EQ(map.bytes_per_cell, 131'072u);
  ASSERT_EQ(map.strips.size(), 1u);
  EXPECT_EQ(map.strips[0].cells.size(), 9u);
  uint64_t bytes = 0;
  for (const HeapCell& cell : map.strips[0].cells) bytes += cell.Bytes();
  EXPECT_EQ(bytes, (1u << 20) + 104);
}

TEST_F(HeapMaps, RangesOfOneGenerationShareACell) {
  SnapshotBuilder builder;
  const uint32_t blob = builder.StructArray("System.Byte[]", 1);
  for (uint64_t i = 0; i < 40; ++i) {
    builder.Range(Generation::kGen2, 0x10000000 + i * 8192);
    builder.Array("", blob, 76);
  }
  const HeapMap map = MapOf(builder, 10);  // 40 ranges in 320 KiB: 10 cells of 32 KiB
  EXPECT_EQ(map.bytes_per_cell, 32'768u);
  ASSERT_EQ(map.strips[0].cells.size(), 10u);
  for (const HeapCell& cell : map.strips[0].cells) EXPECT_EQ(cell.unreachable, 4 * 104u);
}

TEST_F(HeapMaps, OfAnEmptyHeapThereIsNone) {
  SnapshotBuilder builder;
  EXPECT_TRUE(MapOf(builder, 100).strips.empty());
}

TEST(HeapPicture, BreaksStripsIntoRows) {
  HeapMap map{4096, {{"gen0", "", {{}, {}, {}}}, {"gen2", "", {{}}}}};
  const HeapPicture picture = LayOutHeap(map, 25, 10, 20);  // two cells a row
  EXPECT_EQ(picture.titles, (std::vector<double>{0, 50}));  // a title of 20, two rows of 10, half a title
  ASSERT_EQ(picture.cells.size(), 4u);
  EXPECT_DOUBLE_EQ(picture.cells[2].area.y, 30);
  EXPECT_EQ(CellAt(picture, 15, 25)->cell, 1u);
  EXPECT_EQ(CellAt(picture, 5, 75)->strip, 1u);
  EXPECT_EQ(CellAt(picture, 5, 5), nullptr);
  EXPECT_DOUBLE_EQ(picture.height, 90);
}

// gen0: 0 1 / 2, gen2: 3.
TEST(HeapPicture, KeysGoFromCellToCell) {
  const HeapPicture picture = LayOutHeap({4096, {{"gen0", "", {{}, {}, {}}}, {"gen2", "", {{}}}}}, 25, 10, 20);
  EXPECT_EQ(CellBeside(picture, 0, 1, 0), 1u);
  EXPECT_EQ(CellBeside(picture, 1, 1, 0), 2u);  // into the next row
  EXPECT_EQ(CellBeside(picture, 3, 1, 0), 3u);
  EXPECT_EQ(CellBeside(picture, 0, -1, 0), 0u);
  EXPECT_EQ(CellBeside(picture, 1, 0, 1), 2u);  // there is none below it: the nearest
  EXPECT_EQ(CellBeside(picture, 2, 0, 1), 3u);  // into the next strip
  EXPECT_EQ(CellBeside(picture, 3, 0, 1), 3u);
  EXPECT_EQ(CellBeside(picture, 2, 0, -1), 0u);
  EXPECT_EQ(CellBeside(picture, 1, 0, -1), 1u);
}

}  // namespace
}  // namespace cairn::presentation
