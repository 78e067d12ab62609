// Objects by the shape of their path, and what looks like a leak among them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"
#include "viewer/session/suspects.h"

namespace cairn::session {
namespace {

using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A static list of nodes, and a static array of items that each hold an array of parts; `shift` moves addresses.
struct Growing {
  Growing(int nodes, int items, int parts, int shift) {
    node = builder.Class("Node", {"next", "value"});
    item = builder.Class("Item", {"parts"});
    part = builder.Class("Part", {});
    item_array = builder.ReferenceArray("Item[]", "Item");
    part_array = builder.ReferenceArray("Part[]", "Part");
    for (int i = 0; i < shift; ++i) builder.Object("", part);
    AddList(nodes);
    AddItems(items, parts);
  }
  void AddList(int nodes) {
    for (int i = 0; i < nodes; ++i)
      builder.Object(Name("node", i), node, {i + 1 < nodes ? Next(i) : snapshot::testing::Target()});
    if (nodes > 0) builder.Root(RootKind::kStatic, "node0", "Shop.List+<>c__DisplayClass3_0.head");
  }
  void AddItems(int items, int parts) {
    std::vector<snapshot::testing::Target> all;
    for (int i = 0; i < items; ++i) {
      std::vector<snapshot::testing::Target> own;
      for (int p = 0; p < parts; ++p) own.emplace_back(builder.Object("", part));
      builder.Array(Name("parts", i), part_array, own.size(), own);
      builder.Object(Name("item", i), item, {Name("parts", i)});
      all.emplace_back(Name("item", i));
    }
    builder.Array("items", item_array, all.size(), all);
    builder.Root(RootKind::kStatic, "items", "Shop.Items");
  }
  static std::string Name(const char* what, int i) { return what + std::to_string(i); }
  static snapshot::testing::Target Next(int i) { return Name("node", i + 1); }

  SnapshotBuilder builder;
  uint32_t node = 0, item = 0, part = 0, item_array = 0, part_array = 0;
};

class PathGroupsTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::unique_ptr<SnapshotSession> Open(int nodes, int items, int parts, int shift = 0) {
    Growing growing(nodes, items, parts, shift);
    if (const auto written = growing.builder.Write(path_); !written) throw std::runtime_error(written.error().message);
    return SnapshotSession::Open(path_).value();
  }
  std::vector<PathGroup> Groups(int nodes, int items, int parts, int shift = 0) {
    return Open(nodes, items, parts, shift)->PathGroups({}, work_).value();
  }
  static std::vector<std::string> SuspectPaths(const std::vector<PathGroup>& head, const std::vector<PathGroup>* base,
                                               uint64_t reachable = 1) {
    std::vector<std::string> paths;
    for (const uint32_t i : SuspectGroups(head, base, reachable)) paths.push_back(head[i].path);
    return paths;
  }

  std::string path_ =
      (std::filesystem::temp_directory_path() / ("cairn-path-groups-" + std::to_string(getpid()))).string();
  analysis::Work work_;
};

// A guess of the stack scan that lies nearer than the static is no reason to tell two holders of one array.
TEST_F(PathGroupsTest, GuessedLocalsHoldOnlyWhatNothingElseHolds) {
  Growing growing(0, 3, 2, 0);
  const auto loose = growing.builder.Object("loose", growing.part);
  for (const snapshot::testing::Target& guess : {snapshot::testing::Target("parts1"), {loose}}) {
    snapshot::Root root;
    root.kind = RootKind::kLocal;
    root.certain = false;
    growing.builder.AddRoot(root, guess);
  }
  ASSERT_TRUE(growing.builder.Write(path_));
  const auto groups = SnapshotSession::Open(path_).value()->PathGroups({}, work_).value();
  std::map<std::string, uint64_t> objects;
  for (const PathGroup& group : groups)
    if (group.objects > 0) objects[group.path] = group.objects;
  // 3 items of 2 parts each; the middle one's array is guessed to be in use, too
  EXPECT_THAT(objects,
              ElementsAre(std::pair("local (perhaps)", 1), std::pair("static Shop.Items", 1),
                          std::pair("static Shop.Items → []", 3), std::pair("static Shop.Items → [] → parts", 3),
                          std::pair("static Shop.Items → [] → parts → []", 6)));
}

TEST_F(PathGroupsTest, NodesOfAListAndElementsOfAnArrayAreOneEach) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> found;  // objects, retained
  for (const PathGroup& group : Groups(3, 2, 2))
    if (group.objects > 0) found[group.path] = {group.objects, group.retained};
  using Found = std::pair<uint64_t, uint64_t>;
  EXPECT_EQ(found.size(), 5u);
  EXPECT_EQ(found["static Shop.List+<>c__DisplayClass.head"], Found(3, 96));  // 3 × 32
  EXPECT_EQ(found["static Shop.Items"], Found(1, 264));                       // 24 + 16 + 2 × 112
  EXPECT_EQ(found["static Shop.Items → []"], Found(2, 224));                  // 2 × (24 + 40 + 48)
  EXPECT_EQ(found["static Shop.Items → [] → parts"], Found(2, 176));          // 2 × (24 + 16 + 2 × 24)
  EXPECT_EQ(found["static Shop.Items → [] → parts → []"], Found(4, 96));      // 4 × 24
}

