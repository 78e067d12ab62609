#include "viewer/check/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/check/test_words.h"
#include "viewer/check/rules_reader.h"

namespace cairn::check::testing {
namespace {

using session::SnapshotSession;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A static list of orders, each with a name; an event with subscribers that hold a view each; a timer that holds a
// job. Order: method table 8, header 8, two references 16: 32 bytes; Name: 24; Order[] of n: 24 + 8 n.
struct Heap {
  int orders = 3, cached = 0, views = 2;
  bool view_is_shown = false;          // a local holds the first view as well
  bool shop_runs = false;              // a local holds the shop, so that its path is another one
  std::vector<int64_t> disposed = {};  // per part of the shop

  void Write(const std::string& path) const {
    SnapshotBuilder builder;
    builder.Capture().roots = "full";
    builder.Process().name = "Shop";
    const uint32_t order = builder.Class("Shop.Order", {"name", "next"}), name = builder.Class("Shop.Name");
    const uint32_t list = builder.ReferenceArray("Shop.Order[]", "Shop.Order");
    AddList(builder, "all", "Shop.All", list, order, name, orders);
    AddList(builder, "cache", "Shop.Cache", list, order, name, cached);
    AddEvent(builder);
    AddTimer(builder);
    AddShop(builder);
    if (auto written = builder.Write(path); !written) throw std::runtime_error(written.error().message);
  }

 private:
  static std::string Numbered(const std::string& what, int i) { return what + std::to_string(i); }

  static void AddList(SnapshotBuilder& builder, const std::string& prefix, const char* field, uint32_t list,
                      uint32_t order, uint32_t name, int count) {
    std::vector<snapshot::testing::Target> elements;
    for (int i = 0; i < count; ++i) {
      builder.Object(Numbered(prefix + "name", i), name);
      builder.Object(Numbered(prefix + "order", i), order, {Numbered(prefix + "name", i)});
      elements.emplace_back(Numbered(prefix + "order", i));
    }
    builder.Array(prefix, list, 1000, elements);
    builder.Root(RootKind::kStatic, prefix, field);
  }

  void AddEvent(SnapshotBuilder& builder) const {
    const uint32_t handler = builder.Class("System.EventHandler", {"_target", "_invocationList"});
    builder.TypeAt(handler).base = "System.MulticastDelegate";
    const uint32_t array = builder.ReferenceArray("System.Object[]");
    const uint32_t view = builder.Class("Shop.View", {"model"}), model = builder.Class("Shop.Model");
    std::vector<snapshot::testing::Target> handlers;
    for (int i = 0; i < views; ++i) {
      builder.Object(Numbered("model", i), model);
      builder.Object(Numbered("view", i), view, {Numbered("model", i)});
      builder.Object(Numbered("handler", i), handler, {Numbered("view", i)});
      handlers.emplace_back(Numbered("handler", i));
    }
    builder.Array("handlers", array, 100, handlers);
    builder.Object("changed", handler, {nullptr, "handlers"});
    builder.Root(RootKind::kStatic, "changed", "Shop.Changed");
    if (view_is_shown) builder.Root(RootKind::kLocal, "view0", "Shop.Main");
  }

  static void AddTimer(SnapshotBuilder& builder) {
    const uint32_t timer = builder.Class("System.Threading.TimerQueueTimer", {"_state"});
    builder.Object("job", builder.Class("Shop.Job"));
    builder.Object("timer", timer, {"job"});
    builder.Root(RootKind::kStatic, "timer", "System.Threading.TimerQueue.Instances");
  }

