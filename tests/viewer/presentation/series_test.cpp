// Which files are one series, and the page of how it grew.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "snapshot-format/testing/snapshot_builder.h"
#include "viewer/presentation/pages/page_loader.h"
#include "viewer/presentation/series_files.h"

namespace cairn::presentation {
namespace {

using snapshot::testing::SnapshotBuilder;

class Series : public ::testing::Test {
 protected:
  Series() { std::filesystem::create_directories(folder_); }
  ~Series() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Touch(const std::string& name) {
    std::ofstream(Path(name)) << "x";
    return Path(name);
  }
  // Nodes of 24 bytes, Shop.Orders of 24.
  std::string Write(const std::string& name, int nodes, int orders) {
    SnapshotBuilder builder;
    const uint32_t node = builder.Class("Node"), order = builder.Class("Shop.Order");
    for (int i = 0; i < nodes; ++i) builder.Object("", node);
    for (int i = 0; i < orders; ++i) builder.Object("", order);
    if (!builder.Write(Path(name))) ADD_FAILURE();
    return Path(name);
  }
  PagePointer Loaded(const Place& place) {
    auto page = loader_.Load(place, work_);
    if (!page) ADD_FAILURE() << page.error().message;
    return page ? *page : std::make_shared<Page>();
  }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("cairn-series-" + std::to_string(getpid()))).string();
  PageLoader loader_{{}};
  analysis::Work work_;
};

using Files = std::vector<std::string>;

TEST_F(Series, FilesOfOneProcessBelongTogether) {
  const std::string second = Touch("shop_42_20260101_120030.cairn"), first = Touch("shop_42_20260101_120000.cairn");
  const std::string third = Touch("shop_42_20260101_120100_0003.cairn");
  Touch("shop_43_20260101_120000.cairn");  // another process
  Touch("shop_42_20260101_120200.cairn.partial");
  Touch("shop_42.cairn");
  EXPECT_EQ(SeriesOf(second), (Files{first, second, third}));
  EXPECT_EQ(LaterInSeries(Files{first}), (Files{second, third}));
  EXPECT_TRUE(LaterInSeries(Files{first, third}).empty());
  EXPECT_EQ(SeriesOf(Path("shop_42.cairn")), Files{Path("shop_42.cairn")});  // no name of a capture
  EXPECT_EQ(SeriesOf("/nowhere/a_1_20260101_120000.cairn"), Files{"/nowhere/a_1_20260101_120000.cairn"});
}

TEST_F(Series, NamesOfAWatchSortAndGrow) {
  const std::string first = Touch("a_b_7_20260101_120000_0001.cairn"), next = Path("a_b_7_20260101_120100_0002.cairn");
  SeriesFolder folder;
  EXPECT_TRUE(folder.HasChanged(first));  // the first look
  EXPECT_FALSE(folder.HasChanged(first));
  std::filesystem::last_write_time(folder_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(folder.HasChanged(first));
  Touch("a_b_7_20260101_120100_0002.cairn");
  EXPECT_TRUE(folder.HasChanged(first));
  EXPECT_EQ(LaterInSeries(Files{first}), Files{next});
}

TEST_F(Series, StacksWhatEachHolds) {
  const std::string first = Write("a.cairn", 10, 1), last = Write("b.cairn", 10, 101);
  const PagePointer page = Loaded({.view = View::kTimeline, .files = {first, last}});
  ASSERT_TRUE(page->stack);
  const StackedChart& chart = *page->stack;
  // Shop.Order is 2424 bytes at most and grew by 2400; Node is always 240.
  ASSERT_EQ(chart.layers.size(), 3u);
  EXPECT_EQ(chart.layers[0].name, "Shop.Order");
  EXPECT_EQ(chart.layers[1].name, "Node");
  EXPECT_TRUE(chart.layers[2].is_rest);
  ASSERT_EQ(chart.columns.size(), 2u);
  EXPECT_EQ(chart.columns[0].values, (std::vector<uint64_t>{24, 240, 0}));
  EXPECT_EQ(chart.columns[1].values, (std::vector<uint64_t>{2424, 240, 0}));
  EXPECT_EQ(*chart.columns[0].place, Place::Of(View::kOverview, first));
  EXPECT_EQ(*chart.columns[1].place, (Place{.view = View::kDiff, .files = {first, last}}));
  EXPECT_EQ(page->sections.at(0).table->RowCount(), 1u);  // only orders changed
}

TEST_F(Series, StacksByNamespace) {
  const std::string file = Write("a.cairn", 3, 5);
  const PagePointer page = Loaded({.view = View::kTimeline, .files = {file}, .by = "namespace"});
  EXPECT_EQ(page->stack->layers[0].name, "Shop");  // 120 bytes against 72
  EXPECT_EQ(page->stack->layers[1].name, "(no namespace)");
  EXPECT_EQ(page->stack->columns[0].values, (std::vector<uint64_t>{120, 72, 0}));
}

TEST_F(Series, LeavesOutWhatCannotBeReadAndSaysSo) {
  const std::string good = Write("a.cairn", 1, 1), bad = Touch("b.cairn");
  const PagePointer page = Loaded({.view = View::kTimeline, .files = {good, bad}});
  ASSERT_EQ(page->notices.size(), 1u);
  EXPECT_TRUE(page->notices[0].text.starts_with("Left out: ")) << page->notices[0].text;
  EXPECT_EQ(page->stack->columns.size(), 1u);
  EXPECT_FALSE(loader_.Load({.view = View::kTimeline, .files = {bad}}, work_));  // nothing to show
}

}  // namespace
}  // namespace cairn::presentation
