// Every view of a small heap: what it shows, and where its cells lead.

#include <gtest/gtest.h>

#include <filesystem>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/presentation/session_sample.h"
#include "viewer/presentation/pages/page_loader.h"
#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::presentation {
namespace {

class Pages : public ::testing::Test {
 protected:
  Place At(View view) const { return Place::Of(view, sample_.path); }

  PagePointer Loaded(const Place& place) {
    auto page = loader_.Load(place, work_);
    if (!page) ADD_FAILURE() << ToText(place) << ": " << page.error().message;
    return page ? *page : std::make_shared<Page>();
  }

  static std::optional<Place> Link(const Section& section, uint64_t row, const std::string& column) {
    const auto columns = section.table->Columns();
    const auto cells = section.table->Row(row);
    return section.link(RowView(columns, cells), column);
  }

  static std::vector<std::string> Texts(const Section& section, const std::string& column) {
    const auto columns = section.table->Columns();
    std::vector<std::string> texts;
    for (uint64_t row = 0; row < section.table->RowCount(); ++row)
      texts.push_back(RowView(columns, section.table->Row(row)).Text(column));
    return texts;
  }
  static std::vector<uint64_t> Numbers(const Section& section, const std::string& column) {
    const auto columns = section.table->Columns();
    std::vector<uint64_t> numbers;
    for (uint64_t row = 0; row < section.table->RowCount(); ++row)
      numbers.push_back(RowView(columns, section.table->Row(row)).Number(column).value_or(UINT64_MAX));
    return numbers;
  }

