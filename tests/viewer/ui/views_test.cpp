// What one does in the views: follow a series, ask in SQL, write notes, choose columns, take a page away.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/presentation/session_sample.h"
#include "tests/viewer/ui/headless.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using snapshot::testing::SnapshotBuilder;
using testing::Headless;

class Views : public ::testing::Test {
 protected:
  Views() { std::filesystem::create_directories(folder_); }
  ~Views() override { std::filesystem::remove_all(folder_); }

  Place At(View view) const { return Place::Of(view, sample_.path); }
  Tab& Here() { return window_.TheShell().Current(); }
  const Place& Where() { return Here().Where(); }
  void Open(const Place& place) {
    window_.TheShell().Open(place);
    window_.Settle();
  }
  // Of `nodes` objects of 24 bytes.
  std::string Write(const std::string& name, int nodes) {
    SnapshotBuilder builder;
    const uint32_t node = builder.Class("Shop.Node");
    for (int i = 0; i < nodes; ++i) builder.Object("", node);
    if (!builder.Write(folder_ + "/" + name)) ADD_FAILURE();
    return folder_ + "/" + name;
  }
  static std::string Read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("cairn-views-" + std::to_string(getpid()))).string();
  presentation::testing::SessionSample sample_;
  Headless window_{folder_ + "/cairn/desktop.json"};
};

using Files = std::vector<std::string>;

TEST_F(Views, ATimelineAnswersToTheMouse) {
  const std::string first = Write("a.cairn", 100), last = Write("b.cairn", 200);
  Open({.view = View::kTimeline, .files = {first, last}});
  const ImVec4 stack = window_.Area("stack");
  // The first part of the second column, just above the line of times.
  const float left = ImGui::CalcTextSize("1023.9 MiB").x + 8;
  const float step = std::min((stack.z - stack.x - left) / 2, 120.f), bottom = stack.w - 2 * ImGui::GetFontSize();
  window_.ClickAt(stack.x + left + step * 1.5f, bottom);
  window_.Settle();
  EXPECT_EQ(Where(), (Place{.view = View::kDiff, .files = {first, last}}));
  window_.Click("back");
  window_.Click("layer.0");
  EXPECT_EQ(Where(), Place::Of(View::kTypes, last).OfType("Shop.Node"));
  window_.Click("back");
  window_.Click("fact.Stacked by");
  EXPECT_EQ(Where().by, "namespace");
  EXPECT_EQ(window_.Page().stack->layers[0].name, "Shop");
}

TEST_F(Views, ATimelineAnswersToKeys) {
  const std::string first = Write("a.cairn", 100), last = Write("b.cairn", 200);
  Open({.view = View::kTimeline, .files = {first, last}});
  window_.Press(testing::kLeftKey);
  EXPECT_EQ(Here().Here().column, 1u);  // the last one first
  window_.Press(testing::kLeftKey);
  window_.Press(testing::kLeftKey);
  EXPECT_EQ(Here().Here().column, 0u);
  window_.Press(testing::kRightKey);
  window_.Press(' ');
  EXPECT_EQ(Where(), (Place{.view = View::kDiff, .files = {first, last}}));
}

TEST_F(Views, ATimelineGrowsWithItsSeries) {
  const std::string first = Write("shop_7_20260101_120000_0001.cairn", 100);
  Open(Place::Of(View::kTimeline, first));
  EXPECT_TRUE(window_.TheShell().WatchesSeries());
  EXPECT_FALSE(window_.TheShell().HasNews());
  EXPECT_EQ(window_.Page().stack->columns.size(), 1u);
  const std::string second = Write("shop_7_20260101_120100_0002.cairn", 200);
  window_.Settle();
  EXPECT_EQ(Where().files, (Files{first, second}));
  EXPECT_EQ(window_.Page().stack->columns.size(), 2u);
  // All of it from any of its files.
  window_.TheShell().Open(Place::Of(View::kTimeline, second));
  EXPECT_EQ(Where().files, (Files{first, second}));
}

TEST_F(Views, SqlIsAskedAndRemembered) {
  Open(At(View::kSql));
  window_.Click("query.text");
  window_.Type("SELECT object, type FROM objects WHERE type='Shop.Order'");
  window_.Press(testing::kEnterKey, true);
  EXPECT_EQ(Where().sql, "SELECT object, type FROM objects WHERE type='Shop.Order'");
  EXPECT_EQ(window_.Page().sections.at(0).table->RowCount(), 3u);
  EXPECT_EQ(window_.TheShell().GetSettings().queries.size(), 1u);
  window_.Click("table0.0.object");
  EXPECT_EQ(Where().view, View::kObject);
  window_.Click("back");
  window_.Click("query.history");
  EXPECT_TRUE(window_.Has("query.history.0"));
}

