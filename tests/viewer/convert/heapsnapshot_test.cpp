// A .heapsnapshot read as plain JSON, by the description of the format alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/viewer/convert/converted_sample.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/convert/heapsnapshot_writer.h"

namespace cairn::convert {
namespace {

using nlohmann::json;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::TemporaryFolder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kNodeFields = 5, kEdgeFields = 3;

// Edges as "kind name → node", nodes as "kind name size".
struct DecodedFile {
  explicit DecodedFile(const std::string& path) {
    std::ifstream file(path);
    text.assign(std::istreambuf_iterator<char>(file), {});
    document = json::parse(text);
    for (size_t node = 0; node < document["snapshot"]["node_count"]; ++node) AddNode(node);
  }

  void AddNode(size_t node) {
    const json& meta = document["snapshot"]["meta"];
    const auto row = document["nodes"].begin() + static_cast<std::ptrdiff_t>(node * kNodeFields);
    nodes.push_back(meta["node_types"][0][row[0].get<size_t>()].get<std::string>() + " " + String(row[1]) + " " +
                    std::to_string(row[3].get<uint64_t>()));
    ids.insert(row[2].get<uint64_t>());
    auto& own = edges.emplace_back();
    for (size_t i = 0; i < row[4]; ++i, ++next_edge) own.push_back(Edge(next_edge));
  }

  std::string Edge(size_t number) {
    const auto row = document["edges"].begin() + static_cast<std::ptrdiff_t>(number * kEdgeFields);
    const std::string kind = document["snapshot"]["meta"]["edge_types"][0][row[0].get<size_t>()];
    const std::string name = kind == "element" ? std::to_string(row[1].get<uint64_t>()) : String(row[1]);
    const uint64_t to = row[2];
    EXPECT_EQ(to % kNodeFields, 0u);
    return kind + " " + name + " → " + std::to_string(to / kNodeFields);
  }

  std::string String(const json& number) { return document["strings"][number.get<size_t>()]; }

