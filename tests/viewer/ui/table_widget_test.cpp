// A table of 100 million rows, scrolled by hand.

#include "viewer/ui/table_widget.h"

#include <gtest/gtest.h>

#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::ui {
namespace {

using presentation::Cell;
using presentation::Column;

constexpr uint64_t kRows = 100'000'000;

// Counts what is read of it.
class LongTable : public presentation::Table {
 public:
  std::vector<Column> Columns() const override { return {{"row", "Row", presentation::Format::kCount}}; }
  uint64_t RowCount() const override { return kRows; }
  std::vector<Cell> Row(uint64_t row) const override {
    ++read;
    last = row;
    return {row};
  }
  mutable uint64_t read = 0, last = 0;
};

// The texts of the table of waste.
class HeldTexts : public presentation::Table {
 public:
  std::vector<Column> Columns() const override {
    return {{"type", "Type"}, {"", "Text"}, {"holders", "Held by"}, {"module", "Module"}};
  }
  uint64_t RowCount() const override { return 1; }
  std::vector<Cell> Row(uint64_t) const override { return {"System.String", "\"a\"", "Shop.Order.name", "Shop"}; }
};

class LongTableDrawn : public ::testing::Test {
 protected:
  LongTableDrawn() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key + 1;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    io.Fonts->SetTexID(this);
    section_.table = table_;
    section_.shown = {0};
  }
  ~LongTableDrawn() override { ImGui::DestroyContext(); }

  void Frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("w", nullptr, ImGuiWindowFlags_NoDecoration);
    Wishes wishes;
    const Aside aside;
    const PanelContext context{place_, page_, visit_, theme_, wishes, aside, &probe_};
    DrawTable(section_, state_, {"t"}, context);
    ImGui::End();
    ImGui::Render();
  }
  void Press(ImGuiKey key) {
    ImGui::GetIO().KeysDown[key + 1] = true;
    Frame();
    ImGui::GetIO().KeysDown[key + 1] = false;
    Frame();
  }

  std::shared_ptr<LongTable> table_ = std::make_shared<LongTable>();
  presentation::Section section_;
  TableState state_;
  presentation::Place place_;
  presentation::Page page_;
  Visit visit_{place_, {}};
  Theme theme_;
  Probe probe_;
};

TEST_F(LongTableDrawn, ReadsOnlyWhatIsSeen) {
  Frame();
  EXPECT_GT(table_->read, 5u);
  EXPECT_LT(table_->read, 30u);  // 300 pixels, 17 a row
}

TEST_F(LongTableDrawn, TheLastRowCanBeReached) {
  Frame();
  Press(ImGuiKey_End);
  EXPECT_EQ(state_.selected, kRows - 1);
  EXPECT_EQ(table_->last, kRows - 1);
  Press(ImGuiKey_UpArrow);
  EXPECT_EQ(state_.selected, kRows - 2);
  Press(ImGuiKey_Home);
  EXPECT_EQ(state_.first_row, 0u);
}

// One notch is three rows, also where a float no longer tells neighbours apart.
TEST_F(LongTableDrawn, TheWheelScrollsByRowsEverywhere) {
  ImGui::GetIO().MousePos = {100, 100};
  Frame();
  for (const uint64_t start : {uint64_t{0}, uint64_t{20'000'001}, uint64_t{99'000'001}}) {
    state_.first_row = start;
    Frame();
    ImGui::GetIO().MouseWheel = -1;
    Frame();
    ImGui::GetIO().MouseWheel = 0;
    EXPECT_EQ(state_.first_row, start + 3);
  }
}

TEST_F(LongTableDrawn, TheScrollbarReachesTheMiddle) {
  Frame();
  Frame();
  const ImVec4 bar = probe_.areas.at("t.scrollbar");
  ImGui::GetIO().MousePos = {(bar.x + bar.z) / 2, (bar.y + bar.w) / 2};
  Frame();
  ImGui::GetIO().MouseDown[0] = true;
  Frame();
  Frame();
  ImGui::GetIO().MouseDown[0] = false;
  Frame();
  EXPECT_NEAR(static_cast<double>(state_.first_row), kRows / 2.0, kRows / 20.0);
}

// Of 16.5 shares 8, 4, 3 and 1.5.
TEST_F(LongTableDrawn, HoldersHaveMostOfTheWidth) {
  section_.table = std::make_shared<HeldTexts>();
  section_.shown = {0, 1, 2, 3};
  Frame();
  Frame();
  const auto width = [&](const std::string& column) {
    const ImVec4 area = probe_.areas.at("t.title." + column);
    return area.z - area.x;
  };
  EXPECT_GT(width("holders"), 1.7f * width("type"));
  EXPECT_GT(width("type"), width("text"));
  EXPECT_GT(width("text"), 1.5f * width("module"));
}

// Both ends, as much of them as has room, and no half letter: an arrow is three bytes.
TEST_F(LongTableDrawn, APathIsCutInItsMiddle) {
  Frame();
  ImGui::NewFrame();
  ImGui::Begin("w");
  const std::string path = "static Shop.Cache.Instance → _entries → [].value → _customer → _name";
  const float whole = ImGui::CalcTextSize(path.c_str()).x;
  for (const float share : {0.2f, 0.5f, 0.9f}) {
    const std::string cut = WithoutMiddle(path, whole * share);
    EXPECT_LE(ImGui::CalcTextSize(cut.c_str()).x, whole * share) << cut;
    const size_t at = cut.find("…");
    ASSERT_NE(at, std::string::npos) << cut;
    EXPECT_TRUE(path.starts_with(cut.substr(0, at))) << cut;
    EXPECT_TRUE(path.ends_with(cut.substr(at + 3))) << cut;
    EXPECT_GT(at, 3u) << cut;
    for (const char first : {path[at], cut[at + 3]}) EXPECT_NE(static_cast<unsigned char>(first) & 0xC0, 0x80) << cut;
  }
  EXPECT_EQ(WithoutMiddle(path, 0), "…");
  ImGui::End();
  ImGui::EndFrame();
}

}  // namespace
}  // namespace cairn::ui
