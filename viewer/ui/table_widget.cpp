#include "viewer/ui/table_widget.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/tables/arranged_table.h"

namespace cairn::ui {
namespace {

using presentation::Cell;
using presentation::Column;
using presentation::Place;
using presentation::RowView;
using presentation::SortKey;

constexpr uint64_t kWheelRows = 3;

class TableDrawing {
 public:
  TableDrawing(const presentation::Section& section, TableState& state, const TableLook& look,
               const PanelContext& context)
      : section_(section),
        state_(state),
        look_(look),
        context_(context),
        columns_(section.table->Columns()),
        rows_(section.table->RowCount()),
        shown_(ShownColumns()) {}

  void Draw() {
    ImGui::PushID(look_.name.c_str());
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    if (ImGui::BeginChild("rows", {0, look_.height}, false, kFlags)) {
      Measure();
      HandleWheel();
      if (look_.has_keyboard && context_.has_keyboard) HandleKeys();
      state_.first_row = std::min(state_.first_row, LastFirstRow());
      DrawRows();
      DrawScrollbar();
      DrawColumnChoice();
    }
    ImGui::EndChild();
    Mark(context_.probe, look_.name);
    ImGui::PopID();
  }

 private:
  void Measure() {
    row_height_ = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const float room = ImGui::GetContentRegionAvail().y - row_height_;  // under the titles
    visible_ = static_cast<uint64_t>(std::max(1.0f, std::floor(room / row_height_)));
  }

  uint64_t LastFirstRow() const { return rows_ > visible_ ? rows_ - visible_ : 0; }
  bool IsScrolled() const { return rows_ > visible_; }

  void ScrollBy(int64_t rows) {
    const int64_t first = static_cast<int64_t>(state_.first_row) + rows;
    state_.first_row = std::min(first < 0 ? 0 : static_cast<uint64_t>(first), LastFirstRow());
  }

  void HandleWheel() {
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel != 0 && ImGui::IsWindowHovered())
      ScrollBy(static_cast<int64_t>(std::lround(-wheel * static_cast<float>(kWheelRows))));
  }

  void HandleKeys() {
    if (rows_ == 0) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    const bool alt = ImGui::GetIO().KeyAlt;
    if (context_.page.heap && ImGui::GetIO().KeyShift) return;  // the map's
    if (pressed(ImGuiKey_DownArrow)) Select(state_.selected ? *state_.selected + 1 : state_.first_row);
    if (pressed(ImGuiKey_UpArrow)) Select(state_.selected.value_or(1) - (state_.selected == 0u ? 0 : 1));
    if (pressed(ImGuiKey_PageDown)) Select(state_.selected.value_or(state_.first_row) + visible_);
    if (pressed(ImGuiKey_PageUp)) Select(state_.selected.value_or(0) - std::min(state_.selected.value_or(0), visible_));
    if (pressed(ImGuiKey_Home)) Select(0);
    if (pressed(ImGuiKey_End)) Select(rows_ - 1);
    if (context_.place.view != presentation::View::kTimeline && !alt && !shown_.empty()) {
      if (pressed(ImGuiKey_LeftArrow) && state_.cell > 0) --state_.cell;
      if (pressed(ImGuiKey_RightArrow)) ++state_.cell;
      state_.cell = std::min(state_.cell, shown_.size() - 1);
    }
    if (pressed(ImGuiKey_Enter) && !alt && state_.selected) FollowRow(*state_.selected);
    if (ImGui::GetIO().KeyCtrl && pressed(ImGuiKey_C) && state_.selected) CopyRow(*state_.selected);
  }

  void Select(uint64_t row) {
    state_.selected = std::min(row, rows_ - 1);
    if (*state_.selected < state_.first_row) state_.first_row = *state_.selected;
    if (*state_.selected >= state_.first_row + visible_) state_.first_row = *state_.selected - visible_ + 1;
  }