  std::string text;
  json document;
  std::vector<std::string> nodes;
  std::vector<std::vector<std::string>> edges;
  std::set<uint64_t> ids;
  size_t next_edge = 0;
};

Converted Write(session::SnapshotSession& session, const std::string& path) {
  analysis::Work work;
  auto file = OutputFile::Create(path, true);
  auto converted = WriteHeapSnapshot(session, **file, work);
  if (!converted || !(*file)->Finish()) throw std::runtime_error("not written");
  return *converted;
}

class HeapSnapshotTest : public ::testing::Test {
 protected:
  testing::ConvertedSample sample_;
  Converted converted_ = Write(*sample_.session, sample_.folder.File("a.heapsnapshot"));
  DecodedFile file_{sample_.folder.File("a.heapsnapshot")};
};

// Kinds of roots: static, thread-static, local, handle-strong, handle-pinned, frozen, handle-weak: objects start at
// node 2 + 7 = 9.
TEST_F(HeapSnapshotTest, Nodes) {
  EXPECT_EQ(file_.nodes[0], "synthetic  0");
  EXPECT_EQ(file_.nodes[1], "synthetic (GC roots) 0");
  EXPECT_EQ(file_.nodes[2], "synthetic (static) 0");
  EXPECT_EQ(file_.nodes[8], "synthetic (handle-weak) 0");
  EXPECT_EQ(file_.nodes[9], "object Shop.Cache 32");
  EXPECT_EQ(file_.nodes[10], "object Shop.Entry[] 72");
  EXPECT_EQ(file_.nodes[11], "object System.String 32");
  EXPECT_EQ(file_.nodes.size(), 9u + 10);
  EXPECT_EQ(file_.ids.size(), file_.nodes.size());  // each its own
  EXPECT_EQ(converted_.objects, 10u);
}

TEST_F(HeapSnapshotTest, EdgesHaveTheNamesOfFields) {
  EXPECT_THAT(file_.edges[9], ElementsAre("property entries → 10"));
  EXPECT_THAT(file_.edges[10], ElementsAre("property [].Key → 11", "property [].Value → 12", "property [].Value → 13"));
  EXPECT_THAT(file_.edges[11], IsEmpty());
  EXPECT_THAT(file_.edges[12], ElementsAre("property lines → 14", "internal (dependent) → 14"));
  EXPECT_THAT(file_.edges[14], ElementsAre("element 2 → 11", "element 3 → 13"));
  EXPECT_THAT(file_.edges[16], ElementsAre("internal (loader allocator) → 17"));
}

TEST_F(HeapSnapshotTest, RootsByKind) {
  EXPECT_THAT(file_.edges[0], ElementsAre("element 1 → 1"));
  EXPECT_EQ(file_.edges[1].size(), 7u);
  EXPECT_THAT(file_.edges[2], ElementsAre("internal Shop.Cache.Instance → 9", "internal Shop.Plugin → 16"));
  EXPECT_THAT(file_.edges[4], ElementsAre("internal Shop.Main → 13"));
  EXPECT_THAT(file_.edges[8], ElementsAre("weak handle-weak → 15"));  // readers do not follow it
}

TEST_F(HeapSnapshotTest, CountsAreThoseOfTheLists) {
  EXPECT_EQ(file_.document["nodes"].size(), file_.nodes.size() * kNodeFields);
  EXPECT_EQ(file_.document["edges"].size(), file_.document["snapshot"]["edge_count"].get<size_t>() * kEdgeFields);
  EXPECT_EQ(file_.next_edge, file_.document["snapshot"]["edge_count"]);
}

// Readers that search for the words, or stream, need them so and in this order.
TEST_F(HeapSnapshotTest, WordsAreInOrderAndWithoutBlanks) {
  size_t at = 0;
  for (const char* word : {"{\"snapshot\":{\"meta\":{", "\"node_count\":", "\"edge_count\":", "\"nodes\":[",
                           "\"edges\":[", "\"strings\":["}) {
    const size_t found = file_.text.find(word, at);
    ASSERT_NE(found, std::string::npos) << word;
    at = found;
  }
}

TEST_F(HeapSnapshotTest, WhatItCannotHoldIsListed) {
  EXPECT_THAT(converted_.lost,
              ElementsAre("addresses and generations", "numbers of elements whose fields are references",
                          "free bytes between objects", "modules of types", "threads of locals"));
}

TEST(HeapSnapshot, HostileNamesAreEscaped) {
  TemporaryFolder folder;
  SnapshotBuilder builder;
  builder.Root(RootKind::kStatic, builder.Object("", builder.Class("A\"\\\n\x01\xFF")), "B\"");
  ASSERT_TRUE(builder.Write(folder.File("a.cairn")));
  Write(*testing::OpenSession(folder.File("a.cairn")), folder.File("b"));
  const DecodedFile file(folder.File("b"));
  EXPECT_EQ(file.nodes[3], "object A\"\\\n\x01\xEF\xBF\xBD 24");
  EXPECT_THAT(file.edges[2], ElementsAre("internal B\" → 3"));
}

// One array whose references go on in later chunks, which hold 262,144 each, and a collectible type, whose implied
// reference comes last all the same.
TEST(HeapSnapshot, ArraysOverSeveralChunks) {
  TemporaryFolder folder;
  SnapshotBuilder builder;
  const uint32_t list = builder.ReferenceArray("Plugin.Thing[]");
  builder.Object("allocator", builder.Class("System.Reflection.LoaderAllocator"));
  const auto array = builder.Array("", list, 600'000, {});
  for (const uint64_t slot : {0, 262'143, 262'144, 599'999}) builder.Refer(array, slot, "allocator");
  builder.LoaderAllocator(list, "allocator");
  builder.Root(RootKind::kStatic, array, "All");
  ASSERT_TRUE(builder.Write(folder.File("a.cairn")));
  Write(*testing::OpenSession(folder.File("a.cairn")), folder.File("b"));
  EXPECT_THAT(DecodedFile(folder.File("b")).edges[4],
              ElementsAre("element 0 → 3", "element 262143 → 3", "element 262144 → 3", "element 599999 → 3",
                          "internal (loader allocator) → 3"));
}

}  // namespace
}  // namespace cairn::convert
