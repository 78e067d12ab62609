// What the next window finds as it was: tabs, columns, widths; and what it does with a file that is not as it should
// be.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/viewer/presentation/session_sample.h"
#include "tests/viewer/ui/headless.h"

namespace cairn::ui {
namespace {

using presentation::Place;
using presentation::View;
using testing::Headless;

class Memory : public ::testing::Test {
 protected:
  Memory() {
    std::filesystem::create_directories(folder_);
    Start();
  }
  ~Memory() override { std::filesystem::remove_all(folder_); }

  // Ends the window that was there.
  void Start() {
    window_.reset();
    window_ = std::make_unique<Headless>(path_);
  }
  Shell& TheShell() { return window_->TheShell(); }
  Place At(View view) const { return Place::Of(view, sample_.path); }
  void Open(const Place& place) {
    TheShell().Open(place);
    window_->Settle();
  }
  void Write(const std::string& text) const { std::ofstream(path_) << text; }
  float WidthOf(const std::string& column) const {
    const ImVec4 area = window_->Area("table0.title." + column);
    return area.z - area.x;
  }
  // Presses at one point, moves to another in steps, lets go.
  void Drag(ImVec2 from, ImVec2 to) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = from;
    for (int i = 0; i < 3; ++i) window_->Frame();
    io.MouseDown[0] = true;
    for (int i = 0; i <= 20; ++i) {
      const float share = static_cast<float>(i) / 20;
      io.MousePos = {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
      window_->Frame();
    }
    io.MouseDown[0] = false;
    window_->Settle();
  }
  void DragBorderOf(const std::string& column, float by) {
    const ImVec4 title = window_->Area("table0.title." + column);
    const float x = title.z, y = (title.y + title.w) / 2;
    Drag({x, y}, {x + by, y});
  }
  ImVec2 MiddleOf(const std::string& widget) const {
    const ImVec4 area = window_->Area(widget);
    return {(area.x + area.z) / 2, (area.y + area.w) / 2};
  }

