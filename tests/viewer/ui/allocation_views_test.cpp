// The views of sampled allocations, with mouse and keys.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/ui/headless.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using snapshot::kNoId;
using snapshot::testing::SnapshotBuilder;
using testing::Headless;

class AllocationViews : public ::testing::Test {
 protected:
  // Main calls Load, Load calls Add. Add makes orders (900 kB), Load bytes (700 kB).
  AllocationViews() {
    snapshot::Sampling sampling;
    sampling.seconds = 2;
    sampling.mean_bytes = 102400;
    sampling.samples = 16;
    sampling.methods = {{"App.Main"}, {"Shop.Load"}, {"Shop.Add"}};
    sampling.frames = {{kNoId, 0, false}, {0, 1, false}, {1, 2, false}};
    sampling.totals = {{"Shop.Order", 2, 9, 30000, 900'000, false}, {"System.Byte[]", 1, 7, 7000, 700'000, false}};
    SnapshotBuilder builder;
    const uint32_t order = builder.Class("Shop.Order");
    for (int i = 0; i < 3; ++i) builder.Object(i == 0 ? "first" : "", order);
    builder.Root(snapshot::RootKind::kStatic, "first", "Shop.All");
    sampling.objects = {{builder.AddressOf("first"), 2}};
    builder.BeforeFinish([sampling](snapshot::Summary& summary) { summary.sampling = sampling; });
    if (!builder.Write(path_)) ADD_FAILURE();
  }
  ~AllocationViews() override { std::filesystem::remove(path_); }

  Tab& Here() { return window_.TheShell().Current(); }
  const Place& Where() { return Here().Where(); }
  Place Orders() const { return Place::Of(View::kObjects, path_).OfType("Shop.Order"); }
  void Open(View view) {
    window_.TheShell().Open(Place::Of(view, path_));
    window_.Settle();
    ASSERT_FALSE(Here().Failure()) << Here().Failure()->message;
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("cairn-allocation-views-" + std::to_string(getpid()) + ".cairn"))
          .string();
  Headless window_;
};

TEST_F(AllocationViews, TablesLeadToTheirPictures) {
  Open(View::kOverview);
  window_.Click("view.allocations");
  ASSERT_EQ(window_.Page().sections.size(), 3u);
  EXPECT_EQ(window_.Page().sections[0].table->RowCount(), 2u);
  window_.Click("table0.0.type");
  EXPECT_EQ(Where(), Orders());
  window_.Click("back");
  window_.Click("fact.Flame graph");
  EXPECT_EQ(Where().view, View::kFlame);
  window_.Click("fact.Allocation graph");
  EXPECT_EQ(Where().view, View::kAllocationGraph);
  window_.Click("fact.Allocations");
  EXPECT_EQ(Where().view, View::kAllocations);
}

// Main 0, Load 1, Add 2, orders 3, bytes 4; Load and what lies on it begin where the picture does.
TEST_F(AllocationViews, AFlameGraphAnswersToTheMouse) {
  Open(View::kFlame);
  const ImVec4 boxes = window_.Area("boxes");
  const float row = (boxes.w - boxes.y) / 4;
  window_.ClickAt(boxes.x + 20, boxes.y + row * 2.5f);  // Add
  EXPECT_EQ(Here().Here().flame.chosen, 2u);
  EXPECT_EQ(Here().Here().flame.zoom, 2u);
  ASSERT_EQ(Here().Here().flame.placed.size(), 4u);  // without the bytes
  window_.ClickAt(boxes.x + 20, boxes.y + row * 2.5f);
  EXPECT_EQ(Here().Here().flame.zoom, std::nullopt);
  window_.ClickAt(boxes.x + 20, boxes.y + row * 3.5f);  // orders
  window_.Settle();
  EXPECT_EQ(Where(), Orders());
}