TEST_F(Views, WrongSqlIsToldBelowItsField) {
  Open(At(View::kSql).Asking("SELECT nonsense FROM objects"));
  ASSERT_TRUE(Here().Failure());
  EXPECT_EQ(Here().Failure()->code, "query.invalid");
  EXPECT_TRUE(window_.Has("query.text"));
  EXPECT_EQ(Here().Here().query_text, "SELECT nonsense FROM objects");
}

TEST_F(Views, NotesStayWithTheirSnapshot) {
  Open(At(View::kTypes).OfObject(3));
  window_.Press('N', true);
  window_.Type("held by the cache");
  window_.Press('N', true);
  EXPECT_TRUE(window_.Has("note"));
  Open(At(View::kNotes));
  const auto& notes = *window_.Page().sections.at(0).table;
  ASSERT_EQ(notes.RowCount(), 1u);
  EXPECT_EQ(std::get<std::string>(notes.At(0, 0)), "@3");
  EXPECT_EQ(std::get<std::string>(notes.At(0, 1)), "held by the cache");
  window_.Click("table0.0.about");
  EXPECT_EQ(Where(), At(View::kTypes).OfObject(3));
  // Another window finds it; the note of a copy of the file is the same.
  const presentation::NoteBook book(folder_ + "/cairn/notes.json");
  EXPECT_EQ(book.Get(*window_.Page().subject), "held by the cache");
}

TEST_F(Views, ANoteThatIsBeingWrittenIsKeptWhenOneGoesOn) {
  Open(At(View::kTypes).OfObject(3));
  window_.Press('N', true);
  window_.Type("half");
  window_.Press(testing::kEscapeKey);  // leaves the field, which gives back what was there
  window_.Click("note.text");
  window_.Type("whole");
  Open(At(View::kNotes));
  EXPECT_EQ(window_.TheShell().Notes().Get({window_.Page().subject->snapshot, "@3"}), "whole");
}

TEST_F(Views, ColumnsAreChosenAndRemembered) {
  Open(At(View::kTypes));
  ASSERT_TRUE(window_.Has("table0.title.objects"));
  window_.Press('K', true);
  window_.Click("columns.objects");
  EXPECT_FALSE(window_.Has("table0.title.objects"));
  EXPECT_EQ(LoadSettings(folder_ + "/cairn/desktop.json").columns.count("types/table0"), 1u);
  window_.Click("columns.objects");  // comes back as the last one
  EXPECT_TRUE(window_.Has("table0.title.objects"));
  EXPECT_EQ(window_.TheShell().GetSettings().columns.at("types/table0").back(), "objects");
  window_.Click("columns.reset");
  EXPECT_TRUE(window_.TheShell().GetSettings().columns.empty());
}

TEST_F(Views, TablesAreExported) {
  const std::string path = folder_ + "/out.csv";
  Open(At(View::kTypes).Filtered("order"));
  window_.Press('E', true);
  window_.Type(path);
  window_.Press(testing::kEnterKey);
  EXPECT_NE(Read(path).find("Shop.Order[],"), std::string::npos) << Read(path);
  EXPECT_EQ(Read(path).find("Shop.Cache,"), std::string::npos);
  EXPECT_FALSE(window_.Has("export.path"));  // closed
  window_.Press('E', true);
  window_.Type(path);
  window_.Press(testing::kEnterKey);
  EXPECT_TRUE(window_.Has("export.path"));  // it is there already: told in place
  window_.Click("export.replace");
  window_.Click("export.start");
  EXPECT_FALSE(window_.Has("export.path"));
}

TEST_F(Views, PagesAreCopiedAsText) {
  Open(At(View::kRoots));
  window_.Press('T', true, false, true);
  EXPECT_TRUE(window_.Clipboard().starts_with("Roots\n$ cairn roots " + sample_.path)) << window_.Clipboard();
  EXPECT_NE(window_.Clipboard().find("Shop.Cache.Instance"), std::string::npos);
}

TEST_F(Views, TheHeapMapLeadsToItsObjects) {
  Open(At(View::kHeap));
  ASSERT_TRUE(window_.Page().heap);
  EXPECT_EQ(window_.Page().heap->strips.size(), 3u);  // gen0, gen2, frozen
  const ImVec4 cells = window_.Area("cells");
  window_.ClickAt(cells.x + 3, cells.y + ImGui::GetTextLineHeightWithSpacing() + 3);
  window_.Settle();
  EXPECT_EQ(Where().view, View::kObjects);
  EXPECT_EQ(Where().generation, "gen0");
}