  void FollowRow(uint64_t row) {
    if (!section_.link || shown_.empty() || row >= rows_) return;
    const std::vector<Cell> cells = section_.table->Row(row);
    const size_t column = shown_[std::min(state_.cell, shown_.size() - 1)];
    if (const auto target = section_.link(RowView(columns_, cells), ColumnId(columns_[column])))
      context_.Follow(*target, ImGui::GetIO().KeyCtrl);
  }

  void CopyRow(uint64_t row) {
    const std::vector<Cell> cells = section_.table->Row(row);
    for (const size_t column : shown_)
      context_.wishes.copy +=
          (context_.wishes.copy.empty() ? "" : "\t") + presentation::TextOf(cells[column], columns_[column].format);
  }

  // ---- titles ----

  // What somebody chose, as far as the table has it; else what it shows by itself.
  std::vector<size_t> ShownColumns() const {
    if (!context_.settings) return section_.shown;
    const auto choice = context_.settings->columns.find(ChoiceName());
    if (choice == context_.settings->columns.end()) return section_.shown;
    std::vector<size_t> shown;
    for (const std::string& id : choice->second)
      for (size_t i = 0; i < columns_.size(); ++i)
        if (ColumnId(columns_[i]) == id) shown.push_back(i);
    return shown.empty() ? section_.shown : shown;
  }

  std::string ChoiceName() const {
    return std::string(presentation::InfoOf(context_.place.view).word) + "/" + look_.name;
  }

  // Also what is else only in CSV and JSON.
  void DrawColumnChoice() {
    const bool opening = state_.choose_columns || (context_.choose_columns && look_.has_keyboard);
    if (opening) ImGui::OpenPopup("choose columns");
    state_.choose_columns = false;
    if (!ImGui::BeginPopup("choose columns")) return;
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    ImGui::TextDisabled("Columns");
    for (size_t i = 0; i < columns_.size(); ++i) DrawColumnTick(i);
    ImGui::Separator();
    if (ImGui::Selectable("As at first")) context_.wishes.columns = ColumnWish{ChoiceName(), {}};
    Mark(context_.probe, "columns.reset");
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }

  void DrawColumnTick(size_t column) {
    const auto at = std::find(shown_.begin(), shown_.end(), column);
    bool ticked = at != shown_.end();
    const bool is_last = ticked && shown_.size() == 1;
    ImGui::BeginDisabled(is_last);
    const std::string label = columns_[column].title + "##" + std::to_string(column);
    const bool changed = ImGui::Checkbox(label.c_str(), &ticked);
    ImGui::EndDisabled();
    Mark(context_.probe, "columns." + ColumnId(columns_[column]));
    if (!changed) return;
    ColumnWish wish{ChoiceName(), {}};
    for (const size_t shown : shown_)
      if (shown != column) wish.columns.push_back(ColumnId(columns_[shown]));
    if (ticked) wish.columns.push_back(ColumnId(columns_[column]));
    context_.wishes.columns = std::move(wish);
  }

  void DrawRows() {
    const float bar = IsScrolled() ? ImGui::GetStyle().ScrollbarSize : 0;
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_Reorderable |
                                       ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_NoSavedSettings;
    const int count = static_cast<int>(std::min<size_t>(shown_.size(), 60));
    if (count == 0) return;
    if (!ImGui::BeginTable(TableId().c_str(), count, kFlags, {ImGui::GetContentRegionAvail().x - bar, 0})) return;
    for (int i = 0; i < count; ++i) SetUpColumn(columns_[shown_[static_cast<size_t>(i)]]);
    DrawTitles(count);
    for (uint64_t row = state_.first_row; row < std::min(rows_, state_.first_row + visible_); ++row)
      DrawRow(row, count);
    TakeLayout();
    ImGui::EndTable();
  }

  // Widths belong to these columns at this scale: with others it is another table.
  std::string TableId() const {
    std::string id;
    for (const size_t column : shown_) id += ColumnId(columns_[column]) + ",";
    return id + std::to_string(context_.layout) + "," + std::to_string(context_.theme.scale);
  }

