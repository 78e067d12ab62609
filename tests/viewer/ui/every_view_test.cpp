// Every view on every kind of snapshot: drawn, clicked, sorted, filtered, left and come back to, in many sizes.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/bench/analysis/synthetic_heap.h"
#include "tests/viewer/ui/headless.h"
#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using presentation::ViewInfo;
using snapshot::testing::SnapshotBuilder;
using testing::Headless;

// More by hand: CAIRN_UI_OBJECTS=5000000.
uint64_t ManyObjects() {
  const char* given = std::getenv("CAIRN_UI_OBJECTS");
  return given ? std::strtoull(given, nullptr, 10) : 200'000;
}

class EveryView : public ::testing::Test {
 protected:
  ~EveryView() override { std::filesystem::remove(path_); }

  Tab& Here() { return window_.TheShell().Current(); }
  Place At(const ViewInfo& info) const {
    Place place = Place::Of(info.view, path_);
    if (info.least_files > 1) place.files.push_back(path_);
    if (info.view == View::kObject || info.view == View::kPaths) place.object = 0;
    if (info.view == View::kSql) place.sql = "SELECT object, type, bytes FROM objects LIMIT 1000";
    return place;
  }
  // At least 20 frames.
  void Open(const Place& place) {
    window_.TheShell().Open(place);
    window_.Settle();
  }

  // Sorts by its first column, up and down; the rows stay as many.
  void Sort(const std::string& title) {
    if (!window_.Has(title)) return;
    const uint64_t rows = window_.Page().sections.at(0).table->RowCount();
    window_.Click(title);
    EXPECT_EQ(Here().Where().sort.size(), 1u) << title;
    window_.Click(title);
    EXPECT_EQ(window_.Page().sections.at(0).table->RowCount(), rows) << title;
  }

  // By what is in no row, then by nothing again: the rows come back.
  void Filter(const ViewInfo& info) {
    if (!window_.Has("filter") || info.view == View::kObjects || Here().Failure() || window_.Page().sections.empty())
      return;
    const uint64_t rows = window_.Page().sections[0].table->RowCount();
    window_.Press('F', true);
    window_.Type("no row has this");
    EXPECT_EQ(Here().Where().filter, "no row has this") << info.word;
    ASSERT_FALSE(Here().Failure()) << info.word;
    EXPECT_EQ(window_.Page().sections.at(0).table->RowCount(), 0u) << info.word;
    window_.Press('A', true);
    window_.Press(testing::kDeleteKey);
    EXPECT_EQ(Here().Where().filter, "") << info.word;
    EXPECT_EQ(window_.Page().sections.at(0).table->RowCount(), rows) << info.word;
    window_.Press(testing::kEscapeKey);
    window_.ClickAt(1, 799);  // leaves the field
  }

  // To another view, back and forward again: where one was, and with what was there.
  void GoAndComeBack(const ViewInfo& info) {
    const Place place = Here().Where();
    const char* other = info.view == View::kTypes ? "view.roots" : "view.types";
    window_.Click(other);
    EXPECT_NE(Here().Where().view, place.view) << info.word;
    window_.Press(testing::kLeftKey, false, true);
    EXPECT_EQ(Here().Where(), place) << info.word;
    window_.Press(testing::kRightKey, false, true);
    EXPECT_NE(Here().Where().view, place.view) << info.word;
    window_.Click("back");
    EXPECT_EQ(Here().Where(), place) << info.word;
  }

  void ClickAround(const ViewInfo& info) {
    Filter(info);
    GoAndComeBack(info);
    const Place place = Here().Where();
    for (const auto& [width, height] : {std::pair{320.f, 200.f}, {2560.f, 1600.f}, {1280.f, 800.f}})
      window_.Resize(width, height);
    if (!window_.Page().sections.empty()) {
      const auto& section = window_.Page().sections[0];
      const auto columns = section.table->Columns();
      const size_t first = section.shown.empty() ? 0 : section.shown.front();
      if (!columns.empty() && info.view != View::kOverview)
        Sort("table0.title." + presentation::ColumnId(columns[first]));
    }
    for (const int key : {testing::kDownKey, testing::kPageDownKey, testing::kEndKey, testing::kHomeKey})
      window_.Press(key);
    window_.Wheel(-5);
    EXPECT_EQ(Here().Where().view, place.view);
    const Place before = Here().Where();
    window_.Press(testing::kEnterKey);
    if (Here().Where() != before) window_.Press(testing::kLeftKey, false, true);
    EXPECT_EQ(Here().Where().view, place.view) << info.word;
    window_.Settle();
    EXPECT_FALSE(Here().Failure()) << info.word << ": " << Here().Failure()->message;
  }

  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("cairn-every-view-" + std::to_string(getpid()) + ".cairn")).string();
  Headless window_;
};

