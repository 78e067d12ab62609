#include "snapshot-format/testing/snapshot_builder.h"

#include <gtest/gtest.h>

#include "snapshot-format/file/verifier.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::snapshot::testing {
namespace {

class SnapshotBuilderTest : public ::testing::Test {
 protected:
  std::unique_ptr<SnapshotReader> WriteAndOpen(SnapshotBuilder& builder) {
    const auto written = builder.Write(path_);
    EXPECT_TRUE(written) << written.error().message;
    if (!written) return nullptr;
    auto reader = SnapshotReader::Open(path_);
    EXPECT_TRUE(reader) << reader.error().message;
    return reader ? std::move(*reader) : nullptr;
  }
  void ExpectVerified(SnapshotReader& reader) {
    const auto report = Verify(reader);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->errors, std::vector<std::string>());
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.File("built.cairn");
};

TEST_F(SnapshotBuilderTest, LaysOutObjectsAsDotNetDoesOn64Bit) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node", {"next", "value", "extra"}, 4);
  const uint32_t text = builder.String();
  const uint32_t array = builder.ReferenceArray("Node[]");
  builder.Object("a", node, {"b"});
  builder.Array("s", text, 5);
  builder.Gap(40);
  builder.Array("all", array, 3, {"a", nullptr, "b"});
  builder.Object("b", node, {nullptr, "a"});
  builder.Root(RootKind::kStatic, "all", "Shop.All");
  const auto reader = WriteAndOpen(builder);
  ASSERT_NE(reader, nullptr);

  // a at the first range's start: header 8 + MethodTable 8 + 3 slots of 8 + data 4 = 44, aligned 48.
  EXPECT_EQ(builder.AddressOf("a"), 0x7F0000001000u);
  // s: 22 + 2 × 5 = 32.
  EXPECT_EQ(builder.AddressOf("s"), 0x7F0000001000u + 48);
  // all: behind a gap of 40; 24 + 3 × 8 = 48.
  EXPECT_EQ(builder.AddressOf("all"), 0x7F0000001000u + 48 + 32 + 40);
  EXPECT_EQ(builder.AddressOf("b"), 0x7F0000001000u + 48 + 32 + 40 + 48);
  const Summary& summary = reader->Summary();
  EXPECT_EQ(summary.totals.objects, 4u);
  EXPECT_EQ(summary.totals.bytes, 48u + 32 + 48 + 48);
  EXPECT_EQ(summary.totals.edges, 4u);
  EXPECT_EQ(summary.totals.free_bytes, 40u);
  EXPECT_EQ(summary.types[node].objects, 2u);
  EXPECT_EQ(summary.types[node].bytes, 96u);
  EXPECT_EQ(summary.roots[0].object, builder.AddressOf("all"));
  ExpectVerified(*reader);
}

TEST_F(SnapshotBuilderTest, LaysOutObjectsAsDotNetDoesOn32Bit) {
  SnapshotBuilder builder;
  builder.SetPointerSize(4);
  const uint32_t node = builder.Class("Node", {"next", "value"});
  const uint32_t bytes = builder.StructArray("System.Byte[]", 1);
  builder.Object("a", node, {"a"});  // 4 + 4 + 2 × 4 = 16
  builder.Array("x", bytes, 1);      // 12 + 1, aligned to 4: 16
  builder.Object("b", node, {"x"});
  builder.Range(Generation::kLoh);
  builder.Array("y", bytes, 1);  // in the large heap aligned to 8: 16
  const auto reader = WriteAndOpen(builder);
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(builder.AddressOf("b") - builder.AddressOf("a"), 32u);
  EXPECT_EQ(reader->Summary().ranges[1].length, 16u);
  EXPECT_EQ(reader->Summary().ranges[1].alignment, 8u);
  ExpectVerified(*reader);
}

TEST_F(SnapshotBuilderTest, WritesEveryPartOfASummary) {
  SnapshotBuilder builder;
  const uint32_t plugin = builder.Class("Plugin", {"state"});
  builder.TypeAt(plugin).module = builder.Module("Plugin.dll", true);
  builder.Object("allocator", builder.Class("System.Reflection.LoaderAllocator"));
  builder.LoaderAllocator(plugin, "allocator");
  builder.Object("p", plugin);
  builder.Dependent("p", "allocator");
  const uint32_t thread = builder.Thread("worker", 77, 3);
  builder.AddRoot({.kind = RootKind::kLocal, .name = "Main", .thread = thread, .certain = false}, "p");
  builder.Problem("test.problem", "something is missing");
  const auto reader = WriteAndOpen(builder);
  ASSERT_NE(reader, nullptr);
  const Summary& summary = reader->Summary();
  EXPECT_EQ(summary.types[plugin].loader_allocator, builder.AddressOf("allocator"));
  EXPECT_TRUE(summary.types[plugin].collectible);
  EXPECT_EQ(summary.modules[0].name, "Plugin.dll");
  EXPECT_EQ(summary.dependents[0].secondary, builder.AddressOf("allocator"));
  EXPECT_EQ(summary.roots[0].thread, thread);
  EXPECT_FALSE(summary.roots[0].certain);
  EXPECT_EQ(summary.threads[0].os_id, 77u);
  EXPECT_FALSE(summary.complete);
  EXPECT_EQ(summary.problems[0].code, "test.problem");
  ExpectVerified(*reader);
}

TEST_F(SnapshotBuilderTest, TellsWrongUse) {
  SnapshotBuilder unknown;
  unknown.Object("a", unknown.Class("A", {"x"}), {"nobody"});
  const auto written = unknown.Write(path_);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "SnapshotBuilder: no object is called nobody");

  SnapshotBuilder beyond;
  beyond.Object("a", beyond.Class("A"), {"a"});
  ASSERT_FALSE(beyond.Write(path_));
  EXPECT_EQ(beyond.Write(path_).error().message, "SnapshotBuilder: object 0 has no slot 0");
  EXPECT_EQ(folder_.Names(), std::vector<std::string>());
}

}  // namespace
}  // namespace cairn::snapshot::testing