  const std::string folder_ =
      (std::filesystem::temp_directory_path() / ("cairn-memory-" + std::to_string(getpid()))).string();
  const std::string path_ = folder_ + "/cairn/desktop.json";
  presentation::testing::SessionSample sample_;
  std::unique_ptr<Headless> window_;
};

TEST_F(Memory, TabsComeBackWithTheirPlaces) {
  const Place types = At(View::kTypes).Sorted({{"type", true}}).Filtered("order");
  Open(types);
  Open(At(View::kTypes).OfObject(3));
  Open(At(View::kTreemap));
  window_->Click("tab.1");
  ASSERT_EQ(TheShell().Current().Where(), At(View::kTypes).OfObject(3));
  Start();
  EXPECT_EQ(TheShell().TabCount(), 1u);  // until it is asked for them
  TheShell().RestoreTabs();
  window_->Settle();
  ASSERT_EQ(TheShell().TabCount(), 3u);
  EXPECT_EQ(TheShell().Current().Where(), At(View::kTypes).OfObject(3));
  window_->Click("tab.0");
  EXPECT_EQ(TheShell().Current().Where(), types);
  EXPECT_EQ(TheShell().Current().Here().filter_text, "order");
  EXPECT_EQ(window_->Page().sections.at(0).table->RowCount(), 2u);
}

TEST_F(Memory, TabsOfAWindowThatWasKilledComeBackToo) {
  Open(At(View::kRoots));
  EXPECT_EQ(LoadSettings(path_).tabs, std::vector<std::string>{presentation::ToText(At(View::kRoots))});
  window_->Click("view.heap");
  EXPECT_EQ(LoadSettings(path_).tabs, std::vector<std::string>{presentation::ToText(At(View::kHeap))});
}

// Opened for another file, the window shows that; what was there before is one key away.
TEST_F(Memory, TheTabsOfLastTimeAreAKeyAway) {
  Open(At(View::kTypes));
  Open(At(View::kRoots));
  Start();
  Open(At(View::kTreemap));
  EXPECT_EQ(TheShell().TabCount(), 1u);
  window_->Press('O', true, false, true);  // Ctrl-Shift-O
  ASSERT_EQ(TheShell().TabCount(), 2u);
  EXPECT_EQ(TheShell().Current().Where(), At(View::kRoots));
}

TEST_F(Memory, ATabWhoseFileIsGoneSaysSo) {
  Open(Place::Of(View::kTypes, folder_ + "/gone.cairn"));
  Start();
  TheShell().RestoreTabs();
  window_->Settle();
  ASSERT_TRUE(TheShell().Current().Failure());
  EXPECT_TRUE(window_->Has("try again"));
}

TEST_F(Memory, WidthsThatWereDrawnComeBack) {
  Open(At(View::kTypes));
  const float before = WidthOf("objects");
  DragBorderOf("objects", 60);
  EXPECT_NEAR(WidthOf("objects"), before + 60, 3);
  const float drawn = WidthOf("objects"), type = WidthOf("type");
  Start();
  Open(At(View::kTypes));
  EXPECT_NEAR(WidthOf("objects"), drawn, 1);
  EXPECT_NEAR(WidthOf("type"), type, 1);
  window_->Press('K', true);
  window_->Click("columns.reset");
  window_->Settle();
  EXPECT_NEAR(WidthOf("objects"), before, 1);
  EXPECT_TRUE(LoadSettings(path_).widths.empty());
}

// Twice the scale, twice the pixels.
TEST_F(Memory, WidthsAreThoseOfAnyScale) {
  Open(At(View::kTypes));
  DragBorderOf("objects", 60);
  const float drawn = WidthOf("objects");
  Start();
  TheShell().SetScreenScale(2);
  window_->Resize(2560, 1600);
  Open(At(View::kTypes));
  EXPECT_NEAR(WidthOf("objects"), 2 * drawn, 3);
}

// Also while the window is open: no number is cut because everything has become larger.
TEST_F(Memory, ColumnsGrowWithTheScale) {
  Open(At(View::kTypes));
  const float before = WidthOf("retained");
  TheShell().SetScreenScale(2);
  window_->Settle();
  EXPECT_NEAR(WidthOf("retained"), 2 * before, 10);
  TheShell().SetScreenScale(1);
  window_->Settle();
  EXPECT_NEAR(WidthOf("retained"), before, 1);
}

TEST_F(Memory, ColumnsThatWereMovedComeBack) {
  Open(At(View::kTypes));
  ASSERT_LT(window_->Area("table0.title.objects").x, window_->Area("table0.title.retained").x);
  Drag(MiddleOf("table0.title.objects"), MiddleOf("table0.title.retained"));
  EXPECT_GT(window_->Area("table0.title.objects").x, window_->Area("table0.title.retained").x);
  EXPECT_TRUE(TheShell().Current().Where().sort.empty());  // a title that was moved was not clicked
  const auto order = LoadSettings(path_).columns.at("types/table0");
  Start();
  Open(At(View::kTypes));
  EXPECT_GT(window_->Area("table0.title.objects").x, window_->Area("table0.title.retained").x);
  Drag(MiddleOf("table0.title.objects"), MiddleOf("table0.title.retained"));  // back
  EXPECT_LT(window_->Area("table0.title.objects").x, window_->Area("table0.title.retained").x);
  EXPECT_NE(LoadSettings(path_).columns.at("types/table0"), order);
  window_->Settle();
  EXPECT_LT(window_->Area("table0.title.objects").x, window_->Area("table0.title.retained").x);  // and so it stays
}

TEST_F(Memory, AFileThatIsNoneOfOursIsAsNone) {
  const Settings usual;
  for (const char* text : {"", "[]", "{", "null", "42", "\"tabs\"", "\xFF\xFE{}", "{\"tabs\": {}, \"widths\": []}",
                           "{\"tab\": -1, \"tabs\": [1, null, {}], \"widths\": {\"a\": 1, \"b\": {\"c\": \"d\"}}}"}) {
    Write(text);
    EXPECT_EQ(LoadSettings(path_), usual) << text;
  }
  Write(std::string(5 << 20, ' ') + "{\"dark\": false}");  // larger than any of ours
  EXPECT_EQ(LoadSettings(path_), usual);
  Write(std::string(100'000, '['));  // nested as no parser likes it
  EXPECT_EQ(LoadSettings(path_), usual);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(LoadSettings(path_), usual);
  SaveSettings(usual, path_);  // cannot be written: nothing is left behind
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ + "/cairn"), {}), 1);
}

TEST_F(Memory, OddTabsAndWidthsAreLeftOut) {
  window_.reset();  // writes as it ends
  Write(R"({"tab": 7, "tabs": ["nonsense?x=%", "types?file=/a.cairn", "object?object=@x", "start"],
            "widths": {"types/table0": {"type": 1e30, "objects": -5, "bytes": "wide"}}})");
  const Settings read = LoadSettings(path_);
  EXPECT_EQ(read.widths, (ColumnWidths{{"types/table0", {{"type", 5000}, {"objects", 0.01f}}}}));
  Start();
  TheShell().RestoreTabs();
  window_->Settle();
  EXPECT_EQ(TheShell().TabCount(), 2u);  // types and start
  EXPECT_EQ(TheShell().Current().Where(), Place());
}

TEST_F(Memory, OfTwoWindowsTheLastOneWinsAsAWhole) {
  Settings mine, theirs;
  mine.tabs = {"start", "start"};
  theirs.tabs = std::vector<std::string>(40, "types?file=/a.cairn");
  theirs.dark = false;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 300; ++i) SaveSettings(theirs, path_);
    _exit(0);
  }
  for (int i = 0; i < 300; ++i) {
    SaveSettings(mine, path_);
    const Settings read = LoadSettings(path_);
    ASSERT_TRUE(read == mine || read == theirs) << i;
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  SaveSettings(mine, path_);
  EXPECT_EQ(LoadSettings(path_), mine);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ + "/cairn"), {}), 1);
}

TEST_F(Memory, ALinkToTheSettingsStaysALink) {
  std::filesystem::create_directories(folder_ + "/dotfiles");
  std::ofstream(folder_ + "/dotfiles/cairn.json") << "{}";
  std::filesystem::remove(path_);
  std::filesystem::create_symlink(folder_ + "/dotfiles/cairn.json", path_);
  Settings light;
  light.dark = false;
  SaveSettings(light, path_);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(LoadSettings(folder_ + "/dotfiles/cairn.json"), light);
}

}  // namespace
}  // namespace cairn::ui
