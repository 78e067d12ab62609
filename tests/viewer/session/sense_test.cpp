// What paths and suspects say of their objects to a .NET programmer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/session/snapshot_session.h"
#include "viewer/session/suspects.h"

namespace cairn::session {
namespace {

using snapshot::RootKind;
using snapshot::testing::ObjectHandle;
using snapshot::testing::SnapshotBuilder;
using ::testing::ElementsAre;

constexpr uint64_t kCode = 0x7f1234567890;
constexpr char kBox[] =
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Int32>+AsyncStateMachineBox<Shop.Worker+<Run>d__5>";

class SenseTest : public ::testing::Test {
 protected:
  SenseTest() {
    handler_ = builder_.Class("System.EventHandler", {"_target", "_invocationList"});
    builder_.TypeAt(handler_).base = "System.MulticastDelegate";
    builder_.ValueField(handler_, "_methodPtr", 8, 0x18, "System.IntPtr");
    builder_.Method(kCode, "Shop.Order.OnChanged(System.Object)");
    order_ = builder_.Class("Shop.Order", {"_lines"});
    builder_.ValueField(order_, "_disposed", 1, 0x02, "System.Boolean");
  }

  SnapshotSession& Open() {
    if (const auto written = builder_.Write(folder_.File("a.cairn")); !written)
      throw std::runtime_error(written.error().message);
    auto session = SnapshotSession::Open(folder_.File("a.cairn"));
    if (!session) throw std::runtime_error(session.error().message);
    session_ = std::move(*session);
    return *session_;
  }

  std::vector<std::string> SenseOfPathTo(ObjectHandle object) {
    PathRequest request;
    request.object = ObjectIndex(object.index);
    request.limit = 1;
    const auto paths = Open().Paths(request, work_);
    if (!paths) throw std::runtime_error(paths.error().message);
    std::vector<std::string> sense;
    for (const PathStep& step : paths->paths.at(0).steps) sense.push_back(step.sense);
    return sense;
  }

  snapshot::testing::TemporaryFolder folder_;
  SnapshotBuilder builder_;
  std::unique_ptr<SnapshotSession> session_;
  analysis::Work work_;
  uint32_t handler_ = 0, order_ = 0;
};

TEST_F(SenseTest, ASubscriberThatWasDisposed) {
  const ObjectHandle prices = builder_.Object("", builder_.Class("Shop.Prices", {"Changed"}), {"handler"});
  const ObjectHandle handler = builder_.Object("handler", handler_, {"order"});
  const ObjectHandle order = builder_.Object("order", order_);
  builder_.Value(handler, "_methodPtr", static_cast<int64_t>(kCode)).Value(order, "_disposed", 1);
  builder_.Root(RootKind::kStatic, prices, "Shop.Prices.Instance");
  EXPECT_THAT(SenseOfPathTo(order),
              ElementsAre("", "handler in Shop.Prices.Changed, runs Shop.Order.OnChanged(System.Object)",
                          "subscriber of Shop.Prices.Changed, disposed"));
}

TEST_F(SenseTest, CodeThatIsNotKnownIsNotNamed) {
  const ObjectHandle handler = builder_.Object("", handler_);
  builder_.Value(handler, "_methodPtr", 0x1000);
  builder_.Root(RootKind::kStatic, handler, "Shop.Prices.Changed");
  EXPECT_THAT(SenseOfPathTo(handler), ElementsAre("handler in Shop.Prices.Changed"));
}

TEST_F(SenseTest, AsyncMethodsAndWhereTheyAre) {
  const uint32_t box = builder_.Class(kBox, {"StateMachine.order"});
  builder_.ValueField(box, "StateMachine.<>1__state");
  const ObjectHandle waiting = builder_.Object("", box);
  builder_.Value(waiting, "StateMachine.<>1__state", 1);
  builder_.Root(RootKind::kHandleStrong, waiting);
  EXPECT_THAT(SenseOfPathTo(waiting), ElementsAre("async method Shop.Worker.Run, waits at await 2"));
  builder_.Value(waiting, "StateMachine.<>1__state", -2);
  EXPECT_THAT(SenseOfPathTo(waiting), ElementsAre("async method Shop.Worker.Run, ended"));
  builder_.Value(waiting, "StateMachine.<>1__state", -1);
  EXPECT_THAT(SenseOfPathTo(waiting), ElementsAre("async method Shop.Worker.Run, runs or has not begun"));
}

// 200 handlers in one event pile up; each has one subscriber, which is no pile of its own.
TEST_F(SenseTest, SuspectsSayWhatTheyAre) {
  std::vector<snapshot::testing::Target> handlers;
  for (int i = 0; i < 200; ++i) handlers.emplace_back(builder_.Object("", handler_, {builder_.Object("", order_)}));
  const ObjectHandle list = builder_.Array("", builder_.ReferenceArray("System.Object[]"), 200, handlers);
  builder_.Root(RootKind::kStatic, builder_.Object("", handler_, {nullptr, list}), "Shop.Prices.Changed");
  const auto suspects = FindSuspects(Open(), nullptr, work_);
  ASSERT_TRUE(suspects);
  std::vector<std::string> sense;
  for (const Suspect& suspect : *suspects) sense.push_back(suspect.sense);
  EXPECT_THAT(sense, ElementsAre("handler in Shop.Prices.Changed"));
}

}  // namespace
}  // namespace cairn::session
