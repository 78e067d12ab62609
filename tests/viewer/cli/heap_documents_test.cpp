// heap and contexts: documents, tables and text of a snapshot of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/presentation/csv_reader.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using presentation::testing::ReadCsv;
using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// gen2: 3 things (24 each), 64 free, their list (24 + 8 × 4 = 56), the allocator (24), which is pinned; loh: a buffer
// (24 + 100,000), 4096 free.
class HeapDocuments : public ::testing::Test {
 protected:
  HeapDocuments() {
    const uint32_t thing = builder_.Class("Plugin.Thing"), list = builder_.ReferenceArray("System.Object[]");
    builder_.TypeAt(thing).module = builder_.Module("Plugin.dll", true);
    for (int i = 0; i < 3; ++i) builder_.Object("thing" + std::to_string(i), thing);
    builder_.Gap(64);
    builder_.Array("list", list, 4, {"thing0", "thing1", "thing2"});
    builder_.Object("allocator", builder_.Class("System.Reflection.LoaderAllocator"));
    builder_.Range(Generation::kLoh);
    builder_.Array("", builder_.StructArray("System.Byte[]", 1), 100'000);
    builder_.Gap(4096);
    builder_.LoaderAllocator(thing, "allocator");
    builder_.Root(RootKind::kStatic, "list", "Host.Loaded");
    builder_.Root(RootKind::kHandlePinned, "allocator");
    if (!builder_.Write(folder_.File("a.cairn"))) throw std::runtime_error("not written");
  }

  std::string Path() const { return folder_.File("a.cairn"); }
  json Document(const std::string& command) const {
    return CheckedDocument(RunCairn({command, Path(), "--json"}), 0, command);
  }

  snapshot::testing::TemporaryFolder folder_;
  SnapshotBuilder builder_;
};

TEST_F(HeapDocuments, Heap) {
  const json heap = Document("heap");
  ASSERT_EQ(heap["ranges"].size(), 2u);
  const json& gen2 = heap["ranges"][0];
  EXPECT_EQ(gen2["generation"], "gen2");
  EXPECT_EQ(gen2["length"], 3 * 24 + 64 + 56 + 24);
  EXPECT_EQ(gen2["bytes"], 3 * 24 + 56 + 24);
  EXPECT_EQ(gen2["free_bytes"], 64);
  EXPECT_EQ(gen2["largest_free"], 64);
  EXPECT_EQ(gen2["pinned_objects"], 1);
  EXPECT_EQ(heap["ranges"][1]["largest_free"], 4096);
  EXPECT_EQ(heap["gaps"].size(), 6u);
  EXPECT_EQ(heap["gaps"][0]["bytes"], 64);
  EXPECT_EQ(heap["gaps"][2]["bytes"], 4096);
}

TEST_F(HeapDocuments, HeapAsTextAndCsv) {
  const Outcome text = RunCairn({"heap", Path()});
  EXPECT_THAT(text.out, HasSubstr("Generation  Ranges"));
  EXPECT_THAT(text.out, HasSubstr("3.9 %"));  // 4096 of 24 + 100,000 + 4096
  const auto rows = ReadCsv(RunCairn({"heap", Path(), "--csv"}).out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].front(), "start");
  EXPECT_EQ(rows[0].back(), "pinned_objects");
}

TEST_F(HeapDocuments, Contexts) {
  const json contexts = Document("contexts")["contexts"];
  ASSERT_EQ(contexts.size(), 1u);
  const json& context = contexts[0];
  EXPECT_EQ(context["name"], "Plugin.dll");
  EXPECT_EQ(context["kind"], "loader-allocator");
  EXPECT_EQ(context["object"], 4);
  EXPECT_EQ(context["assemblies"], json::parse(R"(["Plugin.dll"])"));
  EXPECT_EQ(context["objects"], 3);
  EXPECT_EQ(context["bytes"], 72);
  ASSERT_EQ(context["holders"].size(), 2u);
  EXPECT_EQ(context["holders"][0]["path"], "Host.Loaded → [0] → (loader allocator)");
  EXPECT_EQ(context["holders"][1]["root"]["kind"], "handle-pinned");
}

TEST_F(HeapDocuments, ContextsAsTextAndCsv) {
  EXPECT_EQ(RunCairn({"contexts", Path()}).out,
            "Plugin.dll  @4 System.Reflection.LoaderAllocator\n"
            "  3 objects of its types, 72 bytes; retains 24 bytes\n"
            "  held by static Host.Loaded\n"
            "    Host.Loaded → [0] → (loader allocator)\n"
            "  held by handle-pinned\n"
            "    (handle-pinned)\n");
  EXPECT_EQ(ReadCsv(RunCairn({"contexts", Path(), "--csv"}).out).size(), 3u);
}

}  // namespace
}  // namespace cairn::cli::testing
