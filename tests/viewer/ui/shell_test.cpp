// Every panel drawn without a window, and what mouse and keyboard do to where one is.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "snapshot-format/testing/snapshot_builder.h"
#include "tests/viewer/presentation/session_sample.h"
#include "tests/viewer/ui/headless.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using presentation::ViewInfo;
using snapshot::testing::SnapshotBuilder;
using testing::Headless;

class Window : public ::testing::Test {
 protected:
  Window() {
    const auto folder = std::filesystem::temp_directory_path();
    extra_ = (folder / ("cairn-ui-" + std::to_string(getpid()) + ".cairn")).string();
  }
  ~Window() override { std::filesystem::remove(extra_); }

  Place At(View view) const { return Place::Of(view, sample_.path); }
  const Place& Where() { return window_.TheShell().Current().Where(); }
  void Open(const Place& place) {
    window_.TheShell().Open(place);
    window_.Settle();
  }

  uint64_t Rows(size_t section = 0) { return window_.Page().sections.at(section).table->RowCount(); }
  std::string FirstType() {
    const auto& table = *window_.Page().sections.at(0).table;
    return presentation::RowView(table.Columns(), table.Row(0)).Text("type");
  }

  presentation::testing::SessionSample sample_;
  std::string extra_;
  Headless window_;
};

TEST_F(Window, DrawsEveryViewInEverySize) {
  for (const ViewInfo& info : presentation::Views()) {
    Place place = info.most_files == 0 ? Place() : At(info.view);
    if (info.view == View::kDiff) place.files.push_back(sample_.path);
    if (info.object) place.object = 0;
    Open(place);
    EXPECT_EQ(Where(), place);
    EXPECT_FALSE(window_.TheShell().Current().Failure()) << info.word;
    EXPECT_GT(window_.Vertices(), 500u) << info.word;
    for (const auto& [width, height] : {std::pair{320.f, 200.f}, {40.f, 30.f}, {2560.f, 1600.f}, {1280.f, 800.f}})
      window_.Resize(width, height);
    EXPECT_EQ(Where(), place);
  }
}

TEST_F(Window, DrawsAnEmptyHeap) {
  SnapshotBuilder builder;
  ASSERT_TRUE(builder.Write(extra_));
  for (const ViewInfo& info : presentation::Views()) {
    if (info.most_files != 1 || info.view == View::kObject) continue;
    Open(Place::Of(info.view, extra_));
    EXPECT_FALSE(window_.TheShell().Current().Failure()) << info.word;
    if (!window_.Page().sections.empty()) {
      EXPECT_EQ(window_.Page().sections[0].table->RowCount(), 0u) << info.word;
    }
  }
}

TEST_F(Window, SaysWhatIsWrongWithADamagedFile) {
  std::filesystem::copy(sample_.path, extra_);
  std::filesystem::resize_file(extra_, 5000);
  Open(Place::Of(View::kOverview, extra_));
  ASSERT_TRUE(window_.TheShell().Current().Failure());
  EXPECT_FALSE(window_.TheShell().Current().Failure()->message.empty());
  // Mended: trying again finds it whole.
  std::filesystem::copy(sample_.path, extra_, std::filesystem::copy_options::overwrite_existing);
  window_.Click("try again");
  EXPECT_FALSE(window_.TheShell().Current().Failure());
  EXPECT_EQ(window_.Page().heading, "Overview");
}