  // Texts share what is left, but for those that are short by nature: they are as wide as they need to be.
  static bool IsStretched(const Column& column) {
    constexpr const char* kShort[] = {"kind", "generation", "certain", "root_kind", "root_certain", "address", "start"};
    if (column.format != presentation::Format::kText) return false;
    if (column.title == "Share" || column.title == "Free of it") return false;
    return std::find(std::begin(kShort), std::end(kShort), column.key) == std::end(kShort);
  }

  void SetUpColumn(const Column& column) const {
    const bool text = IsStretched(column);
    const auto drawn = DrawnWidth(ColumnId(column));
    const float width = drawn ? *drawn * (text ? 1 : context_.theme.scale) : text ? WeightOf(column) : 0;
    ImGui::TableSetupColumn(column.title.c_str(),
                            text ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed, width);
  }

  std::optional<float> DrawnWidth(const std::string& id) const {
    if (!context_.settings) return std::nullopt;
    const auto table = context_.settings->widths.find(ChoiceName());
    if (table == context_.settings->widths.end()) return std::nullopt;
    const auto width = table->second.find(id);
    return width == table->second.end() ? std::nullopt : std::optional(width->second);
  }

  // Borders and titles are dragged by ImGui; what comes of it is to be remembered. An order is taken once the title is
  // let go: with it this becomes another table.
  void TakeLayout() const {
    ImGuiTable& table = *ImGui::GetCurrentContext()->CurrentTable;
    if (!context_.settings) return;
    if (table.ResizedColumn >= 0 || table.LastResizedColumn >= 0) TakeWidths(table);
    if (table.IsDefaultDisplayOrder || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    ColumnWish wish{ChoiceName(), {}};
    for (const ImGuiTableColumnIdx column :
         std::span(table.DisplayOrderToIndex.Data, table.DisplayOrderToIndex.DataEnd))
      wish.columns.push_back(ColumnId(columns_[shown_[static_cast<size_t>(column)]]));
    context_.wishes.columns = std::move(wish);
    table.IsResetDisplayOrderRequest = true;
  }

  void TakeWidths(const ImGuiTable& table) const {
    WidthWish wish{ChoiceName(), {}};
    for (int i = 0; i < table.ColumnsCount; ++i) {
      const Column& column = columns_[shown_[static_cast<size_t>(i)]];
      const bool text = IsStretched(column);
      wish.widths[ColumnId(column)] =
          text ? table.Columns[i].StretchWeight : table.Columns[i].WidthRequest / context_.theme.scale;
    }
    context_.wishes.widths = std::move(wish);
  }

  // Types and paths are long; modules are not. A holder is a type with a field, and there are several in a cell.
  static float WeightOf(const Column& column) {
    if (column.key == "holders") return 8;
    if (ColumnId(column) == "text") return 3;
    for (const char* wide :
         {"type", "path", "name", "root_name", "field", "columns", "note", "declared_type", "target_type"})
      if (column.key == wide) return 4;
    return 1.5f;
  }

  void DrawTitles(int count) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int i = 0; i < count; ++i) {
      if (!ImGui::TableSetColumnIndex(i)) continue;
      const Column& column = columns_[shown_[static_cast<size_t>(i)]];
      DrawTitle(column);
    }
  }

