// The flame graph and the graph from methods to types, and where their parts go.

#include <gtest/gtest.h>

#include "viewer/presentation/layouts/flame_layout.h"
#include "viewer/presentation/layouts/graph_layout.h"

namespace cairn::presentation {
namespace {

using snapshot::kNoId;

// Main (cut) calls Load, Load calls Load, Load calls Add. Add makes orders (900 kB) and bytes (300 kB), the outer Load
// bytes (400 kB): 1600 kB.
snapshot::Sampling Example() {
  snapshot::Sampling sampling;
  sampling.methods = {{"App.Main"}, {"Shop.Load<T>"}, {"Shop.Cache.Add"}};
  sampling.frames = {{kNoId, 0, true}, {0, 1, false}, {1, 1, false}, {2, 2, false}};
  sampling.totals = {{"Shop.Order", 3, 9, 30000, 900'000, false},
                     {"System.Byte[]", 3, 3, 4, 300'000, false},
                     {"System.Byte[]", 1, 4, 4, 400'000, true}};
  return sampling;
}

// ---- flame graph ----

enum FlameIndex { kMore, kMain, kOuterLoad, kInnerLoad, kAdd, kOrder, kBytesOfAdd, kBytesOfLoad };

std::string RowOf(const FlameBox& box) {
  return box.name + " " + std::to_string(box.start) + "+" + std::to_string(box.bytes) + " at " +
         std::to_string(box.level) + (box.is_type ? " type" : "");
}

TEST(FlameBoxes, CallersBeforeThoseTheyCall) {
  const FlameGraph graph = FlameGraphOf(Example());
  std::vector<std::string> rows;
  for (const FlameBox& box : graph.boxes) rows.push_back(RowOf(box));
  EXPECT_EQ(rows, (std::vector<std::string>{
                      "(more frames) 0+1600000 at 0", "App.Main 0+1600000 at 1", "Shop.Load<T> 0+1600000 at 2",
                      "Shop.Load<T> 0+1200000 at 3", "Shop.Cache.Add 0+1200000 at 4", "Shop.Order 0+900000 at 5 type",
                      "System.Byte[] 900000+300000 at 5 type", "System.Byte[] 1200000+400000 at 3 type"}));
  EXPECT_EQ(graph.bytes, 1'600'000u);
  EXPECT_EQ(graph.levels, 6u);
  EXPECT_EQ(graph.boxes[kBytesOfLoad].parent, size_t{kOuterLoad});
  EXPECT_EQ(FlameWords(graph, kOrder), "Shop.Order\n900,000 bytes (56.2 %), 9 samples");
}

TEST(FlameBoxes, FromBoxToBox) {
  const FlameGraph graph = FlameGraphOf(Example());
  EXPECT_EQ(CalleeOf(graph, kOuterLoad), size_t{kInnerLoad});  // more bytes than the type beside it
  EXPECT_EQ(CalleeOf(graph, kOrder), std::nullopt);
  EXPECT_EQ(SiblingOf(graph, kInnerLoad, true), size_t{kBytesOfLoad});
  EXPECT_EQ(SiblingOf(graph, kBytesOfLoad, false), size_t{kInnerLoad});
  EXPECT_EQ(SiblingOf(graph, kBytesOfLoad, true), std::nullopt);
  EXPECT_EQ(SiblingOf(graph, kInnerLoad, false), std::nullopt);
  EXPECT_TRUE(IsWithin(graph, kOrder, kMain));
  EXPECT_TRUE(IsWithin(graph, kAdd, kAdd));
  EXPECT_FALSE(IsWithin(graph, kBytesOfLoad, kInnerLoad));
}

void ExpectArea(const Rectangle& area, double x, double y, double width, double height) {
  EXPECT_NEAR(area.x, x, 1e-6);
  EXPECT_NEAR(area.y, y, 1e-6);
  EXPECT_NEAR(area.width, width, 1e-6);
  EXPECT_NEAR(area.height, height, 1e-6);
}

// One unit for 1000 bytes.
TEST(FlameLayout, WidthsAreShares) {
  const FlameGraph graph = FlameGraphOf(Example());
  const auto placed = LayOutFlame(graph, std::nullopt, 1600, 10);
  ASSERT_EQ(placed.size(), graph.boxes.size());
  ExpectArea(placed[kMain].area, 0, 10, 1600, 10);
  ExpectArea(placed[kOrder].area, 0, 50, 900, 10);
  ExpectArea(placed[kBytesOfAdd].area, 900, 50, 300, 10);
  ExpectArea(placed[kBytesOfLoad].area, 1200, 30, 400, 10);
  EXPECT_EQ(BoxAt(placed, 1300, 35)->box, size_t{kBytesOfLoad});
  EXPECT_EQ(BoxAt(placed, 1300, 45), nullptr);
}

// Add has all the width, and so have those that it lies on: 1200 kB on 1600.
TEST(FlameLayout, WhatIsEnlargedHasAllTheWidth) {
  const auto placed = LayOutFlame(FlameGraphOf(Example()), kAdd, 1600, 10);
  ASSERT_EQ(placed.size(), 7u);  // without the bytes of the outer Load
  for (size_t i = 0; i <= kAdd; ++i) ExpectArea(placed[i].area, 0, 10.0 * static_cast<double>(i), 1600, 10);
  ExpectArea(placed[kOrder].area, 0, 50, 1200, 10);
  ExpectArea(placed[kBytesOfAdd].area, 1200, 50, 400, 10);
}

TEST(FlameLayout, WhatIsTooNarrowIsLeftOut) {
  // 300 kB of 1600 kB on 5 units is 0.94, 400 kB is 1.25.
  const auto placed = LayOutFlame(FlameGraphOf(Example()), std::nullopt, 5, 10);
  ASSERT_EQ(placed.size(), 7u);
  EXPECT_EQ(placed.back().box, size_t{kBytesOfLoad});
}

TEST(FlameLayout, OfNothingIsNothing) {
  EXPECT_TRUE(LayOutFlame(FlameGraphOf({}), std::nullopt, 100, 10).empty());
  EXPECT_EQ(LayOutFlame(FlameGraphOf(Example()), 99, 1600, 10).size(), 8u);  // no such box: the whole
}

// ---- from methods to types ----

std::vector<std::string> NodesOf(const AllocationGraph& graph) {
  std::vector<std::string> rows;
  for (const GraphNode& node : graph.nodes)
    rows.push_back(std::to_string(node.column) + " " + node.name + " " + std::to_string(node.bytes / 1000));
  return rows;
}

std::vector<std::string> LinksOf(const AllocationGraph& graph) {
  std::vector<std::string> rows;
  for (const GraphLink& link : graph.links)
    rows.push_back(graph.nodes[link.from].name + " → " + graph.nodes[link.to].name + " " +
                   std::to_string(link.bytes / 1000));
  return rows;
}

TEST(AllocationGraphTest, BytesFlowFromColumnToColumn) {
  const AllocationGraph graph = AllocationGraphOf(Example());
  EXPECT_EQ(graph.columns, 5u);
  EXPECT_EQ(graph.bytes, 1'600'000u);
  // Recursion is one step.
  EXPECT_EQ(NodesOf(graph),
            (std::vector<std::string>{"0 (more frames) 1200", "1 App.Main 1200", "1 (more frames) 400",
                                      "2 Shop.Load<T> 1200", "2 App.Main 400", "3 Shop.Cache.Add 1200",
                                      "3 Shop.Load<T> 400", "4 Shop.Order 900", "4 System.Byte[] 700"}));
  EXPECT_EQ(LinksOf(graph),
            (std::vector<std::string>{"(more frames) → App.Main 1200", "App.Main → Shop.Load<T> 1200",
                                      "Shop.Load<T> → Shop.Cache.Add 1200", "Shop.Cache.Add → Shop.Order 900",
                                      "(more frames) → App.Main 400", "App.Main → Shop.Load<T> 400",
                                      "Shop.Load<T> → System.Byte[] 400", "Shop.Cache.Add → System.Byte[] 300"}));
  EXPECT_TRUE(graph.IsType(7));
  EXPECT_FALSE(graph.IsType(6));
  EXPECT_EQ(NodeWords(graph, 7), "Shop.Order\n900,000 bytes (56.2 %), 9 samples");
  EXPECT_EQ(LinkWords(graph, 7), "Shop.Cache.Add → System.Byte[]\n300,000 bytes (18.8 %)");
}

// Two columns: the allocating methods and the types. One node each: the others are one.
TEST(AllocationGraphTest, WhatHasNoRoomIsTheRest) {
  const AllocationGraph two = AllocationGraphOf(Example(), 2);
  EXPECT_EQ(NodesOf(two), (std::vector<std::string>{"0 Shop.Cache.Add 1200", "0 Shop.Load<T> 400", "1 Shop.Order 900",
                                                    "1 System.Byte[] 700"}));
  snapshot::Sampling sampling = Example();
  sampling.totals.push_back({"Shop.Name", 3, 1, 1, 100'000, false});
  const AllocationGraph few = AllocationGraphOf(sampling, 2, 2);
  EXPECT_EQ(NodesOf(few), (std::vector<std::string>{"0 Shop.Cache.Add 1300", "0 Shop.Load<T> 400", "1 Shop.Order 900",
                                                    "1 (others) 800"}));
  EXPECT_EQ(LinksOf(few), (std::vector<std::string>{"Shop.Cache.Add → Shop.Order 900", "Shop.Cache.Add → (others) 400",
                                                    "Shop.Load<T> → (others) 400"}));
  EXPECT_FALSE(few.IsType(3));
}

TEST(AllocationGraphTest, WhatIsConnected) {
  const AllocationGraph graph = AllocationGraphOf(Example());
  // Orders come from Add, Load, Main: not by the shorter way.
  EXPECT_EQ(ConnectedTo(graph, 7), (std::vector<bool>{true, true, false, true, false, true, false, true, false}));
  EXPECT_EQ(MainNeighbour(graph, 5, true), 7u);
  EXPECT_EQ(MainNeighbour(graph, 8, false), 6u);
  EXPECT_EQ(MainNeighbour(graph, 0, false), std::nullopt);
}

// 160 units for 1600 kB; (512 − 12) / 5 = 100 from column to column.
TEST(GraphLayout, HeightsAreShares) {
  const AllocationGraph graph = AllocationGraphOf(Example());
  const GraphPicture picture = LayOutGraph(graph, {0, 0, 512, 160}, 12, 0);
  ASSERT_EQ(picture.nodes.size(), 9u);
  EXPECT_NEAR(picture.column_width, 100, 1e-9);
  ExpectArea(picture.nodes[7], 400, 0, 12, 90);
  ExpectArea(picture.nodes[8], 400, 90, 12, 70);
  ExpectArea(picture.nodes[5], 300, 0, 12, 120);
  ExpectArea(picture.nodes[6], 300, 120, 12, 40);
  // Add → bytes: below Add → orders, and above Load → bytes.
  const PlacedLink& link = picture.links[7];
  EXPECT_NEAR(link.left, 312, 1e-9);
  EXPECT_NEAR(link.right, 400, 1e-9);
  EXPECT_NEAR(link.left_top, 90, 1e-9);
  EXPECT_NEAR(link.right_top, 90, 1e-9);
  EXPECT_NEAR(link.height, 30, 1e-9);
  EXPECT_EQ(NodeAt(picture, 405, 100), 8u);
  EXPECT_EQ(NodeAt(picture, 350, 100), std::nullopt);
  EXPECT_EQ(LinkAt(picture, 350, 100), 7u);
  EXPECT_EQ(NodeBeside(graph, picture, 7, true), 8u);
  EXPECT_EQ(NodeBeside(graph, picture, 7, false), std::nullopt);
}

// The largest node of a column stands where it leads to: links do not cross without need.
TEST(GraphLayout, NodesStandWhereTheyLeadTo) {
  snapshot::Sampling sampling;
  sampling.methods = {{"A"}, {"B"}};
  sampling.frames = {{kNoId, 0, false}, {kNoId, 1, false}};
  sampling.totals = {{"Large", 0, 1, 1, 600, false}, {"Small", 1, 1, 1, 300, false}, {"Small", 0, 1, 1, 100, false}};
  const AllocationGraph graph = AllocationGraphOf(sampling);
  ASSERT_EQ(NodesOf(graph).size(), 4u);
  const GraphPicture picture = LayOutGraph(graph, {0, 0, 212, 1000}, 12, 0);
  EXPECT_LT(picture.nodes[0].y, picture.nodes[1].y);  // A makes the large ones
  sampling.totals = {{"Large", 1, 1, 1, 600, false}, {"Small", 0, 1, 1, 550, false}, {"Large", 0, 1, 1, 100, false}};
  const AllocationGraph other = AllocationGraphOf(sampling);
  const GraphPicture turned = LayOutGraph(other, {0, 0, 212, 1000}, 12, 0);
  EXPECT_EQ(other.nodes[0].name, "A");  // 650 of 1250, and yet below
  EXPECT_GT(turned.nodes[0].y, turned.nodes[1].y);
}

TEST(GraphLayout, LinksAreLevelAtTheirEnds) {
  const PlacedLink link{0, 100, 10, 200, 50, 5};
  EXPECT_NEAR(LinkTop(link, 100), 10, 1e-9);
  EXPECT_NEAR(LinkTop(link, 150), 30, 1e-9);
  EXPECT_NEAR(LinkTop(link, 200), 50, 1e-9);
  EXPECT_NEAR(LinkTop(link, 101), 10, 0.1);
}

TEST(GraphLayout, OfNothingIsNothing) {
  EXPECT_TRUE(LayOutGraph(AllocationGraphOf({}), {0, 0, 100, 100}, 12, 2).links.empty());
}

}  // namespace
}  // namespace cairn::presentation