TEST_F(Window, ShowsWhatIsReadableOfADamagedFile) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node");
  for (int i = 0; i < 70'000; ++i) builder.Object("", node);
  builder.BeforeChunk([](stream::ChunkHeader& header) {
    if (header.sequence == 1) header.end_address += 8;
  });
  ASSERT_TRUE(builder.Write(extra_));
  for (const View view : {View::kOverview, View::kTypes, View::kObjects}) {
    Open(Place::Of(view, extra_));
    ASSERT_FALSE(window_.TheShell().Current().Failure());
    ASSERT_EQ(window_.Page().notices.size(), 1u);
    EXPECT_TRUE(window_.Page().notices[0].text.starts_with("DAMAGED: ")) << window_.Page().notices[0].text;
  }
  EXPECT_EQ(Rows(), 65'536u);  // the first chunk
}

TEST_F(Window, OpensAnIncompleteSnapshotAndSaysSo) {
  SnapshotBuilder builder;
  builder.Object("a", builder.Class("Node"));
  builder.Problem("walk.stopped", "the walk stopped early");
  builder.BeforeFinish([](snapshot::Summary& summary) { summary.complete = false; });
  ASSERT_TRUE(builder.Write(extra_));
  Open(Place::Of(View::kTypes, extra_));
  ASSERT_GE(window_.Page().notices.size(), 2u);
  EXPECT_EQ(window_.Page().notices[1].text, "the walk stopped early");
  EXPECT_EQ(Rows(), 1u);
}

TEST_F(Window, NumbersLeadOnAndBackLeadsBack) {
  Open(At(View::kTypes));
  EXPECT_EQ(FirstType(), "Shop.Cache");
  window_.Click("table0.2.objects");  // the third row: Shop.Order
  EXPECT_EQ(Where(), At(View::kTypes).OfType("Shop.Order"));
  EXPECT_EQ(Rows(), 2u);
  window_.Click("table0.1.object");
  EXPECT_EQ(Where(), At(View::kTypes).OfObject(3));
  ASSERT_EQ(window_.Page().sections.size(), 3u);
  window_.Press(testing::kLeftKey, false, true);  // Alt-Left
  EXPECT_EQ(Where().view, View::kObjects);
  window_.Click("back");
  EXPECT_EQ(Where(), At(View::kTypes));
  window_.Press(testing::kRightKey, false, true);
  EXPECT_EQ(Where().view, View::kObjects);
  window_.Click("view.roots");
  EXPECT_FALSE(window_.TheShell().Current().CanGoForward());
  EXPECT_EQ(Rows(), 4u);  // a static, a local, a weak handle, and the frozen literal
}

TEST_F(Window, SuspectsComeBelowTheOverview) {
  Open(At(View::kOverview));
  window_.Settle();
  ASSERT_NE(window_.TheShell().Current().Aside(), nullptr);
  EXPECT_EQ(window_.TheShell().Current().Aside()->heading, "What looks like a leak");
  window_.Click("chart1.0");  // the type that retains the most
  EXPECT_EQ(Where(), At(View::kTypes).OfType("Shop.Cache"));
  EXPECT_EQ(window_.TheShell().Current().Aside(), nullptr);
}

TEST_F(Window, TitlesSort) {
  Open(At(View::kTypes));
  window_.Click("table0.title.type");
  EXPECT_EQ(Where().sort, (std::vector<presentation::SortKey>{{"type", true}}));
  window_.Click("table0.title.objects");
  EXPECT_EQ(Where().sort, (std::vector<presentation::SortKey>{{"objects", false}}));
  EXPECT_EQ(FirstType(), "Shop.Order");  // two are reachable, as are two customers; in the order before
  window_.Click("table0.title.type", false, true);
  EXPECT_EQ(Where().sort.size(), 2u);
  EXPECT_EQ(FirstType(), "Shop.Customer");
  for (int i = 0; i < 2; ++i) window_.Click("table0.title.objects");  // up, then the view's own
  EXPECT_EQ(Where().sort.size(), 0u);
  window_.Click("back");  // an order is no place to come back to
  EXPECT_EQ(Where(), Place());
}

TEST_F(Window, FiltersByKeyboard) {
  Open(At(View::kTypes));
  window_.Press('F', true);
  window_.Type("order");
  EXPECT_EQ(Where().filter, "order");
  EXPECT_EQ(Rows(), 2u);
  window_.Type("zzz");
  EXPECT_EQ(Rows(), 0u);
}

TEST_F(Window, RowsAreChosenAndFollowedByKeyboard) {
  Open(At(View::kTypes));
  window_.Press(testing::kDownKey);
  window_.Press(testing::kDownKey);
  EXPECT_EQ(window_.TheShell().Current().Here().tables[0].selected, 1u);
  window_.Press(testing::kEndKey);
  EXPECT_EQ(window_.TheShell().Current().Here().tables[0].selected, 3u);
  window_.Press(testing::kUpKey);
  window_.Press('C', true);
  EXPECT_NE(window_.Clipboard().find("Shop.Order"), std::string::npos);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kTypes).OfType("Shop.Order"));
}

TEST_F(Window, CellsAreChosenAndFollowedByKeyboard) {
  Open(At(View::kTypes));
  window_.Press(testing::kLeftKey);  // no row is chosen yet
  window_.Press(testing::kDownKey);
  window_.Press(testing::kDownKey);
  window_.Press(testing::kDownKey);  // Shop.Order
  window_.Press(testing::kLeftKey);
  EXPECT_EQ(window_.TheShell().Current().Here().tables[0].cell, 0u);
  const auto& shown = window_.Page().sections[0].shown;
  for (size_t i = 0; i < shown.size() + 3; ++i) window_.Press(testing::kRightKey);
  EXPECT_EQ(window_.TheShell().Current().Here().tables[0].cell, shown.size() - 1);
  const auto columns = window_.Page().sections[0].table->Columns();
  const auto retained =
      std::find_if(shown.begin(), shown.end(), [&](size_t i) { return columns[i].key == "retained"; });
  for (size_t i = shown.size() - 1; i > static_cast<size_t>(retained - shown.begin()); --i)
    window_.Press(testing::kLeftKey);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kTypes).OfType("Shop.Order", View::kPaths));
}