  void AddShop(SnapshotBuilder& builder) const {
    const uint32_t part = builder.Class("Shop.Part");
    builder.ValueField(part, "_disposed", 1, 0x02, "System.Boolean");
    const uint32_t parts = builder.ReferenceArray("Shop.Part[]", "Shop.Part");
    std::vector<snapshot::testing::Target> elements;
    for (size_t i = 0; i < disposed.size(); ++i) {
      const auto object = builder.Object(Numbered("part", static_cast<int>(i)), part);
      builder.Value(object, "_disposed", disposed[i]);
      elements.emplace_back(object);
    }
    builder.Array("parts", parts, 10, elements);
    const uint32_t shop = builder.Class("Shop.Shop", {"parts"});
    builder.Object("shop", shop, {"parts"});
    builder.Root(RootKind::kHandleStrong, "shop");
    if (shop_runs) builder.Root(RootKind::kLocal, "shop", "Shop.Run");
  }
};

class JudgeTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::unique_ptr<SnapshotSession> Open(const Heap& heap) {
    heap.Write(path_);
    return SnapshotSession::Open(path_).value();
  }

  Policy PolicyOf(const std::string& rules) {
    Policy policy;
    auto set = ParseRules(rules, "leaks.toml", TestWords());
    if (!set) throw std::runtime_error(set.error().message);
    policy.rules = std::move(*set);
    policy.today = std::chrono::year(2026) / 6 / 15;
    return policy;
  }

  Verdict Judged(const Heap& heap, const Policy& policy, const Heap* before = nullptr) {
    std::optional<Base> base;
    if (before) base = ReadBase(*Open(*before), work_).value();
    const auto session = Open(heap);
    auto verdict = Judge(*session, base ? &*base : nullptr, policy, work_);
    if (!verdict) throw std::runtime_error(verdict.error().message);
    for (Violation& violation : verdict->violations) violation.holder.reset();  // it observes the session
    return std::move(*verdict);
  }
  Verdict Judged(const Heap& heap, const std::string& rules, const Heap* before = nullptr) {
    return Judged(heap, PolicyOf(rules), before);
  }

  static std::vector<std::string> Paths(const Verdict& verdict) {
    std::vector<std::string> paths;
    for (const Violation& violation : verdict.violations) paths.push_back(violation.path);
    return paths;
  }

  std::string path_ = (std::filesystem::temp_directory_path() / ("cairn-judge-" + std::to_string(getpid()))).string();
  analysis::Work work_;
};

constexpr const char* kOrders = "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 2\nmax_retained = 100\n";

TEST_F(JudgeTest, ALimitIsOverAllObjectsOfThePattern) {
  const Verdict verdict = Judged({.orders = 3, .cached = 1}, "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 5\n");
  ASSERT_EQ(verdict.violations.size(), 1u);  // 4 orders and their 2 arrays
  EXPECT_EQ(verdict.violations[0].excesses, (std::vector<Excess>{{Measure::kObjects, 6, 5}}));
  EXPECT_EQ(verdict.violations[0].type, "Shop.Order");  // of arrays and elements: the pattern
  EXPECT_EQ(verdict.violations[0].path, "static Shop.All → []");
  EXPECT_EQ(verdict.violations[0].covered.size(), 4u);
  EXPECT_THAT(Judged({.orders = 3, .cached = 1}, "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 6\n").violations,
              IsEmpty());
}

TEST_F(JudgeTest, BytesAndRetainedHaveLimitsToo) {
  const Verdict verdict = Judged({.orders = 3}, "[[limit]]\ntype = \"Shop.View\"\nmax_bytes = 47\nmax_retained = 95\n");
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].excesses,
            (std::vector<Excess>{{Measure::kBytes, 48, 47}, {Measure::kRetained, 96, 95}}));  // 2 × 24; 2 × (24 + 24)
}

TEST_F(JudgeTest, WhatIsExcusedDoesNotCountForALimit) {
  Policy policy =
      PolicyOf(std::string(kOrders) + "[[ignore]]\npath = \"Shop.All\"\nreason = \"known\"\nuntil = 2026-06-15\n");
  // Left: the cache's array of 24 + 8 × 1000 bytes and one order.
  EXPECT_THAT(Judged({.orders = 50, .cached = 1},
                     "[[limit]]\ntype = \"Order\"\nmax_retained = 8080\n"
                     "[[ignore]]\npath = \"Shop.All\"\nreason = \"r\"\nuntil = 2027-01-01\n")
                  .violations,
              IsEmpty());  // 8,024 + 32 + 24
  const Verdict verdict = Judged({.orders = 50, .cached = 1}, policy);
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].excesses, (std::vector<Excess>{{Measure::kRetained, 8080, 100}}));
  EXPECT_EQ(verdict.Count(Excused::Kind::kIgnored), 2u);  // the array and its elements
}