TEST_F(EveryView, OfManyObjectsCanBeWorkedIn) {
  ASSERT_TRUE(bench::WriteSyntheticHeap(path_, ManyObjects()));
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files == 0) continue;
    Open(At(info));
    ASSERT_FALSE(Here().Failure()) << info.word << ": " << Here().Failure()->message;
    EXPECT_GT(window_.Vertices(), 500u) << info.word;
    ClickAround(info);
  }
}

// A dozen of objects, as in the samples of the presentation.
TEST_F(EveryView, OfFewObjectsCanBeWorkedIn) {
  ASSERT_TRUE(bench::WriteSyntheticHeap(path_, 12));
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files == 0) continue;
    Open(At(info));
    ASSERT_FALSE(Here().Failure()) << info.word << ": " << Here().Failure()->message;
    ClickAround(info);
  }
}

TEST_F(EveryView, OfManyObjectsFilters) {
  ASSERT_TRUE(bench::WriteSyntheticHeap(path_, 20'000));
  Open(Place::Of(View::kTypes, path_));
  const uint64_t all = window_.Page().sections.at(0).table->RowCount();
  window_.Press('F', true);
  window_.Type("string");
  EXPECT_LT(window_.Page().sections.at(0).table->RowCount(), all);
  EXPECT_GT(window_.Page().sections.at(0).table->RowCount(), 0u);
}

// Objects come in the session's orders; of two columns the table's own sort makes the order.
TEST_F(EveryView, ObjectsSortByTwoColumns) {
  ASSERT_TRUE(bench::WriteSyntheticHeap(path_, 20'000));
  Open(Place::Of(View::kObjects, path_).Sorted({{"type", true}, {"bytes", false}}));
  const presentation::Table& table = *window_.Page().sections.at(0).table;
  ASSERT_GT(table.RowCount(), 10'000u);
  enum { kType = 2, kBytes = 3 };
  for (uint64_t row = 1; row < table.RowCount(); ++row) {
    const auto before = table.Row(row - 1), here = table.Row(row);
    ASSERT_LE(before[kType], here[kType]) << row;
    if (before[kType] == here[kType]) {
      ASSERT_GE(before[kBytes], here[kBytes]) << row;
    }
  }
}

TEST_F(EveryView, OfAnEmptyHeapSaysSo) {
  SnapshotBuilder builder;
  ASSERT_TRUE(builder.Write(path_));
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files == 0 || info.view == View::kObject || info.view == View::kPaths) continue;
    Open(At(info));
    ASSERT_FALSE(Here().Failure()) << info.word << ": " << Here().Failure()->message;
    ClickAround(info);
  }
}

// The second chunk is damaged: small tables and the first chunk can be read, references cannot be followed.
TEST_F(EveryView, OfADamagedFileShowsWhatItCanAndWhatToDo) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node");
  for (int i = 0; i < 70'000; ++i) builder.Object("", node);
  builder.BeforeChunk([](stream::ChunkHeader& header) {
    if (header.sequence == 1) header.end_address += 8;
  });
  ASSERT_TRUE(builder.Write(path_));
  size_t shown = 0;
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files == 0) continue;
    Open(At(info));
    if (Here().Failure()) {
      EXPECT_FALSE(Here().Failure()->message.empty()) << info.word;
      EXPECT_FALSE(Here().Failure()->hint.empty()) << info.word;
      EXPECT_TRUE(window_.Has("try again")) << info.word;
      continue;
    }
    ++shown;
    ClickAround(info);
  }
  // Overview, types, objects, timeline, heap, notes.
  EXPECT_GE(shown, 6u);
}

TEST_F(EveryView, OfAFileCutShortSaysWhatToDo) {
  ASSERT_TRUE(bench::WriteSyntheticHeap(path_, 20'000));
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files == 0) continue;
    Open(At(info));
    ASSERT_TRUE(Here().Failure() || !window_.Page().notices.empty()) << info.word;
    if (Here().Failure()) {
      EXPECT_FALSE(Here().Failure()->hint.empty()) << info.word << ": " << Here().Failure()->message;
    }
  }
}

}  // namespace
}  // namespace cairn::ui