  testing::SessionSample sample_;
  PageLoader loader_{{}};
  analysis::Work work_;
};

using Names = std::vector<std::string>;
using Numbers_ = std::vector<uint64_t>;

TEST_F(Pages, StartHasNone) { EXPECT_EQ(Loaded(Place()), nullptr); }

TEST_F(Pages, EveryViewOfAFileHasOne) {
  for (const ViewInfo& info : Views()) {
    if (info.most_files == 0) continue;
    Place place = At(info.view);
    if (info.view == View::kDiff) place.files.push_back(sample_.path);
    if (info.object) place.object = 0;  // cache, which dominates entries
    const PagePointer page = Loaded(place);
    EXPECT_FALSE(page->heading.empty()) << info.word;
    // Allocations were not sampled: what is said instead.
    EXPECT_TRUE(!page->sections.empty() || !page->tiles.empty() || !page->charts.empty() || !page->notices.empty())
        << info.word;
    EXPECT_EQ(page->subject.has_value(), info.view != View::kTimeline) << info.word;
    for (const Notice& notice : page->notices) EXPECT_EQ(notice.level, Notice::Level::kHint) << notice.text;
    for (const Section& section : page->sections)
      for (uint64_t row = 0; row < section.table->RowCount(); ++row)
        EXPECT_EQ(section.table->Row(row).size(), section.table->Columns().size()) << info.word;
  }
}

// What is no place: gaps, and what an answer of SQL or a note holds.
TEST_F(Pages, EveryNumberIsALink) {
  for (const ViewInfo& info : Views()) {
    if (info.most_files == 0 || info.view == View::kSql || info.view == View::kNotes) continue;
    Place place = At(info.view);
    if (info.view == View::kDiff) place.files.push_back(sample_.path);
    if (info.object) place.object = 0;
    for (const Section& section : Loaded(place)->sections) {
      if (section.table->RowCount() == 0 || section.title == "Gaps by size") continue;
      for (const size_t shown : section.shown) {
        const Column column = section.table->Columns()[shown];
        if (!column.IsNumeric()) continue;
        bool leads = false;  // from some row: null leads nowhere
        for (uint64_t row = 0; row < section.table->RowCount() && section.link; ++row)
          leads |= Link(section, row, ColumnId(column)).has_value();
        EXPECT_TRUE(leads) << info.word << ", " << section.title << ", " << column.title;
      }
    }
  }
}

TEST_F(Pages, OverviewSaysWhereTheBytesAre) {
  const PagePointer page = Loaded(At(View::kOverview));
  ASSERT_EQ(page->charts.size(), 3u);
  // gen2 holds all but lost (32, gen0) and the literal (24, frozen): 256 - 56.
  const auto& generations = page->charts[0].bars;
  ASSERT_EQ(generations.size(), 3u);
  EXPECT_EQ(generations[0].label, "gen0");
  EXPECT_EQ(generations[1].value, 200u);
  EXPECT_EQ(ToText(Place{*generations[1].place}), "objects?generation=gen2&file=" + sample_.path);
  // cache retains itself, its entries and order1: 24 + 88 + 32.
  EXPECT_EQ(page->charts[1].bars.front().label, "Shop.Cache");
  EXPECT_EQ(page->charts[1].bars.front().value, 144u);
}

TEST_F(Pages, PreviewsNeedNoGraph) {
  const auto preview = loader_.Preview(At(View::kTypes), work_);
  ASSERT_TRUE(preview);
  EXPECT_TRUE((*preview)->is_preview);
  // Order 3 × 32, entries 88, customer 2 × 24, cache 24: by bytes, garbage included.
  EXPECT_EQ(Texts((*preview)->sections[0], "type"),
            (Names{"Shop.Order", "Shop.Order[]", "Shop.Customer", "Shop.Cache"}));
  EXPECT_EQ(*loader_.Preview(At(View::kRoots), work_), nullptr);
  Loaded(At(View::kTypes));
  EXPECT_EQ(*loader_.Preview(At(View::kTypes), work_), nullptr);  // the whole page is there already
}

TEST_F(Pages, TypesSortFilterAndLead) {
  const Place types = At(View::kTypes);
  EXPECT_EQ(Texts(Loaded(types)->sections[0], "type"),
            (Names{"Shop.Cache", "Shop.Order[]", "Shop.Order", "Shop.Customer"}));  // retained 144, 120, 64, 48
  EXPECT_EQ(Texts(Loaded(types.Sorted({{"type", true}}))->sections[0], "type"),
            (Names{"Shop.Cache", "Shop.Customer", "Shop.Order", "Shop.Order[]"}));
  const PagePointer filtered = Loaded(types.Filtered("order"));
  EXPECT_EQ(Texts(filtered->sections[0], "type"), (Names{"Shop.Order[]", "Shop.Order"}));
  EXPECT_EQ(*Link(filtered->sections[0], 1, "objects"), types.OfType("Shop.Order"));
  EXPECT_EQ(*Link(filtered->sections[0], 1, "retained"), types.OfType("Shop.Order", View::kPaths));
  EXPECT_TRUE(Link(filtered->sections[0], 1, "unreachable_objects")->unreachable);
}

TEST_F(Pages, ObjectsComeInEveryOrder) {
  const Place orders = At(View::kObjects).OfType("Shop.Order");
  EXPECT_EQ(Numbers(Loaded(orders)->sections[0], "object"), (Numbers_{2, 3}));
  EXPECT_EQ(Numbers(Loaded(orders.Sorted({{"address", false}}))->sections[0], "object"), (Numbers_{3, 2}));
  Place lost = orders;
  lost.unreachable = true;
  EXPECT_EQ(Numbers(Loaded(lost)->sections[0], "object"), (Numbers_{5}));
  Place young = At(View::kObjects);
  young.generation = "frozen";
  EXPECT_EQ(Numbers(Loaded(young)->sections[0], "object"), (Numbers_{6}));
  EXPECT_EQ(*Link(Loaded(orders)->sections[0], 1, "address"), orders.OfObject(3));
  EXPECT_EQ(*Link(Loaded(orders)->sections[0], 1, "retained"), orders.OfObject(3, View::kDominators));
}

TEST_F(Pages, AnObjectShowsFieldsReferrersAndPaths) {
  const PagePointer page = Loaded(At(View::kObject).OfObject(3));  // order2
  ASSERT_EQ(page->sections.size(), 3u);
  EXPECT_EQ(Texts(page->sections[0], "name"), (Names{"_customer", "_next"}));
  EXPECT_EQ(*Link(page->sections[0], 0, "target"), At(View::kObject).OfObject(4));
  EXPECT_FALSE(Link(page->sections[0], 1, "target"));  // null leads nowhere
  EXPECT_EQ(Numbers(page->sections[1], "object"), (Numbers_{1}));
  EXPECT_GT(page->sections[2].table->RowCount(), 0u);
}

TEST_F(Pages, DominatorsAndTilesAreOfOneTree) {
  const PagePointer rows = Loaded(At(View::kDominators));
  const PagePointer tiles = Loaded(At(View::kTreemap));
  // Hanging on no single object: cache 144, order2 32, customer 24, literal 24.
  EXPECT_EQ(Numbers(rows->sections[0], "object"), (Numbers_{0, 3, 4, 6}));
  ASSERT_EQ(tiles->tiles.size(), 4u);
  EXPECT_EQ(tiles->tiles[0].weight, 144u);
  ASSERT_EQ(tiles->tiles[0].parts.size(), 1u);
  EXPECT_EQ(tiles->tiles[0].parts[0].weight, 120u);  // entries 88 + order1 32
  EXPECT_EQ(*tiles->tiles[0].place, At(View::kTreemap).OfObject(0, View::kTreemap));
  EXPECT_EQ(tiles->tiles[1].place->view, View::kObject);  // nothing to zoom into
}

// Orders in two static arrays, of which the second grows by two orders of 24 bytes.
TEST_F(Pages, APathThatGrewLeadsToTheObjectsOfThatPath) {
  const auto write = [](const std::string& path, int in_second) {
    snapshot::testing::SnapshotBuilder builder;
    const uint32_t order = builder.Class("Shop.Order"), list = builder.ReferenceArray("Shop.Order[]", "Shop.Order");
    for (const auto& [name, count] : {std::pair{"first", 3}, std::pair{"second", in_second}}) {
      std::vector<snapshot::testing::Target> orders;
      for (int i = 0; i < count; ++i) orders.emplace_back(builder.Object("", order));
      builder.Root(snapshot::RootKind::kStatic, builder.Array(name, list, orders.size(), orders),
                   std::string("Shop.") + name);
    }
    ASSERT_TRUE(builder.Write(path));
  };
  const std::string before = sample_.path + "-before", after = sample_.path + "-after";
  write(before, 1);
  write(after, 3);
  const PagePointer page = Loaded({.view = View::kDiff, .files = {before, after}});
  ASSERT_EQ(page->sections.size(), 2u);
  const Section& paths = page->sections[1];
  ASSERT_GT(paths.table->RowCount(), 0u);
  EXPECT_EQ(Texts(paths, "path")[0], "static Shop.second → []");
  const auto objects = Link(paths, 0, "objects_2");
  ASSERT_TRUE(objects);
  EXPECT_EQ(objects->type, "Shop.Order");
  EXPECT_EQ(objects->path, Texts(paths, "fingerprint")[0]);
  EXPECT_EQ(objects->files, std::vector<std::string>{after});
  // Of six orders the three in the second array: @4, @5, @6 behind @0 to @2 and the first array.
  EXPECT_EQ(Numbers(Loaded(objects->Sorted({{"address", true}}))->sections[0], "object"), (Numbers_{4, 5, 6}));
  EXPECT_EQ(Loaded(*Link(paths, 0, "type"))->sections[0].table->RowCount(), 6u);
  Place none = *objects;
  none.path = "v1:0";
  EXPECT_EQ(Loaded(none)->sections[0].table->RowCount(), 0u);
  std::filesystem::remove(before);
  std::filesystem::remove(after);
}

// Two "EUR" in orders and one elsewhere; two arrays of equal bytes are not hashed here.
TEST_F(Pages, NumbersOfWasteLeadToTheCopies) {
  snapshot::testing::SnapshotBuilder builder;
  builder.Capture().strings = "all";
  const uint32_t text = builder.String(), order = builder.Class("Shop.Order", {"Currency"});
  std::vector<snapshot::testing::Target> orders;
  for (const char* currency : {"EUR", "USD", "EUR"})
    orders.emplace_back(builder.Object("", order, {builder.StringOf("", text, currency)}));
  builder.Root(snapshot::RootKind::kStatic, builder.Array("", builder.ReferenceArray("Shop.Order[]"), 3, orders),
               "Shop.All");
  const std::string path = sample_.path + "-waste";
  ASSERT_TRUE(builder.Write(path));
  const Place waste = Place::Of(View::kWaste, path);
  const PagePointer page = Loaded(waste);
  const Section& copies = page->sections[0];
  ASSERT_EQ(copies.table->RowCount(), 1u);
  EXPECT_EQ(*Link(copies, 0, "example"), waste.OfObject(0));
  EXPECT_EQ(*Link(copies, 0, "bytes_each"), waste.OfObject(0));
  EXPECT_EQ(*Link(copies, 0, "holders"), waste.OfObject(0, View::kPaths));
  EXPECT_EQ(*Link(copies, 0, "type"), waste.OfType("System.String"));
  for (const char* column : {"copies", "wasted"}) {
    const auto all = Link(copies, 0, column);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->view, View::kSql);
    EXPECT_EQ(Numbers(Loaded(*all)->sections[0], "object"), (Numbers_{0, 4}));  // string, order, string, order, string
  }
  EXPECT_EQ(page->sections[3].title, "Disposed and still held");
  std::filesystem::remove(path);
}

TEST_F(Pages, WhatIsNotThereIsAnError) {
  EXPECT_EQ(loader_.Load(Place::Of(View::kTypes, "/no/such.cairn"), work_).error().kind, ErrorKind::kFailed);
  EXPECT_EQ(loader_.Load(At(View::kObject).OfObject(99), work_).error().code, "object.missing");
  EXPECT_EQ(loader_.Load(At(View::kObject).OfObject(UINT64_MAX), work_).error().code, "object.missing");
  EXPECT_EQ(loader_.Load(At(View::kObjects).OfType("/(/"), work_).error().code, "usage.bad_pattern");
}

TEST_F(Pages, AForgottenFileIsReadAnew) {
  const PagePointer before = Loaded(At(View::kTypes));
  EXPECT_EQ(Loaded(At(View::kTypes)), before);
  loader_.Forget(sample_.path);
  EXPECT_NE(Loaded(At(View::kTypes)), before);
}

}  // namespace
}  // namespace cairn::presentation