TEST_F(JudgeTest, AnExpiredIgnoreLetsNothingPassAndIsTold) {
  const std::string rules =
      "[[limit]]\ntype = \"View\"\nmax_objects = 0\n[[ignore]]\ntype = \"View\"\nreason = \"r\"\n";
  EXPECT_THAT(Judged({}, rules + "until = 2026-06-15\n").violations, IsEmpty());
  const Verdict late = Judged({}, rules + "until = 2026-06-14\n");
  ASSERT_EQ(late.violations.size(), 1u);
  ASSERT_TRUE(late.violations[0].expired);
  EXPECT_EQ(late.violations[0].expired->place.line, 4u);
  const Verdict unused = Judged({.views = 0}, rules + "until = 2026-06-14\n");
  EXPECT_THAT(unused.warnings, ElementsAre("leaks.toml:4:1: this ignore ended on 2026-06-14 and nothing needs it; "
                                           "take it out."));
}

TEST_F(JudgeTest, KnownLeaksAreCountedApart) {
  Policy policy = PolicyOf("[[limit]]\ntype = \"View\"\nmax_objects = 0\n");
  policy.known_leaks =
      ParseKnownLeaks("[[known]]\nlibrary = \"L\"\npath = \"Shop.Changed\"\nreason = \"why\"\n", "k", TestWords())
          .value();
  const Verdict verdict = Judged({}, policy);
  EXPECT_THAT(verdict.violations, IsEmpty());
  ASSERT_EQ(verdict.Count(Excused::Kind::kKnown), 1u);
  EXPECT_EQ(verdict.excused[0].reason, "L: why");
  policy.rules.use_known_leaks = false;
  EXPECT_EQ(Judged({}, policy).violations.size(), 1u);
}

TEST_F(JudgeTest, ABaselineLetsPassWhatItHoldsAndNothingElse) {
  Policy policy = PolicyOf("[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 0\n");
  policy.baseline = NewBaseline(policy.rules, Judged({.orders = 3}, policy));
  EXPECT_EQ(policy.baseline->Count(), 3u);  // two arrays and the elements of one
  EXPECT_THAT(Judged({.orders = 3}, policy).violations, IsEmpty());
  EXPECT_EQ(Judged({.orders = 2}, policy).Count(Excused::Kind::kBaseline), 3u);
  const Verdict verdict = Judged({.orders = 3, .cached = 1}, policy);
  // the cache's array retains its order too, which is more than before
  EXPECT_THAT(Paths(verdict), ElementsAre("static Shop.Cache"));
  EXPECT_EQ(verdict.violations[0].now.objects, 2u);
  EXPECT_EQ(NewBaseline(policy.rules, verdict).Count(), 4u);
  const Verdict fewer = Judged({.orders = 0, .views = 0}, policy);
  EXPECT_THAT(fewer.warnings, Contains(HasSubstr("no longer has: 1.")));
}

TEST_F(JudgeTest, ALeakOfTheBaselineFailsWhenItGrew) {
  Policy policy = PolicyOf("[[limit]]\ntype = \"Shop.Name\"\nmax_objects = 0\n");
  policy.baseline = NewBaseline(policy.rules, Judged({.orders = 10}, policy));
  ASSERT_EQ(policy.baseline->Count(), 1u);
  const BaselineEntry& entry = policy.baseline->sections.at("leaks").begin()->second;
  EXPECT_EQ(entry.size, (KnownSize{10, 240}));  // 10 × 24
  EXPECT_EQ(entry.where, "Shop.Name: static Shop.All → [] → name");
  EXPECT_THAT(Judged({.orders = 10}, policy).violations, IsEmpty());
  const Verdict grown = Judged({.orders = 11}, policy);
  ASSERT_EQ(grown.violations.size(), 1u);
  EXPECT_EQ(grown.violations[0].outgrown, (KnownSize{10, 240}));
  EXPECT_EQ(grown.violations[0].now.objects, 11u);
  policy.rules.baseline_tolerance = 10;  // percent
  EXPECT_THAT(Judged({.orders = 11}, policy).violations, IsEmpty());
  EXPECT_EQ(Judged({.orders = 12}, policy).violations.size(), 1u);
  for (auto& [fingerprint, entry] : policy.baseline->sections["leaks"]) entry.size.reset();  // as in version 1
  const Verdict old = Judged({.orders = 99}, policy);
  EXPECT_THAT(old.violations, IsEmpty());
  EXPECT_THAT(old.warnings, Contains(HasSubstr("do not say how much they were: 1.")));
}