TEST_F(Views, TheHeapMapAnswersToKeys) {
  Open(At(View::kHeap));
  window_.Press(testing::kRightKey, false, false, true);
  EXPECT_EQ(Here().Here().column, 0u);
  EXPECT_TRUE(window_.Has("chosen cell"));
  window_.Press(testing::kDownKey, false, false, true);  // of the next strip
  EXPECT_EQ(Here().Here().column, 1u);
  EXPECT_FALSE(Here().Here().tables[0].selected);  // the table's keys are others
  window_.Press(testing::kRightKey, false, false, true);
  window_.Press(testing::kRightKey, false, false, true);
  EXPECT_EQ(Here().Here().column, 2u);  // gen0, gen2, frozen: there are no more
  window_.Press(testing::kLeftKey, false, false, true);
  window_.Press(' ');
  EXPECT_EQ(Where().view, View::kObjects);
  EXPECT_EQ(Where().generation, "gen2");
}

// Long ones above leave room for the short ones below.
TEST_F(Views, AllTablesOfThePageOfWasteAreSeen) {
  SnapshotBuilder builder;
  builder.Capture().strings = "hash";
  const auto keep = [&](snapshot::testing::Target object) {
    builder.Root(snapshot::RootKind::kStatic, std::move(object), "Shop.Kept");
  };
  const uint32_t text = builder.String();
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    for (int copy = 0; copy < 2; ++copy) keep(builder.StringOf("", text, "text " + number));
    keep(builder.Array("", builder.ReferenceArray("Shop.Kind" + number + "[]"), 1000, {}));
    const uint32_t boxed = builder.Class("Shop.Number" + number, {}, 8);
    builder.TypeAt(boxed).kind = snapshot::TypeKind::kBoxedStruct;
    keep(builder.Object("", boxed));
  }
  const uint32_t connection = builder.Class("Shop.Connection", {"_stream"});
  builder.ValueField(connection, "_disposed", 1, 0x02, "System.Boolean");
  const auto closed = builder.Object("", connection);
  builder.Value(closed, "_disposed", 1);
  keep(closed);
  const std::string path = folder_ + "/waste.cairn";
  ASSERT_TRUE(builder.Write(path));
  window_.Resize(1280, 640);
  Open(Place::Of(View::kWaste, path));
  ASSERT_EQ(window_.Page().sections.size(), 4u);
  EXPECT_EQ(window_.Page().sections[3].title, "Disposed and still held");
  const float line = ImGui::GetTextLineHeight();
  for (const std::string table : {"table0", "table1", "table2", "table3"}) {
    ASSERT_TRUE(window_.Has(table)) << table;
    const ImVec4 area = window_.Area(table);
    EXPECT_GE(area.w - area.y, 2 * line) << table;  // titles and a row
    EXPECT_LE(area.w, 640 - line) << table;         // above the status line
  }
  window_.Click("table3.0.objects");
  EXPECT_EQ(Where(), Place::Of(View::kObjects, path).OfType("Shop.Connection"));
}

TEST_F(Views, AProcessTellsItsPauseBeforehand) {
  window_.Live().rows = {{42, "shop", "me", "10.0.12", 1 << 20, true, std::nullopt},
                         {43, "other", "root", "", 0, false, "it belongs to root"}};
  window_.Settle();
  window_.Click("start.look");
  const ImVec4 told = window_.Area("start.pause.42");
  EXPECT_GT(told.z - told.x, 30);  // "12.0 ms + GC"; of what cannot be captured nothing is told
  window_.Live().result = sample_.path;
  window_.Click("start.capture.42");
  ASSERT_EQ(window_.Live().wishes.size(), 1u);
  EXPECT_EQ(window_.Live().wishes[0].max_pause_ms, 0u);
}

TEST_F(Views, TheWindowComesBackAsItWas) {
  window_.TheShell().SetWindowSize(1500, 700, false);
  window_.TheShell().SetWindowSize(2560, 1440, true);
  const std::string path = folder_ + "/settings.json";
  SaveSettings(window_.TheShell().GetSettings(), path);
  const Settings again = LoadSettings(path);
  EXPECT_EQ(again.width, 1500);
  EXPECT_EQ(again.height, 700);
  EXPECT_TRUE(again.maximized);
  std::ofstream(path) << R"({"width": 1, "height": 99999999999, "columns": {"a": [], "b": ["x", 3]}, "queries": 7})";
  const Settings odd = LoadSettings(path);
  EXPECT_EQ(odd.width, 200);
  EXPECT_EQ(odd.height, 16'384);
  EXPECT_EQ(odd.columns, (ColumnChoices{{"b", {"x"}}}));
}

}  // namespace
}  // namespace cairn::ui
