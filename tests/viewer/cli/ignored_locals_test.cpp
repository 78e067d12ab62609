// --ignore-locals: whose locals hold nothing; and grow over snapshots that are there.
//
//   static Shop.Cache.Instance   → kept
//   local Shop.Tests.Run, main   → box → boxed      local Shop.Tests.Helper, main → kept
//   local Shop.Worker.Loop, "orders"  → worked      local (no thread) Shop.Lost.Run → lost
//   thread-static t_currentTask, main → task        thread-static Shop.Scope.current, main → scoped
//   nothing → garbage

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/checked_document.h"
#include "tests/viewer/cli/sample_snapshots.h"

namespace cairn::cli::testing {
namespace {

using nlohmann::json;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class IgnoredLocals : public ::testing::Test {
 protected:
  void SetUp() override {
    SnapshotBuilder builder;
    const uint32_t order = builder.Class("Shop.Order", {"next"});
    const uint32_t box = builder.Class("Shop.Box", {"order"});
    for (const char* name : {"kept", "boxed", "worked", "lost", "task", "scoped", "garbage"})
      builder.Object(name, order);
    builder.Object("box", box, {"boxed"});
    const uint32_t main = builder.Thread("main", 41, 1), orders = builder.Thread("orders", 42, 7);
    builder.Root(RootKind::kStatic, "kept", "Shop.Cache.Instance");
    Add(builder, RootKind::kLocal, "box", "Shop.Tests.Run", main);
    Add(builder, RootKind::kLocal, "kept", "Shop.Tests.Helper", main);
    Add(builder, RootKind::kLocal, "worked", "Shop.Worker.Loop", orders);
    Add(builder, RootKind::kLocal, "lost", "Shop.Lost.Run", snapshot::kNoId);
    Add(builder, RootKind::kThreadStatic, "task", "System.Threading.Tasks.Task.t_currentTask", main);
    Add(builder, RootKind::kThreadStatic, "scoped", "Shop.Scope.current", main);
    ASSERT_TRUE(builder.Write(Samples().Path("locals.cairn")));
  }

  static void Add(SnapshotBuilder& builder, RootKind kind, const char* object, const char* name, uint32_t thread) {
    snapshot::Root root;
    root.kind = kind;
    root.name = name;
    root.thread = thread;
    builder.AddRoot(root, object);
  }

  static json Orders(std::vector<std::string> whose) {
    std::vector<std::string> arguments = {"path", "locals.cairn", "--type", "Shop.Order", "--json"};
    for (std::string& each : whose) {
      arguments.push_back("--ignore-locals");
      arguments.push_back(std::move(each));
    }
    return CheckedDocument(RunCairn(arguments, Samples().Folder()), 0, "path");
  }
  static std::vector<std::string> Roots(const json& paths) {
    std::vector<std::string> roots;
    for (const json& path : paths) roots.push_back(path["root"]["name"]);
    std::sort(roots.begin(), roots.end());
    return roots;
  }
};

TEST_F(IgnoredLocals, WithoutTheOptionAllCount) {
  const json document = Orders({});
  EXPECT_EQ(document["objects"], 6);
  EXPECT_EQ(document["unreachable"], 1);
  EXPECT_FALSE(document.contains("ignored_locals"));
}

TEST_F(IgnoredLocals, AFrameStandsForItsWholeThreadAndTheTaskThatRunsThere) {
  const json document = Orders({"frame=Shop.Tests.Help*"});
  EXPECT_THAT(Roots(document["paths"]),
              ElementsAre("Shop.Cache.Instance", "Shop.Lost.Run", "Shop.Scope.current", "Shop.Worker.Loop"));
  EXPECT_EQ(document["objects"], 4);
  EXPECT_EQ(document["unreachable"], 3);  // boxed, task, garbage
  // What a static holds as well is no object that only a local holds; garbage is held by nobody.
  EXPECT_EQ(document["ignored_locals"]["objects"], 2);
  EXPECT_THAT(Roots(document["ignored_locals"]["paths"]),
              ElementsAre("Shop.Tests.Run", "System.Threading.Tasks.Task.t_currentTask"));
}

TEST_F(IgnoredLocals, ThreadsByIdAndByName) {
  EXPECT_THAT(Roots(Orders({"thread=7"})["ignored_locals"]["paths"]), ElementsAre("Shop.Worker.Loop"));
  EXPECT_THAT(Roots(Orders({"thread=ord*"})["ignored_locals"]["paths"]), ElementsAre("Shop.Worker.Loop"));
  EXPECT_EQ(Orders({"thread=99"})["ignored_locals"], json::parse(R"({"objects":0,"paths":[]})"));
}

TEST_F(IgnoredLocals, ALocalOfNoThreadGoesByItsOwnFrame) {
  EXPECT_THAT(Roots(Orders({"frame=Shop.Lost.*"})["ignored_locals"]["paths"]), ElementsAre("Shop.Lost.Run"));
}

TEST_F(IgnoredLocals, AllAndSeveral) {
  EXPECT_THAT(Roots(Orders({"all"})["paths"]), ElementsAre("Shop.Cache.Instance", "Shop.Scope.current"));
  EXPECT_THAT(Roots(Orders({"thread=1", "frame=Shop.Worker.*"})["paths"]),
              ElementsAre("Shop.Cache.Instance", "Shop.Lost.Run", "Shop.Scope.current"));
}

TEST_F(IgnoredLocals, TextTellsThemApart) {
  const Outcome outcome =
      RunCairn({"path", "locals.cairn", "--type", "Shop.Box", "--ignore-locals", "all"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("not counted: 1 object held by locals only"));
  EXPECT_THAT(outcome.out, HasSubstr("local of Shop.Tests.Run on thread 41 (main)"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("nothing keeps")));
}

TEST_F(IgnoredLocals, OfOneObject) {
  const json document = CheckedDocument(
      RunCairn({"path", "locals.cairn", "--object", "@2", "--ignore-locals", "all", "--json"}, Samples().Folder()), 0,
      "path");
  EXPECT_THAT(document["paths"], IsEmpty());
  EXPECT_THAT(Roots(document["ignored_locals"]["paths"]), ElementsAre("Shop.Worker.Loop"));
}

TEST_F(IgnoredLocals, RulesCountWithoutThem) {
  Samples().WriteText("orders.toml", "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 2\n");
  EXPECT_EQ(RunCairn({"check", "locals.cairn", "--rules", "orders.toml"}, Samples().Folder()).code, 1);
  EXPECT_EQ(
      RunCairn({"check", "locals.cairn", "--rules", "orders.toml", "--ignore-locals", "all"}, Samples().Folder()).code,
      0);
}

TEST_F(IgnoredLocals, WrongUse) {
  const Outcome outcome =
      RunCairn({"path", "locals.cairn", "--type", "Shop.Box", "--ignore-locals", "xunit"}, Samples().Folder());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("not 'xunit'"));
  EXPECT_EQ(
      RunCairn({"path", "locals.cairn", "--type", "Shop.Box", "--ignore-locals", "frame="}, Samples().Folder()).code,
      2);
}

// ---- grow over files: base.cairn has no Shop.Prices.Subscription, head.cairn has three ----

json Grow(int code, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "grow");
  arguments.push_back("--json");
  return CheckedDocument(RunCairn(arguments, Samples().Folder()), code, "grow");
}

TEST(GrowOverFiles, TellsWhatGrewAndByHowMuch) {
  const json document = Grow(1, {"--from", "base.cairn", "--from", "head.cairn", "--iterations", "3"});
  EXPECT_EQ(document["ok"], false);
  EXPECT_EQ(document["iterations"], 3);
  EXPECT_THAT(document["snapshots"], ElementsAre("base.cairn", "head.cairn"));
  ASSERT_EQ(document["growing"].size(), 1u);
  EXPECT_EQ(document["growing"][0]["type"], "Shop.Prices.Subscription");
  EXPECT_THAT(document["growing"][0]["objects"], ElementsAre(0, 3));
  EXPECT_EQ(document["growing"][0]["per_iteration"]["objects"], 1.0);
}

TEST(GrowOverFiles, GrowthIsFromEachToTheNext) {
  EXPECT_EQ(
      Grow(0, {"--from", "base.cairn", "--from", "head.cairn", "--from", "head.cairn", "--iterations", "3"})["ok"],
      true);
  EXPECT_EQ(Grow(0, {"--from", "head.cairn", "--from", "base.cairn", "--iterations", "1"})["ok"], true);
  // 3 in 5 iterations are fewer than one each, even if a stack holds one more.
  EXPECT_EQ(Grow(0, {"--from", "base.cairn", "--from", "head.cairn", "--iterations", "5"})["ok"], true);
}

TEST(GrowOverFiles, EndsAtTheFirstSnapshotAfterWhichNothingCanGrow) {
  const json document = Grow(0, {"--from", "base.cairn", "--from", "base.cairn", "--from", "head.cairn"});
  EXPECT_THAT(document["snapshots"], ElementsAre("base.cairn", "base.cairn"));
}

TEST(GrowOverFiles, SaysNothingOfAPartOfAHeap) {
  EXPECT_EQ(Grow(4, {"--from", "odd.cairn", "--from", "base.cairn"})["complete"], false);
}

TEST(GrowOverFiles, WrongUse) {
  EXPECT_THAT(RunCairn({"grow", "--from", "base.cairn"}, Samples().Folder()).err, HasSubstr("at least two snapshots"));
  const Outcome both = RunCairn({"grow", "4242", "--from", "base.cairn", "--from", "head.cairn"}, Samples().Folder());
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("nothing is captured"));
}

}  // namespace
}  // namespace cairn::cli::testing