TEST_F(JudgeTest, GrowthOfABaselinesLeakIsGrowthOfItsType) {
  const Heap base{.orders = 10}, head{.orders = 13};
  Policy policy = PolicyOf("[[no_growth]]\nby = \"type\"\ntype = \"Shop.Name\"\n");
  const Heap nothing{.orders = 0};
  policy.baseline = NewBaseline(policy.rules, Judged(base, policy, &nothing));
  EXPECT_THAT(Judged(base, policy, &nothing).violations, IsEmpty());
  const Verdict verdict = Judged(head, policy, &base);
  ASSERT_EQ(verdict.violations.size(), 1u);
  EXPECT_EQ(verdict.violations[0].excesses, (std::vector<Excess>{{Measure::kObjects, 3, 0}}));
}

TEST_F(JudgeTest, WhatIsWrittenListedAndCountedIsTheSame) {
  Policy policy = PolicyOf(
      "[[limit]]\ntype = \"Name\"\nmax_objects = 0\n[[limit]]\ntype = \"Shop.\"\nmax_objects = 0\n"
      "[[held_only_by]]\nholder = \"event\"\n");
  Verdict verdict = Judged({.orders = 3}, policy);
  const Baseline written = NewBaseline(policy.rules, verdict);
  AcceptAll(policy.rules, verdict);
  EXPECT_THAT(verdict.violations, IsEmpty());
  EXPECT_EQ(verdict.excused.size(), written.Count());
  policy.baseline = written;
  const Verdict later = Judged({.orders = 3}, policy);
  EXPECT_THAT(later.violations, IsEmpty());
  EXPECT_EQ(later.Count(Excused::Kind::kBaseline), written.Count());
  const auto of_both = [](const Excused& excused) { return excused.IsOf(0) && excused.IsOf(1); };
  EXPECT_EQ(std::count_if(later.excused.begin(), later.excused.end(), of_both), 1);  // the names
}

TEST_F(JudgeTest, GrowthByPathTellsTheCarrierOnly) {
  const Heap base{.orders = 3}, head{.orders = 13};
  const Verdict verdict = Judged(head, "[[no_growth]]\n", &base);
  EXPECT_THAT(Paths(verdict), ElementsAre("static Shop.All → []"));  // not their names
  EXPECT_EQ(verdict.violations[0].before->objects, 3u);
  EXPECT_EQ(verdict.violations[0].now, (session::GroupSize{13, 416, 728}));  // 13 × 32; 13 × (32 + 24)
  // Ten more names of 24 bytes; each retains itself.
  EXPECT_EQ(verdict.violations[0].carried, (std::vector<CarriedType>{{"Shop.Name", {10, 240, 240}}}));
  EXPECT_THAT(Judged(head, "[[no_growth]]\nmax_objects = 10\n", &base).violations, IsEmpty());
  EXPECT_THAT(Paths(Judged(head, "[[no_growth]]\ntype = \"Name\"\n", &base)),
              ElementsAre("static Shop.All → [] → name"));
  EXPECT_THAT(Judged(base, "[[no_growth]]\n", &head).violations, IsEmpty());
}