TEST_F(PathGroupsTest, FingerprintsDoNotDependOnAddressesOrCounts) {
  std::map<std::string, std::string> a, b;
  for (const PathGroup& group : Groups(3, 2, 2)) a[group.path] = group.fingerprint;
  for (const PathGroup& group : Groups(9, 5, 3, 17)) b[group.path] = group.fingerprint;
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.at("static Shop.Items").substr(0, 3), "v1:");
  EXPECT_EQ(a.at("static Shop.Items").size(), 35u);  // 3 + 32 digits
}

TEST_F(PathGroupsTest, ParentsComeFirst) {
  const auto groups = Groups(3, 2, 2);
  for (uint32_t i = 0; i < groups.size(); ++i)
    EXPECT_TRUE(groups[i].parent == PathGroup::kNoParent || groups[i].parent < i);
}

TEST_F(PathGroupsTest, TypesLimitWhatIsCounted) {
  const auto session = Open(3, 2, 2);
  std::vector<bool> types(session->GetSummary().types.size());
  types[2] = true;  // Part
  uint64_t objects = 0, retained = 0;
  const auto groups = session->PathGroups(types, work_);
  ASSERT_TRUE(groups);
  for (const PathGroup& group : *groups) {
    objects += group.objects;
    retained += group.retained;
  }
  EXPECT_EQ(objects, 4u);
  EXPECT_EQ(retained, 96u);
}

TEST_F(PathGroupsTest, WhatGrewIsSuspectWhatIsCarriedIsNot) {
  const auto base = Groups(3, 10, 4);
  const auto more_items = Groups(3, 30, 4);  // 4 parts each, as before
  EXPECT_THAT(SuspectPaths(more_items, &base), ElementsAre("static Shop.Items → []"));
}

TEST_F(PathGroupsTest, ALeakBehindALeakIsSuspectToo) {
  const auto base = Groups(3, 10, 4);
  const auto both = Groups(3, 30, 40);
  EXPECT_THAT(SuspectPaths(both, &base), ElementsAre("static Shop.Items → []", "static Shop.Items → [] → parts → []"));
}

TEST_F(PathGroupsTest, AListThatGrowsIsSuspect) {
  const auto base = Groups(3, 10, 4), head = Groups(50, 10, 4);
  EXPECT_THAT(SuspectPaths(head, &base), ElementsAre("static Shop.List+<>c__DisplayClass.head"));
}

TEST_F(PathGroupsTest, NothingGrewNothingIsSuspect) {
  const auto base = Groups(30, 10, 4), head = Groups(20, 10, 4);
  EXPECT_THAT(SuspectPaths(head, &base), IsEmpty());
  EXPECT_THAT(SuspectPaths(base, &base), IsEmpty());
}

// Without a base: 40 items under one array are a pile; 2 parts under each item's array are none.
TEST_F(PathGroupsTest, APileIsSuspectByItself) {
  const auto session = Open(0, 40, 2);
  const auto suspects = FindSuspects(*session, nullptr, work_).value();
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0].group.path, "static Shop.Items → []");
  EXPECT_EQ(suspects[0].group.objects, 40u);
  const ObjectInfo point = session->Object(suspects[0].accumulation_point, work_).value();
  EXPECT_EQ(session->GetSummary().types[point.type.value].name, "Item[]");
}

TEST_F(PathGroupsTest, FindSuspectsTellsWhatWasBefore) {
  const auto base = Groups(3, 10, 4);
  const auto session = Open(3, 30, 4);
  const auto suspects = FindSuspects(*session, &base, work_).value();
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0].objects_before, 10u);
  EXPECT_EQ(suspects[0].retained_before, 1760u);  // 10 × (24 + 24 + 4 × 8 + 4 × 24) = 10 × 176
}

// Every reachable object has one path: the objects of all groups are all objects, and each group has as many as it
// says.
TEST_F(PathGroupsTest, ObjectsOfAPathAreThoseOfItsGroup) {
  const auto session = Open(5, 4, 3, 2);
  std::vector<int> of_groups(session->GetSummary().totals.objects);
  const std::vector<PathGroup> groups = session->PathGroups({}, work_).value();
  for (const PathGroup& group : groups) {
    if (group.objects == 0) continue;
    const auto found = session->ObjectsOfPath(group.fingerprint, {}, work_).value();
    uint64_t count = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      count += found[i];
      of_groups[i] += found[i];
    }
    EXPECT_EQ(count, group.objects) << group.path;
    EXPECT_TRUE(found[group.example.value]) << group.path;
  }
  uint64_t reachable = 0;
  for (const int count : of_groups) {
    EXPECT_LE(count, 1);
    reachable += static_cast<uint64_t>(count);
  }
  EXPECT_EQ(reachable, session->Reachable(work_).value().objects);
}

}  // namespace
}  // namespace cairn::session