  void DrawTitle(const Column& column) {
    const std::string id = ColumnId(column);
    const SortKey* key = KeyOf(id);
    const std::string number = key ? OrderNumber(context_.place.sort, key) : "";
    ImGui::TableHeader((column.title + (key ? " " + number + "   " : "")).c_str());
    Mark(context_.probe, look_.name + ".title." + id);
    const bool released = ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                          ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16;
    if (look_.can_sort && released)
      context_.wishes.rearrange = SortedBy(context_.place, column, ImGui::GetIO().KeyShift);
    if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) OpenOwnMenu();
    if (key) DrawArrow(key->ascending);
    if (look_.can_sort && ImGui::IsItemHovered())
      ImGui::SetTooltip("Click: sort by this. Shift-click: then by this.\nRight-click: choose columns. Drag: move.");
  }

  // In place of ImGui's, which knows only what is shown.
  void OpenOwnMenu() {
    ImGui::GetCurrentContext()->CurrentTable->IsContextPopupOpen = false;
    ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->BeginPopupStack.Size, false);
    state_.choose_columns = true;
  }

  const SortKey* KeyOf(const std::string& id) const {
    if (!look_.can_sort) return nullptr;
    const auto& sort = context_.place.sort;
    const auto at = std::find_if(sort.begin(), sort.end(), [&](const SortKey& key) { return key.column == id; });
    return at == sort.end() ? nullptr : &*at;
  }

  void DrawArrow(bool up) const {
    const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
    const float size = (most.y - least.y) * 0.22f, x = most.x - size * 2, y = (least.y + most.y) / 2;
    const float tip = up ? -size : size;
    ImGui::GetWindowDrawList()->AddTriangleFilled({x - size, y - tip / 2}, {x + size, y - tip / 2}, {x, y + tip / 2},
                                                  context_.theme.Link());
  }

  // The number of a column tells which key of the order it is, where there are several.
  static std::string OrderNumber(const std::vector<SortKey>& sort, const SortKey* key) {
    return sort.size() < 2 ? "" : std::to_string(key - sort.data() + 1);
  }

  // ---- rows ----

  void DrawRow(uint64_t row, int count) {
    const std::vector<Cell> cells = section_.table->Row(row);
    const RowView view(columns_, cells);
    ImGui::TableNextRow(0, row_height_);
    ImGui::PushID(static_cast<int>(row - state_.first_row));
    for (int i = 0; i < count; ++i) {
      if (!ImGui::TableSetColumnIndex(i)) continue;
      const size_t column = shown_[static_cast<size_t>(i)];
      if (i > 0 && state_.selected == row && state_.cell == static_cast<size_t>(i))
        ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ImGui::GetColorU32(ImGuiCol_HeaderActive));
      DrawCell(row, view, cells[column], columns_[column], i == 0);
    }
    ImGui::PopID();
  }

  void DrawCell(uint64_t row, const RowView& view, const Cell& cell, const Column& column, bool first) {
    const ImVec2 start = ImGui::GetCursorPos();
    if (first) DrawSelector(row);
    ImGui::SetCursorPos(start);
    const std::string id = ColumnId(column), text = presentation::TextOf(cell, column.format);
    const auto target = section_.link ? section_.link(view, id) : std::nullopt;
    ImFont* font = column.IsNumeric() || IsTrend(text) ? context_.theme.number : nullptr;
    if (font) ImGui::PushFont(font);
    if (column.IsNumeric()) AlignRight(text);
    DrawText(text, target, column);
    if (font) ImGui::PopFont();
    Mark(context_.probe, look_.name + "." + std::to_string(row) + "." + id);
  }

  void DrawSelector(uint64_t row) {
    constexpr ImGuiSelectableFlags kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap;
    if (ImGui::Selectable("##row", state_.selected == row, kFlags, {0, ImGui::GetTextLineHeight()}))
      state_.selected = row;
  }

  // Bars of a sparkline, which only the font of numbers has: U+2581 to U+2588.
  static bool IsTrend(const std::string& text) { return text.starts_with("\xE2\x96"); }

  static void AlignRight(const std::string& text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  }

  void DrawText(const std::string& text, const std::optional<Place>& target, const Column& column) const {
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_link = target && LooksLikeLink(column);
    if (is_link) ImGui::PushStyleColor(ImGuiCol_Text, context_.theme.Link());
    DrawWords(text, room, IsPath(column));
    if (is_link) ImGui::PopStyleColor();
    if (!ImGui::IsItemHovered()) return;
    if (column.format == presentation::Format::kText && ImGui::GetItemRectSize().x > room) DrawWholeText(text);
    if (target) DrawHoveredLink(*target);
  }

  // Also longer than the window is wide.
  static void DrawWholeText(const std::string& text) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetIO().DisplaySize.x * 0.8f);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }

  static bool IsPath(const Column& column) {
    return column.key == "path" || column.key == "holders" || column.key == "root_name" || column.key == "name";
  }

  // What is too long for its column ends in an ellipsis, or has it in the middle.
  static void DrawWords(const std::string& text, float room, bool in_the_middle) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str()), at = ImGui::GetCursorScreenPos();
    if (size.x <= room) return ImGui::TextUnformatted(text.c_str());
    ImGui::ItemSize(size);
    ImGui::ItemAdd({at, {at.x + size.x, at.y + size.y}}, 0);
    if (in_the_middle) {
      const std::string shown = WithoutMiddle(text, room);
      return ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
    }
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {at.x + room, at.y + size.y}, at.x + room, at.x + room,
                              text.data(), text.data() + text.size(), &size);
  }

  // Other texts lead on too, and show it under the mouse: a page in one colour would be hard to read.
  static bool LooksLikeLink(const Column& column) {
    return column.IsNumeric() || column.key == "type" || column.key == "table" || column.key == "about";
  }

  void DrawHoveredLink(const Place& target) const {
    const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddLine({least.x, most.y - 1}, {most.x, most.y - 1}, context_.theme.Link());
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16)
      context_.Follow(target, ImGui::GetIO().KeyCtrl);
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Middle)) context_.Follow(target, true);
  }

  // In whole rows of 64 bits: a position in pixels would be a float, which is exact to 16 million.
  void DrawScrollbar() {
    if (!IsScrolled()) return;
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImRect area = window->InnerRect;
    area.Min.x = area.Max.x - ImGui::GetStyle().ScrollbarSize;
    area.Min.y += row_height_;
    ImS64 first = static_cast<ImS64>(state_.first_row);
    ImGui::ScrollbarEx(area, ImGui::GetID("scrollbar"), ImGuiAxis_Y, &first, static_cast<ImS64>(visible_),
                       static_cast<ImS64>(rows_), ImDrawFlags_RoundCornersNone);
    state_.first_row = static_cast<uint64_t>(std::max<ImS64>(first, 0));
    if (context_.probe)
      context_.probe->areas[look_.name + ".scrollbar"] = {area.Min.x, area.Min.y, area.Max.x, area.Max.y};
  }

  const presentation::Section& section_;
  TableState& state_;
  const TableLook& look_;
  const PanelContext& context_;
  const std::vector<Column> columns_;
  const uint64_t rows_;
  const std::vector<size_t> shown_;  // columns
  float row_height_ = 0;
  uint64_t visible_ = 1;
};

}  // namespace

