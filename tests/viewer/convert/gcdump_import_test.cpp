#include "viewer/convert/gcdump_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/file/verifier.h"
#include "tests/viewer/convert/converted_sample.h"
#include "tests/viewer/convert/known_dump.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/convert/gcdump_writer.h"
#include "viewer/session/dominance.h"

namespace cairn::convert {
namespace {

using analysis::HeapGraph;
using analysis::ObjectIndex;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const ImportOptions kOptions = {false, "00112233445566778899aabbccddeeff", "2026-05-06T07:08:09Z", "0.1.0"};

std::unique_ptr<session::SnapshotSession> Imported(const GcDump& dump, const std::string& path) {
  const auto converted = ImportGcDump(dump, path, kOptions);
  if (!converted) throw std::runtime_error(converted.error().message);
  auto reader = snapshot::SnapshotReader::Open(path);
  if (!reader) throw std::runtime_error(reader.error().message);
  const auto report = snapshot::Verify(**reader);
  if (!report) throw std::runtime_error(report.error().message);
  EXPECT_THAT(report->errors, IsEmpty());
  return testing::OpenSession(path);
}

// Out as a .gcdump and in again.
std::unique_ptr<session::SnapshotSession> RoundTrip(session::SnapshotSession& session, TemporaryFolder& folder) {
  analysis::Work work;
  auto file = OutputFile::Create(folder.File("a.gcdump"), true);
  if (!WriteGcDump(session, **file, work) || !(*file)->Finish()) throw std::runtime_error("not written");
  const auto dump = GcDump::Read(folder.File("a.gcdump"));
  if (!dump) throw std::runtime_error(dump.error().message);
  return Imported(*dump, folder.File("b.cairn"));
}

TEST(GcDumpImport, SaysTheSameOfObjectsAndReferences) {
  testing::ConvertedSample sample;
  const auto again = RoundTrip(*sample.session, sample.folder);
  const HeapGraph& before = **sample.session->Graph(sample.work);
  const HeapGraph& after = **again->Graph(sample.work);
  ASSERT_EQ(after.ObjectCount(), before.ObjectCount());
  for (uint32_t i = 0; i < before.ObjectCount(); ++i) {
    const ObjectIndex object(i);
    EXPECT_EQ(after.AddressOf(object), before.AddressOf(object));
    EXPECT_EQ(after.SizeOf(object), before.SizeOf(object));
    EXPECT_EQ(after.TypeInfo(object).name, before.TypeInfo(object).name);
    EXPECT_TRUE(std::ranges::equal(after.Targets(object), before.Targets(object))) << i;
  }
}

TEST(GcDumpImport, SaysTheSameOfRetainedSizes) {
  testing::ConvertedSample sample;
  const auto again = RoundTrip(*sample.session, sample.folder);
  for (uint32_t i = 0; i < 10; ++i)
    EXPECT_EQ(*again->Retained(ObjectIndex(i), sample.work), *sample.session->Retained(ObjectIndex(i), sample.work))
        << i;
}

TEST(GcDumpImport, KeepsKindsAndNamesOfRoots) {
  testing::ConvertedSample sample;
  const auto again = RoundTrip(*sample.session, sample.folder);
  std::vector<std::string> roots;
  const auto found = again->Roots({}, sample.work);
  ASSERT_TRUE(found);
  for (const session::RootInfo& root : *found)
    roots.push_back(snapshot::RootKindName(root.kind) + (" " + root.Name()) + " @" + std::to_string(root.object.value));
  EXPECT_THAT(roots,
              ElementsAre("static Shop.Cache.Instance @0", "static Shop.Plugin @7", "thread-static Shop.Current @3",
                          "local Shop.Main @4", "handle-strong  @0", "handle-pinned  @1", "other  @9"));
}

TEST(GcDumpImport, KeepsGenerationsGapsProcessAndTime) {
  testing::ConvertedSample sample;
  const auto again = RoundTrip(*sample.session, sample.folder);
  const snapshot::Summary& summary = again->GetSummary();
  ASSERT_EQ(summary.ranges.size(), 4u);
  EXPECT_EQ(summary.ranges[0].generation, snapshot::Generation::kGen2);
  EXPECT_EQ(summary.ranges[0].free_bytes, 48u);
  EXPECT_EQ(summary.ranges[0].largest_free, 48u);
  EXPECT_EQ(summary.ranges[1].generation, snapshot::Generation::kGen0);
  EXPECT_EQ(summary.ranges[2].generation, snapshot::Generation::kLoh);
  EXPECT_EQ(summary.process.name, "Shop");
  EXPECT_EQ(summary.process.pid, 4242);
  EXPECT_EQ(summary.capture.captured_at, "2026-01-02T03:04:05Z");
  EXPECT_TRUE(summary.complete);
  ASSERT_EQ(summary.problems.size(), 1u);
  EXPECT_EQ(summary.problems[0].code, "import.gcdump");
  EXPECT_FALSE(summary.problems[0].incomplete);
}

TEST(GcDumpImport, ADumpOfAnotherTool) {
  TemporaryFolder folder;
  const auto dump = GcDump::Parse(testing::KnownDump());
  ASSERT_TRUE(dump);
  const auto session = Imported(*dump, folder.File("a.cairn"));
  analysis::Work work;
  const HeapGraph& graph = **session->Graph(work);
  ASSERT_EQ(graph.ObjectCount(), 3u);
  EXPECT_EQ(graph.SizeOf(ObjectIndex(2)), 24u);  // 22, rounded up to 8
  EXPECT_THAT(graph.Targets(ObjectIndex(1)), ElementsAre(ObjectIndex(0), ObjectIndex(2)));
  EXPECT_EQ(session->GetSummary().capture.captured_at, kOptions.now);
  const auto roots = *session->Roots(RootKind::kLocal, work);
  ASSERT_EQ(roots.size(), 1u);
  EXPECT_EQ(roots[0].object, ObjectIndex(0));
}

// More references than a chunk holds, which is 262,144; and more objects than one, which is 65,536.
TEST(GcDumpImport, LargeArraysAndManyObjects) {
  TemporaryFolder folder;
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node", {"next"}), list = builder.ReferenceArray("Node[]");
  std::vector<snapshot::testing::Target> targets;
  for (int i = 0; i < 70'000; ++i) targets.emplace_back(builder.Object("", node));
  for (int i = 0; i < 4; ++i) targets.insert(targets.end(), targets.begin(), targets.begin() + 70'000);
  const auto array = builder.Array("", list, targets.size(), targets);
  builder.Root(RootKind::kStatic, array, "All");
  ASSERT_TRUE(builder.Write(folder.File("a.cairn")));
  const auto again = RoundTrip(*testing::OpenSession(folder.File("a.cairn")), folder);
  analysis::Work work;
  const HeapGraph& graph = **again->Graph(work);
  ASSERT_EQ(graph.ObjectCount(), 70'001u);
  const auto found = graph.Targets(ObjectIndex(70'000));
  ASSERT_EQ(found.size(), 350'000u);
  for (uint32_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i].value, i % 70'000);
}

}  // namespace
}  // namespace cairn::convert