TEST_F(Window, OtherTablesOfAPageTakeTheKeysInTurn) {
  Open(At(View::kTypes).OfObject(3));
  const auto& tables = window_.TheShell().Current().Here().tables;
  window_.Press(testing::kDownKey);
  EXPECT_TRUE(tables[0].selected);
  window_.Press(testing::kF6Key);
  window_.Press(testing::kF6Key);
  window_.Press(testing::kDownKey);
  EXPECT_FALSE(tables[1].selected);
  EXPECT_TRUE(tables[2].selected);
  window_.Press(testing::kF6Key);
  EXPECT_EQ(window_.TheShell().Current().Here().keys, 0u);
}

TEST_F(Window, SortsByKeyboard) {
  Open(At(View::kTypes));
  window_.Press('S', true);
  window_.Type("objects");
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where().sort, (std::vector<presentation::SortKey>{{"objects", false}}));
  window_.Press('P', true);
  window_.Type("then sort by type");
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where().sort, (std::vector<presentation::SortKey>{{"objects", false}, {"type", true}}));
  EXPECT_EQ(FirstType(), "Shop.Customer");
  window_.Press(testing::kLeftKey, false, true);  // an order is no place to come back to
  EXPECT_EQ(Where(), Place());
}

TEST_F(Window, LettersLeadWhereTheMouseWould) {
  Open(At(View::kTypes).OfObject(3));
  window_.Type("g");
  ASSERT_TRUE(window_.Has("hint.a"));
  window_.Press(testing::kEscapeKey);
  EXPECT_FALSE(window_.Has("hint.a"));
  window_.Type("g");
  window_.Type("a");  // the first fact: its type
  EXPECT_EQ(Where(), At(View::kTypes).OfType("Shop.Order"));
  EXPECT_FALSE(window_.Has("hint.a"));
  Open(At(View::kTreemap));
  window_.Type("g");
  EXPECT_TRUE(window_.Has("hint.b"));
  window_.ClickAt(5, 795);  // the mouse has come: away with them
  EXPECT_FALSE(window_.Has("hint.b"));
}

TEST_F(Window, LettersLeaveWhatTheyAreOnReadable) {
  Open(At(View::kTypes).OfObject(3));
  const ImVec4 value = window_.Area("fact.Type");
  window_.Type("g");
  const ImVec4 letters = window_.Area("hint.a");
  EXPECT_LE(letters.z, value.x);
  EXPECT_EQ(letters.y, value.y);
}

TEST_F(Window, HintsHaveAsManyLettersAsTheyNeed) {
  EXPECT_EQ(HintLetters(25, 26), "z");
  EXPECT_EQ(HintLetters(0, 27), "aa");
  EXPECT_EQ(HintLetters(26 * 26 - 1, 26 * 26), "zz");
}

TEST_F(Window, CapturesByKeyboard) {
  window_.Live().rows = {{42, "shop", "me", "10.0.12", 1 << 20, true, std::nullopt},
                         {43, "other", "root", "", 0, false, "it belongs to root"}};
  window_.Live().result = sample_.path;
  Open(At(View::kTypes));
  window_.Press('P', true);
  window_.Type("capture");
  EXPECT_TRUE(window_.Has("palette.0"));
  window_.Press(testing::kEnterKey);
  window_.Settle();
  EXPECT_EQ(window_.Live().captured, std::vector<int64_t>{42});  // the other one is not offered
  EXPECT_EQ(Where(), At(View::kOverview));
}

TEST_F(Window, ThePaletteKnowsThePathsOfWhatIsShown) {
  Open(At(View::kTypes).OfObject(3));
  window_.Press('P', true);
  window_.Type("paths");
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kTypes).OfObject(3, View::kPaths));
}

TEST_F(Window, TabsKeepTheirPlaces) {
  Open(At(View::kTypes));
  window_.Click("table0.2.objects", true);
  EXPECT_EQ(window_.TheShell().TabCount(), 2u);
  EXPECT_EQ(Where().view, View::kObjects);
  window_.Press(testing::kTabKey, true);
  EXPECT_EQ(Where(), At(View::kTypes));
  window_.Press('W', true);
  EXPECT_EQ(window_.TheShell().TabCount(), 1u);
  EXPECT_EQ(Where().view, View::kObjects);
  window_.Press('W', true);
  EXPECT_EQ(Where(), Place());  // the last one closed leaves the start
}