Place SortedBy(const Place& place, const Column& column, bool add) {
  const std::string id = ColumnId(column);
  const bool first_up = !column.IsNumeric();
  const auto now =
      std::find_if(place.sort.begin(), place.sort.end(), [&](const SortKey& key) { return key.column == id; });
  std::vector<SortKey> keys = add ? place.sort : std::vector<SortKey>();
  std::erase_if(keys, [&](const SortKey& key) { return key.column == id; });
  if (now == place.sort.end())
    keys.push_back({id, first_up});
  else if (now->ascending == first_up)
    keys.push_back({id, !first_up});
  return place.Sorted(std::move(keys));
}

std::string WithoutMiddle(const std::string& text, float room) {
  const auto is_start = [&](size_t at) { return at == text.size() || (static_cast<uint8_t>(text[at]) & 0xC0) != 0x80; };
  // `kept` bytes of each end, and no half letter.
  const auto cut = [&](size_t kept) {
    size_t head = kept, tail = text.size() - kept;
    while (!is_start(head)) --head;
    while (!is_start(tail)) ++tail;
    return text.substr(0, head) + "…" + text.substr(tail);
  };
  size_t least = 0, most = text.size() / 2;
  while (least < most) {
    const size_t middle = (least + most + 1) / 2;
    if (ImGui::CalcTextSize(cut(middle).c_str()).x <= room)
      least = middle;
    else
      most = middle - 1;
  }
  return cut(least);
}

void DrawTable(const presentation::Section& section, TableState& state, const TableLook& look,
               const PanelContext& context) {
  if (section.table->RowCount() == 0) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.Faint());
    ImGui::TextWrapped("%s", section.empty.c_str());
    ImGui::PopStyleColor();
    return;
  }
  TableDrawing(section, state, look, context).Draw();
}

}  // namespace cairn::ui