TEST_F(JudgeTest, GrowthByTypeAddsUpPaths) {
  const Heap base{.orders = 5, .cached = 1}, head{.orders = 3, .cached = 4};
  const Verdict verdict = Judged(head, "[[no_growth]]\nby = \"type\"\n", &base);
  ASSERT_EQ(verdict.violations.size(), 2u);  // orders and names: 6 → 7
  EXPECT_EQ(verdict.violations[0].excesses, (std::vector<Excess>{{Measure::kObjects, 1, 0}}));
  EXPECT_EQ(verdict.violations[0].path, "static Shop.Cache → []");
}

// A method that runs at the moment of one capture gives the shop a shorter path.
TEST_F(JudgeTest, WhatOnlyMovedToALocalOrBackDidNotGrow) {
  const Heap idle{.disposed = {0, 0, 0}}, running{.shop_runs = true, .disposed = {0, 0, 0}};
  EXPECT_THAT(Judged(running, "[[no_growth]]\n", &idle).violations, IsEmpty());
  EXPECT_THAT(Judged(idle, "[[no_growth]]\n", &running).violations, IsEmpty());
  const Heap grown{.shop_runs = true, .disposed = {0, 0, 0, 0}};
  EXPECT_THAT(Paths(Judged(grown, "[[no_growth]]\n", &idle)), ElementsAre("local Shop.Run → parts → []"));
}

TEST_F(JudgeTest, GrowthNeedsABase) {
  const auto session = Open({});
  const auto verdict = Judge(*session, nullptr, PolicyOf("[[no_growth]]\n"), work_);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, "check.needs_base");
}

TEST_F(JudgeTest, HeldByNothingButAnEvent) {
  const std::string rules = "[[held_only_by]]\nholder = \"event\"\n";
  const Verdict verdict = Judged({}, rules);
  EXPECT_THAT(Paths(verdict), ElementsAre("static Shop.Changed → _invocationList → [] → _target"));
  EXPECT_EQ(verdict.violations[0].now.objects, 2u);
  ASSERT_EQ(verdict.violations[0].carried.size(), 1u);
  EXPECT_EQ(verdict.violations[0].carried[0].type, "Shop.Model");
  EXPECT_EQ(verdict.violations[0].carried[0].size.objects, 2u);
  // One view is on screen: only the other one is lost.
  EXPECT_EQ(Judged({.view_is_shown = true}, rules).violations[0].now.objects, 1u);
  EXPECT_THAT(Paths(Judged({}, rules + "type = \"Model\"\n")),
              ElementsAre("static Shop.Changed → _invocationList → [] → _target → model"));
}

TEST_F(JudgeTest, HeldByNothingButATimerOrAStaticCollection) {
  EXPECT_THAT(Paths(Judged({}, "[[held_only_by]]\nholder = \"timer\"\n")),
              ElementsAre("static System.Threading.TimerQueue.Instances → _state"));
  EXPECT_THAT(Paths(Judged({.views = 0}, "[[held_only_by]]\nholder = \"static_collection\"\n")),
              ElementsAre("static Shop.All → []"));
}

TEST_F(JudgeTest, DisposedButReachable) {
  const std::string rules = "[[disposed]]\ntype = \"Part\"\n";
  const Verdict verdict = Judged({.disposed = {1, 0, 1}}, rules);
  EXPECT_THAT(Paths(verdict), ElementsAre("handle-strong → parts → []"));
  EXPECT_EQ(verdict.violations[0].now.objects, 2u);
  EXPECT_THAT(Judged({.disposed = {0, 0}}, rules).violations, IsEmpty());
  EXPECT_THAT(Judged({}, "[[disposed]]\ntype = \"View\"\n").unjudged,
              ElementsAre(Field(&Unjudged::why, HasSubstr("so that it says nothing"))));
  EXPECT_THAT(Judged({}, rules + "may_be_absent = true\n").unjudged, IsEmpty());  // there is an array of them only
}