TEST_F(Window, ThePaletteLeadsAnywhere) {
  Open(At(View::kOverview));
  window_.Press('P', true);
  window_.Type("@3");
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kTypes).OfObject(3));
  window_.Press('P', true);
  window_.Type("treem");
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kTreemap));
}

TEST_F(Window, ThePaletteSearchesTypesNamespacesAndFields) {
  const auto found = [&](const std::string& text, const std::string& what) {
    for (const PaletteEntry& entry : PaletteEntries(text, At(View::kOverview), {}))
      if (entry.words.starts_with(what)) Open(std::get<Place>(entry.leads_to));
    return Rows();
  };
  EXPECT_EQ(found("Order", "Types"), 2u);  // Shop.Order, Shop.Order[]
  EXPECT_EQ(found("shop.", "Types"), 4u);  // a namespace
  EXPECT_EQ(found("_CUSTOMER", "Fields"), 1u);
  EXPECT_EQ(found("it's", "Fields"), 0u);
  EXPECT_FALSE(window_.TheShell().Current().Failure());
}

TEST_F(Window, ThePaletteComparesWithNoFileThatIsTheOpenOne) {
  const std::vector<std::string> recent = {std::filesystem::absolute("after.cairn").string(),
                                           std::filesystem::absolute("./after.cairn").string(), "/before.cairn"};
  const auto entries = PaletteEntries("compare with", Place::Of(View::kOverview, "after.cairn"), recent);
  std::vector<std::string> offered;
  for (const PaletteEntry& entry : entries)
    if (entry.words.starts_with("Compare with")) offered.push_back(entry.words);
  EXPECT_EQ(offered, std::vector<std::string>{"Compare with the earlier /before.cairn"});
}

TEST_F(Window, TilesZoomAndComeBack) {
  Open(At(View::kTreemap));
  const ImVec4 tiles = window_.Area("tiles");
  window_.ClickAt(tiles.x + 5, tiles.y + 5);  // the largest: cache
  window_.Settle();
  EXPECT_EQ(Where(), At(View::kTreemap).OfObject(0, View::kTreemap));
  window_.Click("fact.Up");
  EXPECT_EQ(Where(), At(View::kTreemap));
}

TEST_F(Window, CopiesWhereOneIs) {
  Open(At(View::kTypes).OfObject(3));
  window_.Click("copy");
  EXPECT_EQ(window_.Clipboard(), "cairn object " + sample_.path + " @3");
  window_.Press('L', true, false, true);
  EXPECT_EQ(window_.Clipboard(), "cairn view " + sample_.path + " --at 'object?object=@3'");
}

TEST_F(Window, KeysAreListed) {
  Open(At(View::kTypes));
  window_.Type("?");
  EXPECT_TRUE(window_.Has("keys"));
  window_.Press(testing::kEscapeKey);
  EXPECT_FALSE(window_.Has("keys"));
}

TEST_F(Window, LightDarkAndLargerWhileItRuns) {
  Open(At(View::kOverview));
  const bool dark = window_.TheShell().GetTheme().dark;
  window_.Press('D', true);
  EXPECT_NE(window_.TheShell().GetTheme().dark, dark);
  for (int i = 0; i < 5; ++i) window_.Press('=', true);
  EXPECT_GT(window_.TheShell().GetTheme().scale, 1.5f);  // 1.1^5 = 1.61
  window_.TheShell().SetScreenScale(2);
  window_.Settle();
  EXPECT_GT(window_.TheShell().GetTheme().scale, 3.0f);
}

TEST_F(Window, CapturesAProcessAndOpensTheResult) {
  window_.Live().rows = {{42, "shop", "me", "10.0.12", 1 << 20, true, std::nullopt},
                         {43, "other", "root", "", 0, false, "it belongs to root"}};
  window_.Live().result = sample_.path;
  window_.Settle();
  window_.Click("start.look");
  window_.Click("start.capture.43");  // cannot be captured
  EXPECT_TRUE(window_.Live().captured.empty());
  window_.Click("start.capture.42");
  EXPECT_EQ(window_.Live().captured, std::vector<int64_t>{42});
  window_.Settle();
  EXPECT_EQ(Where(), At(View::kOverview));
}

