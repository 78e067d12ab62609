#include "viewer/presentation/layouts/tile_layout.h"

#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

Tile TileOf(std::string label, uint64_t weight, std::vector<Tile> parts = {}) {
  Tile tile;
  tile.label = std::move(label);
  tile.weight = weight;
  tile.parts = std::move(parts);
  return tile;
}

// a (3) fills three quarters, b (1) one; a's part weighs two thirds of it.
std::vector<Tile> Sample() { return {TileOf("a", 3, {TileOf("a1", 2)}), TileOf("b", 1)}; }

TEST(TileLayout, AreasAreAsWeights) {
  const auto tiles = Sample();
  const auto placed = LayOutTiles(tiles, {0, 0, 400, 100}, 10);
  ASSERT_EQ(placed.size(), 3u);
  EXPECT_EQ(placed[0].tile->label, "a");
  EXPECT_DOUBLE_EQ(placed[0].area.width * placed[0].area.height, 30'000);  // 3/4 of 400 x 100
  EXPECT_EQ(placed[2].tile->label, "b");
  EXPECT_DOUBLE_EQ(placed[2].area.width * placed[2].area.height, 10'000);
}

TEST(TileLayout, PartsLieInsideAndBelowTheTitle) {
  const auto tiles = Sample();
  const auto placed = LayOutTiles(tiles, {0, 0, 400, 100}, 10);
  const PlacedTile& part = placed[1];
  EXPECT_EQ(part.tile->label, "a1");
  EXPECT_EQ(part.depth, 1);
  EXPECT_EQ(part.group, 0u);
  EXPECT_DOUBLE_EQ(part.area.x, 2);
  EXPECT_DOUBLE_EQ(part.area.y, 10);
  EXPECT_DOUBLE_EQ(part.area.width, 296);                // 300 without an edge of 2 on each side
  EXPECT_DOUBLE_EQ(part.area.height, 88.0 * 2.0 / 3.0);  // (100 - 10 - 2) by its share
}

TEST(TileLayout, FindsTheInnermostTile) {
  const auto tiles = Sample();
  const auto placed = LayOutTiles(tiles, {0, 0, 400, 100}, 10);
  EXPECT_EQ(TileAt(placed, 5, 5)->tile->label, "a");
  EXPECT_EQ(TileAt(placed, 5, 20)->tile->label, "a1");
  EXPECT_EQ(TileAt(placed, 399, 50)->tile->label, "b");
  EXPECT_EQ(TileAt(placed, 400, 50), nullptr);
}

TEST(TileLayout, WhatHasNoRoomIsLeftOut) {
  const auto tiles = Sample();
  EXPECT_TRUE(LayOutTiles(tiles, {0, 0, 0, 100}, 10).empty());
  EXPECT_EQ(LayOutTiles(tiles, {0, 0, 16, 8}, 10).size(), 2u);  // no part
  const std::vector<Tile> uneven = {TileOf("all", 1'000'000), TileOf("speck", 1)};
  EXPECT_EQ(LayOutTiles(uneven, {0, 0, 100, 100}, 10).size(), 1u);
}

}  // namespace
}  // namespace cairn::presentation