TEST_F(AllocationViews, AFlameGraphAnswersToKeys) {
  Open(View::kFlame);
  window_.Press(testing::kDownKey);
  EXPECT_EQ(Here().Here().flame.chosen, 0u);
  window_.Press(testing::kDownKey);
  window_.Press(testing::kDownKey);
  EXPECT_EQ(Here().Here().flame.chosen, 2u);  // the callee with the most bytes
  window_.Press(testing::kRightKey);
  EXPECT_EQ(Here().Here().flame.chosen, 4u);
  window_.Press(testing::kLeftKey);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Here().Here().flame.zoom, 2u);
  window_.Press(testing::kBackspaceKey);
  EXPECT_EQ(Here().Here().flame.zoom, 1u);
  window_.Press(testing::kDownKey);
  EXPECT_EQ(Here().Here().flame.chosen, 3u);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), Orders());
  window_.Press(testing::kLeftKey, false, true);
  EXPECT_EQ(Here().Here().flame.chosen, 3u);  // as it was left
}

TEST_F(AllocationViews, AnAllocationGraphAnswersToTheMouse) {
  Open(View::kAllocationGraph);
  const ImVec4 area = window_.Area("graph");
  const auto& picture = Here().Here().graph.picture;
  ASSERT_EQ(picture.nodes.size(), 7u);  // Main; Load, Main; Add, Load; orders, bytes
  const auto& graph = *window_.Page().graph;
  size_t orders = 0, add = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].name == "Shop.Order") orders = i;
    if (graph.nodes[i].name == "Shop.Add") add = i;
  }
  const auto click = [&](size_t node) {
    const auto at = picture.nodes[node];
    window_.ClickAt(area.x + static_cast<float>(at.x + at.width / 2),
                    area.y + static_cast<float>(at.y + at.height / 2));
  };
  click(add);
  EXPECT_EQ(Here().Here().graph.chosen, add);
  EXPECT_EQ(Where().view, View::kAllocationGraph);  // a method leads nowhere
  click(orders);
  window_.Settle();
  EXPECT_EQ(Where(), Orders());
}

TEST_F(AllocationViews, AnAllocationGraphAnswersToKeys) {
  Open(View::kAllocationGraph);
  const auto name = [&] { return window_.Page().graph->nodes[*Here().Here().graph.chosen].name; };
  window_.Press(testing::kLeftKey);
  EXPECT_EQ(name(), "Shop.Order");  // the largest type first
  window_.Press(testing::kLeftKey);
  EXPECT_EQ(name(), "Shop.Add");
  window_.Press(testing::kDownKey);
  EXPECT_EQ(name(), "Shop.Load");
  window_.Press(testing::kRightKey);
  EXPECT_EQ(name(), "System.Byte[]");
  window_.Press(testing::kUpKey);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), Orders());
  window_.Press(testing::kLeftKey, false, true);
  window_.Press(testing::kBackspaceKey);
  EXPECT_EQ(Here().Here().graph.chosen, std::nullopt);
}

TEST_F(AllocationViews, PicturesGoAwayAsText) {
  Open(View::kFlame);
  window_.Press('T', true, false, true);
  EXPECT_NE(window_.Clipboard().find("App.Main\n"), std::string::npos);
  EXPECT_NE(window_.Clipboard().find("$ cairn view " + path_ + " --at flame\n"), std::string::npos);
  Open(View::kAllocationGraph);
  window_.Press('T', true, false, true);
  EXPECT_NE(window_.Clipboard().find("878.9 KiB  Shop.Add → Shop.Order\n"), std::string::npos) << window_.Clipboard();
}

TEST_F(AllocationViews, WithoutSamplesThePageSaysHowToGetThem) {
  SnapshotBuilder builder;
  builder.Process().pid = 42;
  builder.Object("", builder.Class("Shop.Order"));
  ASSERT_TRUE(builder.Write(path_));
  for (const View view : {View::kAllocations, View::kFlame, View::kAllocationGraph}) {
    Open(view);
    ASSERT_EQ(window_.Page().notices.size(), 1u);
    EXPECT_EQ(window_.Page().notices[0].advice, "cairn capture 42 --allocations --duration 30s samples them");
  }
}

}  // namespace
}  // namespace cairn::ui