TEST_F(Window, ACaptureCanBeCancelled) {
  window_.Live().rows = {{42, "shop", "me", "10.0.12", 1 << 20, true, std::nullopt}};
  window_.Live().waits_for_cancel = true;
  window_.Settle();
  const ImVec4 area = window_.Area("start.capture.42");
  window_.ClickAt((area.x + area.z) / 2, (area.y + area.w) / 2);
  for (int i = 0; i < 3; ++i) window_.Frame();
  ASSERT_TRUE(window_.Has("start.cancel"));
  window_.Click("start.cancel");
  EXPECT_TRUE(window_.Has("try again"));  // the error in its place
  EXPECT_EQ(Where(), Place());
}

TEST_F(Window, ComparesFilesOfLate) {
  std::filesystem::copy(sample_.path, extra_);
  Open(Place::Of(View::kOverview, extra_));
  Open(At(View::kOverview));
  Open(Place());
  window_.Click("start.tick." + extra_);
  window_.Click("start.tick." + sample_.path);
  window_.Click("start.compare");
  EXPECT_EQ(Where(), (Place{.view = View::kDiff, .files = {extra_, sample_.path}}));
  EXPECT_EQ(Rows(), 0u);  // they are equal
}

TEST_F(Window, FilesOfLateAreChosenTickedAndComparedByKeyboard) {
  std::filesystem::copy(sample_.path, extra_);
  Open(Place::Of(View::kOverview, extra_));
  Open(At(View::kOverview));  // now the first of those of late
  Open(Place());
  window_.Press(testing::kEnterKey, true);  // nothing is ticked
  EXPECT_EQ(Where(), Place());
  window_.Press(testing::kDownKey);
  window_.Press(' ');
  window_.Press(testing::kDownKey);
  window_.Press(testing::kDownKey);  // stays at the last one
  window_.Press(' ');
  EXPECT_TRUE(window_.Has("start.compare"));
  window_.Press(testing::kEnterKey, true);
  EXPECT_EQ(Where().view, View::kDiff);
  window_.Click("back");
  window_.Press(testing::kEnterKey, false, false, true);
  EXPECT_EQ(Where().view, View::kTimeline);
  window_.Click("back");
  window_.Press(' ');  // it is still chosen, wherever it stands now; no longer ticked
  EXPECT_FALSE(window_.Has("start.compare"));
  window_.Press(testing::kUpKey);  // the first one, for it was compared last: stays
  window_.Press(testing::kDownKey);
  window_.Press(testing::kEnterKey);
  EXPECT_EQ(Where(), At(View::kOverview));
}

TEST_F(Window, ComparesTheEarliestWithTheLatestInWhateverOrderTheyAreTicked) {
  SnapshotBuilder builder;
  builder.Object("", builder.Class("Node"));
  // A day after the sample, which is of 2026-01-02.
  builder.BeforeFinish([](snapshot::Summary& summary) { summary.capture.captured_at = "2026-01-03T03:04:05Z"; });
  ASSERT_TRUE(builder.Write(extra_));
  Open(At(View::kOverview));
  Open(Place::Of(View::kOverview, extra_));
  Open(Place());
  window_.Click("start.tick." + extra_);  // the latest first, as they are listed
  window_.Click("start.tick." + sample_.path);
  window_.Click("start.compare");
  EXPECT_EQ(Where(), (Place{.view = View::kDiff, .files = {sample_.path, extra_}}));
  window_.Click("back");
  window_.Click("start.timeline");
  EXPECT_EQ(Where(), (Place{.view = View::kTimeline, .files = {sample_.path, extra_}}));
}

TEST_F(Window, FilesThatAreNotThereAreNotRemembered) {
  Open(At(View::kOverview));
  Open(Place::Of(View::kOverview, extra_));  // not written
  EXPECT_EQ(window_.TheShell().GetSettings().recent, std::vector<std::string>{sample_.path});
}

TEST_F(Window, SettingsAreRemembered) {
  const std::string path = extra_ + ".json";
  Settings settings;
  settings.dark = false;
  settings.zoom = 1.5f;
  settings.Remember("/a.cairn");
  settings.Remember("/b.cairn");
  settings.Remember("/a.cairn");
  EXPECT_EQ(settings.recent, (std::vector<std::string>{"/a.cairn", "/b.cairn"}));
  SaveSettings(settings, path);
  EXPECT_EQ(LoadSettings(path), settings);
  std::ofstream(path) << "{\"zoom\": 1e9, \"recent\": [3, \"/c\"], \"dark\": \"no\"}";
  EXPECT_EQ(LoadSettings(path), (Settings{true, 3, {"/c"}}));
  std::ofstream(path) << "[";
  EXPECT_EQ(LoadSettings(path), Settings());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cairn::ui
