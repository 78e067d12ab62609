#include "viewer/session/held_only.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/must.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::session {
namespace {

using snapshot::RootKind;
using snapshot::testing::Must;
using snapshot::testing::SnapshotBuilder;
using snapshot::testing::Target;
using ::testing::ElementsAre;

// Publishers with one field of type Action each, and what their delegates' target holds.
class HeldOnlyByEvent : public ::testing::Test {
 protected:
  HeldOnlyByEvent() {
    action_ = builder_.Class("System.Action", {"_target", "_invocationList"});
    builder_.TypeAt(action_).base = "System.MulticastDelegate";
    view_ = builder_.Class("Shop.View");
  }
  void AddDelegate(const std::string& name, const std::string& view) {
    builder_.Object(view, view_);
    builder_.Object(name, action_, {Target(view)});
  }
  // The views that only events hold, by index of the objects in the order they were added.
  std::vector<uint32_t> Held() {
    Must(builder_.Write(folder_.File("a.cairn")));
    const auto session = Must(SnapshotSession::Open(folder_.File("a.cairn")));
    analysis::Work work;
    const auto held = Must(HeldOnlyBy(*session, HolderKind::kEvent, work));
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < held.size(); ++i)
      if (held[i]) indices.push_back(i);
    return indices;
  }

  const snapshot::testing::TemporaryFolder folder_;
  SnapshotBuilder builder_;
  uint32_t action_ = 0, view_ = 0;
};

TEST_F(HeldOnlyByEvent, OneHandlerInAFieldOfAnEvent) {
  AddDelegate("handler", "view");         // @1 → @0
  AddDelegate("callback", "other view");  // @3 → @2
  builder_.Object("publisher", builder_.Class("Shop.Publisher", {"Changed", "_callback"}), {"handler", "callback"});
  builder_.Root(RootKind::kStatic, "publisher", "Shop.Publisher.Instance");
  EXPECT_THAT(Held(), ElementsAre(0u));  // what _callback keeps is no event's
}

TEST_F(HeldOnlyByEvent, AStaticEvent) {
  AddDelegate("handler", "view");
  AddDelegate("callback", "other view");
  AddDelegate("cached", "third view");
  builder_.Root(RootKind::kStatic, "handler", "Shop.Prices.Changed");
  builder_.Root(RootKind::kStatic, "callback", "Shop.Prices.s_callback");
  builder_.Root(RootKind::kStatic, "cached", "Shop.Prices+<>c.<>9__0_0");
  EXPECT_THAT(Held(), ElementsAre(0u));
}

TEST_F(HeldOnlyByEvent, SeveralHandlersAreOfTheEventThemselves) {
  AddDelegate("first", "view");
  AddDelegate("second", "other view");
  builder_.Array("list", builder_.ReferenceArray("System.Object[]"), 2, {"first", "second"});
  builder_.Object("both", action_, {nullptr, "list"});
  builder_.Root(RootKind::kStatic, "both", "Shop.Prices.Changed");
  EXPECT_THAT(Held(), ElementsAre(0u, 2u));  // the views, neither the delegates nor their list
}

TEST_F(HeldOnlyByEvent, NotWhatAnythingElseHolds) {
  AddDelegate("handler", "view");
  builder_.Root(RootKind::kStatic, "handler", "Shop.Prices.Changed");
  builder_.Root(RootKind::kHandleStrong, "view");
  EXPECT_THAT(Held(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace cairn::session