TEST_F(JudgeTest, DisposedIsRefusedWhereTheSnapshotDoesNotTell) {
  SnapshotBuilder builder;
  const uint32_t part = builder.Class("Shop.Part");
  builder.FieldsAt(part).push_back({"_disposed", 8, snapshot::FieldKind::kPrimitive, 0x02, "System.Boolean"});
  builder.Root(RootKind::kHandleStrong, builder.Object("", part));
  ASSERT_TRUE(builder.Write(path_));
  const auto session = SnapshotSession::Open(path_).value();
  const auto verdict = Judge(*session, nullptr, PolicyOf("[[disposed]]\n"), work_);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, "check.no_values");
  EXPECT_EQ(verdict.error().kind, ErrorKind::kFailed);
}

TEST_F(JudgeTest, LoadContextsThatAreStillThere) {
  SnapshotBuilder builder;
  const uint32_t allocator = builder.Class("System.Reflection.LoaderAllocator");
  const uint32_t plugin = builder.Class("Plugin.Widget");
  builder.TypeAt(plugin).module = builder.Module("Plugin.dll", true);
  builder.Object("allocator", allocator);
  builder.LoaderAllocator(plugin, "allocator");
  builder.Object("widget", plugin);
  builder.Root(RootKind::kStatic, "widget", "Shop.Last");
  ASSERT_TRUE(builder.Write(path_));
  const auto session = SnapshotSession::Open(path_).value();
  const Verdict verdict = Judge(*session, nullptr, PolicyOf("[[collectible_contexts]]\n"), work_).value();
  EXPECT_THAT(Paths(verdict), ElementsAre("static Shop.Last → (loader allocator)"));
  EXPECT_THAT(verdict.violations[0].assemblies, ElementsAre("Plugin.dll"));
}

TEST_F(JudgeTest, ARuleThatMatchesNothingIsNeitherALeakNorAPass) {
  const std::string misspelt = "[[limit]]\ntype = \"Shop.Ordr\"\nmax_objects = 1\n";
  const Verdict verdict = Judged({}, "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 9\n" + misspelt);
  ASSERT_EQ(verdict.unjudged.size(), 1u);
  EXPECT_EQ(verdict.unjudged[0].rule, 1u);
  EXPECT_EQ(verdict.unjudged[0].why,
            "leaks.toml:4:1: no type of the snapshot matches Shop.Ordr, so that the rule 'limit Shop.Ordr' says "
            "nothing. If no object of it need be there, the rule says so: may_be_absent = true.");
  EXPECT_THAT(verdict.violations, IsEmpty());
  const Verdict absent = Judged({}, misspelt + "may_be_absent = true\n");
  EXPECT_THAT(absent.unjudged, IsEmpty());
  EXPECT_THAT(absent.warnings, ElementsAre(HasSubstr("no type of the snapshot matches Shop.Ordr")));
}

// Having none is what it asks for.
TEST_F(JudgeTest, ARuleThatForbidsAllObjectsHoldsWhereThereIsNoType) {
  for (const std::string forbidden :
       {"[[limit]]\nmax_objects = 0\n", "[[held_only_by]]\nholder = \"event\"\n", "[[disposed]]\n"}) {
    const std::string rule = forbidden + "type = \"Shop.Ordr\"\n";
    const Verdict verdict = Judged({}, rule);
    EXPECT_THAT(verdict.unjudged, IsEmpty()) << rule;
    EXPECT_THAT(verdict.warnings, ElementsAre(HasSubstr("Is it spelt right?"))) << rule;
    EXPECT_EQ(Judged({}, rule + "may_be_absent = false\n").unjudged.size(), 1u) << rule;
  }
}

TEST_F(JudgeTest, ATypeOfTheBaseAloneIsSpeltRight) {
  SnapshotBuilder empty;
  empty.Capture().roots = "full";
  Base base;
  base.type_names = {"Shop.Gone"};
  base.roots = "full";
  ASSERT_TRUE(empty.Write(path_));
  const auto session = SnapshotSession::Open(path_).value();
  const std::string rules = "[[no_growth]]\ntype = \"Shop.Gone\"\n";
  EXPECT_THAT(Judge(*session, &base, PolicyOf(rules), work_).value().unjudged, IsEmpty());
}

}  // namespace
}  // namespace cairn::check::testing
