// Answers of a session with a cache: the same as without, whatever lies in the cache.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/must.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/shortest_paths.h"
#include "viewer/session/dominance.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {
namespace {

using analysis::ArrayList;
using analysis::Bytes;
using analysis::Work;
using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::Must;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::Target;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A list of 60 nodes with texts, a cycle, arrays, garbage, frozen, weak and dependent ones, an unresolved reference.
void WriteSnapshot(const std::string& path) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node", {"next", "text", "other"});
  const uint32_t array = builder.ReferenceArray("Node[]", "Node");
  const uint32_t text = builder.String();
  for (int i = 0; i < 60; ++i) {
    const std::string name = "n" + std::to_string(i);
    builder.Object(name, node, {"n" + std::to_string(i + 1), "t" + std::to_string(i), i % 7 ? Target() : Target("n0")});
    builder.Array("t" + std::to_string(i), text, static_cast<uint64_t>(i % 13));
    if (i % 20 == 0) builder.Gap(48);
  }
  builder.Object("n60", node, {Target::Address(0x1234'5678)});
  builder.Range(Generation::kGen0);
  builder.Array("all", array, 6, {"n0", "n30", nullptr, "n45", "all"});
  builder.Object("garbage", node, {"n3"});
  builder.Range(Generation::kFrozen);
  builder.Array("literal", text, 5);
  builder.Object("weak", node);
  builder.Root(RootKind::kStatic, "all", "Shop.All");
  builder.Root(RootKind::kLocal, "n40");
  builder.Root(RootKind::kHandleWeak, "garbage");
  builder.Dependent("n5", "weak");
  builder.Capture().id = "00112233445566778899aabbccddeeff";
  Must(builder.Write(path));
}

// Everything a session says of a snapshot, as text.
std::string AllAnswers(SnapshotSession& session) {
  Work work;
  std::string text;
  const auto add = [&](auto... numbers) { ((text += std::to_string(numbers) + " "), ...); };
  for (const GroupRow& row : Must(session.Groups(Grouping::kType, work))) {
    text += row.name + " ";
    add(row.reachable.objects, row.reachable.bytes, row.unreachable.bytes, row.retained);
  }
  for (const uint64_t retained : Must(session.RetainedOfTypes(work))) add(retained);
  add(Must(session.Reachable(work)).bytes);
  for (const auto& problem : Must(session.GraphProblems(work))) text += problem.message;
  ObjectRequest request;
  request.order = ObjectOrder::kAddress;
  request.limit = UINT64_MAX;
  for (const bool unreachable : {false, true}) {
    request.unreachable = unreachable;
    for (const ObjectInfo& object : Must(session.Objects(request, work)).objects)
      add(object.object.value, object.address, object.type.value, object.bytes, object.retained,
          object.dominator.value);
  }
  for (uint32_t i = 0; i < session.GetSummary().totals.objects; ++i) {
    PathRequest path;
    path.object = ObjectIndex(i);
    for (const RootPath& found : Must(session.Paths(path, work)).paths) {
      text += "\n" + found.root.Name();
      for (const PathStep& step : found.steps) text += " " + step.field + "@" + std::to_string(step.object.value);
    }
    for (const ReferrerInfo& referrer : Must(session.Referrers(ObjectIndex(i), 100, work)).referrers)
      text += " " + referrer.field + "@" + std::to_string(referrer.object.value);
  }
  return text;
}

class SessionCache : public ::testing::Test {
 protected:
  void SetUp() override {
    WriteSnapshot(path_);
    options_.threads = 1;
    truth_ = AllAnswers(*Must(SnapshotSession::Open(path_, options_)));
    options_.cache.folder = Folder();
    options_.cache.from_objects = 0;
  }

  std::string Folder() const { return folder_.File("cache"); }
  std::vector<std::filesystem::path> Files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(Folder())) files.push_back(entry.path());
    return files;
  }
  // What the session said of the cache is in notes_.
  std::string Ask() {
    notes_.clear();
    const auto session = Must(SnapshotSession::Open(path_, options_));
    session->SetCacheEvents({[this](const std::string& note) { notes_.push_back(note); }, {}});
    return AllAnswers(*session);
  }
  // Puts arrays into the cache in which array `which` of a result has another value, everything else being right.
  template <class T>
  void Forge(const char* name, size_t which, size_t at, T value) {
    const auto key =
        Must(snapshot::ContentKeyOf(path_, "00112233445566778899aabbccddeeff", *snapshot::IdentityOf(path_), 1));
    const snapshot::SideCache cache({Folder(), 1 << 30});
    std::vector<std::vector<uint8_t>> own;
    std::vector<Bytes> arrays;
    {
      const auto kept = Must(cache.Load(key, {name, analysis::kSavedVersion}, 1));
      for (const Bytes& array : kept->Arrays()) own.emplace_back(array.begin(), array.end());
    }
    ASSERT_LT(which, own.size());
    ASSERT_LE((at + 1) * sizeof(T), own[which].size());
    std::memcpy(own[which].data() + at * sizeof(T), &value, sizeof(T));
    for (const auto& array : own) arrays.push_back(array);
    const std::atomic<bool> never{false};
    ASSERT_TRUE(cache.Store(key, {name, analysis::kSavedVersion}, arrays, never));
  }

  const snapshot::testing::TemporaryFolder folder_;
  const std::string path_ = folder_.File("list.cairn");
  SnapshotSession::Options options_;
  std::string truth_;
  std::vector<std::string> notes_;
};

TEST_F(SessionCache, GivesTheSameAnswersAgain) {
  EXPECT_EQ(Ask(), truth_);
  EXPECT_THAT(Files(), SizeIs(5));  // graph, reachability, dominators, paths, totals
  EXPECT_THAT(notes_, Contains("kept in the cache: dominators"));
  EXPECT_EQ(Ask(), truth_);
  for (const char* name : {"graph", "reachability", "dominators", "paths", "totals"})
    EXPECT_THAT(notes_, Contains(std::string("taken from the cache: ") + name));
  EXPECT_THAT(notes_, Not(Contains(StartsWith("kept"))));
}

TEST_F(SessionCache, TypesNeedNoGraphOnceTheyAreKept) {
  Ask();
  notes_.clear();
  const auto session = Must(SnapshotSession::Open(path_, options_));
  session->SetCacheEvents({[this](const std::string& note) { notes_.push_back(note); }, {}});
  Work work;
  EXPECT_THAT(Must(session->RetainedOfTypes(work)), SizeIs(3));
  EXPECT_THAT(Must(session->GraphProblems(work)), SizeIs(1));
  EXPECT_THAT(notes_, ::testing::ElementsAre("taken from the cache: totals"));
}

// 300,000 objects: arrays of 1.2 MB, which is large enough.
TEST_F(SessionCache, WhatIsLeftToItsFileSaysTheSame) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node", {"next"});
  for (int i = 0; i < 300'000; ++i)
    builder.Object("n" + std::to_string(i), node, {i % 10 == 9 ? Target() : Target("n" + std::to_string(i + 1))});
  for (int i = 0; i < 300'000; i += 20) builder.Root(RootKind::kStatic, "n" + std::to_string(i));
  Must(builder.Write(path_));
  const auto asked = std::make_shared<std::atomic<unsigned>>(1);
  options_.cache.asked = asked;
  const auto session = Must(SnapshotSession::Open(path_, options_));
  std::atomic<bool> is_left{false};
  session->SetCacheEvents(
      {[&](const std::string& note) { is_left = is_left || note == "left to its file: dominators"; }, {}});
  Work work;
  ObjectRequest request;
  request.limit = UINT64_MAX;
  const auto ask = [&] {
    std::vector<std::pair<uint32_t, uint64_t>> answers;
    for (const ObjectInfo& object : Must(session->Objects(request, work)).objects)
      answers.emplace_back(object.object.value, object.retained);
    return answers;
  };
  const auto before = ask();
  EXPECT_THAT(before, SizeIs(150'000));  // every other ten
  *asked = 0;                            // nobody asks any more
  for (int i = 0; i < 6000 && !is_left; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(is_left);  // not after a minute
  EXPECT_EQ(ask(), before);
}

TEST_F(SessionCache, SmallSnapshotsAndOthersAreNotKept) {
  options_.cache.from_objects = 100'000;
  EXPECT_EQ(Ask(), truth_);
  EXPECT_FALSE(std::filesystem::exists(Folder()));
}

// Two files with one id, of which one is a changed copy.
TEST_F(SessionCache, AnotherFileWithTheSameIdIsAnotherSnapshot) {
  Ask();
  SnapshotBuilder builder;
  builder.Object("n", builder.Class("Node"));
  builder.Capture().id = "00112233445566778899aabbccddeeff";
  Must(builder.Write(path_));
  Ask();
  EXPECT_THAT(notes_, Not(Contains(StartsWith("taken"))));
  EXPECT_THAT(Files(), SizeIs(10));
}

TEST_F(SessionCache, WhatIsReplacedWhileItIsOpenIsNotKept) {
  const auto session = Must(SnapshotSession::Open(path_, options_));
  session->SetCacheEvents({[this](const std::string& note) { notes_.push_back(note); }, {}});
  WriteSnapshot(folder_.File("other"));
  std::filesystem::rename(folder_.File("other"), path_);
  Work work;
  EXPECT_EQ(Must(session->Reachable(work)).objects, session->GetSummary().totals.objects - 1);
  EXPECT_FALSE(std::filesystem::exists(Folder()));
}

TEST_F(SessionCache, DamagedFilesChangeNoAnswer) {
  Ask();
  for (const auto& file : Files()) {
    const auto good = snapshot::testing::ReadAll(file);
    for (const size_t at : {size_t{9}, size_t{50}, size_t{4096}, good.size() - 4096}) {
      auto bad = good;
      bad[at] ^= 1;
      snapshot::testing::WriteAll(file, bad);
      EXPECT_EQ(Ask(), truth_) << file << " at " << at;
      EXPECT_THAT(notes_, Contains(StartsWith("not taken from the cache: "))) << file << " at " << at;
      EXPECT_EQ(snapshot::testing::ReadAll(file), good) << "is not mended";
    }
    std::filesystem::resize_file(file, good.size() / 2);
    EXPECT_EQ(Ask(), truth_) << file;
  }
}

// Right digests and wrong indices: refused, computed anew.
TEST_F(SessionCache, ForgedArraysChangeNoAnswer) {
  struct Forgery {
    const char* name;
    size_t array, at;
    uint32_t value;
  };
  // graph: starts, listed objects, listed sizes, types, targets, offsets, carries, unresolved, continued.
  // dominators: objects, parents, subtrees, places, sums. paths: parents, order, roots (object, root).
  for (const Forgery& forgery : {Forgery{"graph", 0, 0, 0},      // fewer objects
                                 {"graph", 3, 7, 3},             // there are types 0, 1, 2
                                 {"graph", 4, 11, 1 << 20},      // a target beyond all objects
                                 {"graph", 5, 3, 1 << 20},       // offsets that fall again
                                 {"dominators", 0, 0, 5},        // the virtual root is no object
                                 {"dominators", 0, 3, 1 << 20},  // an object beyond all
                                 {"dominators", 1, 3, 3},        // its own parent
                                 {"dominators", 2, 4, 0},        // an empty subtree
                                 {"dominators", 2, 4, 1 << 20},  // a subtree beyond all
                                 {"dominators", 3, 4, 1 << 20},  // a place beyond all
                                 {"paths", 0, 9, 1 << 20},       // a parent beyond all
                                 {"paths", 0, 9, 0xFFFFFFFF},    // from a root that is not named
                                 {"paths", 1, 0, 9},             // does not start with a root's object
                                 {"paths", 1, 5, 1 << 20},       // an object beyond all
                                 {"paths", 2, 1, 1 << 20}}) {    // a root beyond all
    Ask();
    Forge(forgery.name, forgery.array, forgery.at, forgery.value);
    EXPECT_EQ(Ask(), truth_) << forgery.name << " " << forgery.array << " " << forgery.at << " " << forgery.value;
    EXPECT_THAT(notes_, Contains(std::string("does not fit, computed anew: ") + forgery.name));
  }
}

// Parents that go round: no answer is promised, but there is one.
TEST_F(SessionCache, ForgedCirclesEnd) {
  Ask();
  Forge("paths", 0, 4, uint32_t{3 + 1});  // the parent of @4 is @3 …
  Forge("paths", 0, 3, uint32_t{4 + 1});  // … and of @3 it is @4
  EXPECT_FALSE(Ask().empty());
}

TEST_F(SessionCache, AnUnusableFolderChangesNoAnswer) {
  snapshot::testing::WriteAll(folder_.File("file"), {1});
  options_.cache.folder = folder_.File("file") + "/cache";
  EXPECT_EQ(Ask(), truth_);
  EXPECT_THAT(notes_, Contains(StartsWith("not kept in the cache: ")));
}

TEST_F(SessionCache, WhatIsStoppedKeepsNothing) {
  const std::atomic<bool> stop{true};
  options_.cache.stop = &stop;
  EXPECT_EQ(Ask(), truth_);
  EXPECT_FALSE(std::filesystem::exists(Folder()));
}

TEST_F(SessionCache, TheEndIsToldBeforeItWaits) {
  int waits = 0;
  {
    const auto session = Must(SnapshotSession::Open(path_, options_));
    session->SetCacheEvents({{}, [&] { ++waits; }});
    Work work;
    Must(session->Graph(work));
    EXPECT_EQ(waits, 0);
  }
  EXPECT_EQ(waits, 1);
}

}  // namespace
}  // namespace cairn::session
