#include "viewer/ui/allocation_charts.h"

#include <algorithm>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::ui {
namespace {

using presentation::AllocationGraph;
using presentation::FlameGraph;
using presentation::GraphNode;
using presentation::PlacedBox;
using presentation::PlacedLink;
using presentation::Rectangle;
using presentation::VisibleText;

constexpr float kBarWidth = 12, kNodeGap = 6;
constexpr int kPieces = 10;         // that a curve is drawn with
constexpr size_t kMostLinks = 400;  // the largest: the others are too thin to be seen
constexpr double kThinnest = 0.3;   // of a link
constexpr ImU32 kFadedAlpha = 40, kLinkAlpha = 110;

ImU32 WithAlpha(ImU32 colour, ImU32 alpha) { return (colour & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT); }

// The same name has the same colour everywhere; types have hues of their own.
ImU32 ColourOf(const std::string& name, bool is_type, const Theme& theme) {
  uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  constexpr size_t kMethodHues[] = {1, 4, 6};  // warm
  constexpr size_t kTypeHues[] = {0, 5};       // blue
  return theme.Tile(is_type ? kTypeHues[hash % 2] : kMethodHues[hash % 3], static_cast<int>(hash / 8 % 3));
}

// The end of a name says most; never through the middle of a character.
std::string Shortened(const std::string& name, float room) {
  if (ImGui::CalcTextSize(name.c_str()).x <= room) return name;
  size_t from = 0;
  const float dots = ImGui::CalcTextSize("…").x;
  while (from < name.size() && ImGui::CalcTextSize(name.c_str() + from).x + dots > room) {
    ++from;
    while (from < name.size() && (static_cast<uint8_t>(name[from]) & 0xC0) == 0x80) ++from;
  }
  return from == name.size() ? std::string() : "…" + name.substr(from);
}

bool Pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }
bool HasModifier() { return ImGui::GetIO().KeyAlt || ImGui::GetIO().KeyCtrl; }
bool WantsNewTab() { return ImGui::GetIO().KeyCtrl; }

class FlameDrawing {
 public:
  FlameDrawing(const FlameGraph& graph, const PanelContext& context)
      : graph_(graph), context_(context), state_(context.visit.flame) {}

  void Draw() {
    if (graph_.boxes.empty()) return;
    Forget();
    if (context_.has_keyboard && !HasModifier()) HandleKeys();
    DrawLine();
    if (ImGui::BeginChild("flame")) DrawBoxes();
    ImGui::EndChild();
    Mark(context_.probe, "flame");
  }

 private:
  // The page may have been loaded anew from another file.
  void Forget() {
    if (state_.chosen >= graph_.boxes.size()) state_.chosen.reset();
    if (state_.zoom >= graph_.boxes.size()) state_.zoom.reset();
  }

  void HandleKeys() {
    if (Pressed(ImGuiKey_Backspace)) ZoomOut();
    std::optional<size_t>& chosen = state_.chosen;
    const auto move = [&](ImGuiKey key, auto next) {
      if (!Pressed(key)) return;
      if (const std::optional<size_t> to = chosen ? next(*chosen) : state_.zoom.value_or(0)) chosen = to;
      follow_ = true;
    };
    move(ImGuiKey_DownArrow, [&](size_t box) { return presentation::CalleeOf(graph_, box); });
    move(ImGuiKey_UpArrow, [&](size_t box) { return graph_.boxes[box].parent; });
    move(ImGuiKey_LeftArrow, [&](size_t box) { return presentation::SiblingOf(graph_, box, false); });
    move(ImGuiKey_RightArrow, [&](size_t box) { return presentation::SiblingOf(graph_, box, true); });
    if (chosen && (Pressed(ImGuiKey_Enter) || Pressed(ImGuiKey_Space))) Answer(*chosen, false);
  }

  void ZoomOut() {
    if (state_.zoom) state_.zoom = graph_.boxes[*state_.zoom].parent;
  }

  void Answer(size_t box, bool new_tab) {
    if (graph_.boxes[box].is_type) return context_.Follow(context_.place.OfType(graph_.boxes[box].name), new_tab);
    state_.zoom = state_.zoom == box ? std::nullopt : std::optional(box);
  }

  // What is chosen, or how the picture is read.
  void DrawLine() {
    const auto box = state_.chosen ? state_.chosen : state_.zoom;
    std::string words = "As wide as the bytes that were allocated there; a click enlarges a method.";
    if (box) words = presentation::FlameWords(graph_, *box);
    std::replace(words.begin(), words.end(), '\n', ' ');
    ImGui::TextDisabled("%s", VisibleText(words).c_str());
  }

  void DrawBoxes() {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, row = ImGui::GetTextLineHeight() + 4 * context_.theme.scale;
    LayOut(width, row);
    const bool pressed = ImGui::InvisibleButton(
        "boxes", {std::max(width, 1.0f), std::max(row * static_cast<float>(graph_.levels), 1.0f)});
    Mark(context_.probe, "boxes");
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const PlacedBox* hovered =
        ImGui::IsItemHovered() ? presentation::BoxAt(state_.placed, mouse.x - origin.x, mouse.y - origin.y) : nullptr;
    for (const PlacedBox& placed : state_.placed) DrawBox(placed, origin, &placed == hovered);
    ShowChosen(row);
    if (!hovered) return;
    ImGui::SetTooltip("%s", WordsOf(hovered->box).c_str());
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!pressed) return;
    state_.chosen = hovered->box;
    Answer(hovered->box, WantsNewTab());
  }

  std::string WordsOf(size_t box) const {
    const std::string words = presentation::FlameWords(graph_, box);
    const size_t end = words.rfind('\n');
    return VisibleText(words.substr(0, end)) + words.substr(end);
  }

  void LayOut(float width, float row) {
    if (state_.page == &context_.page && state_.width == width && state_.row == row && state_.drawn_zoom == state_.zoom)
      return;
    state_.page = &context_.page;
    state_.width = width;
    state_.row = row;
    state_.drawn_zoom = state_.zoom;
    state_.placed = presentation::LayOutFlame(graph_, state_.zoom, width, row);
  }

  void DrawBox(const PlacedBox& placed, ImVec2 origin, bool hovered) {
    const presentation::FlameBox& box = graph_.boxes[placed.box];
    const ImVec2 least{origin.x + static_cast<float>(placed.area.x), origin.y + static_cast<float>(placed.area.y)};
    const ImVec2 most{least.x + static_cast<float>(placed.area.width),
                      least.y + static_cast<float>(placed.area.height) - 1};
    if (!ImGui::IsRectVisible(least, most)) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(least, most, ColourOf(box.name, box.is_type, context_.theme));
    const bool marked = hovered || state_.chosen == placed.box;
    if (marked || placed.area.width >= 3)
      list.AddRect(least, most, marked ? ImGui::GetColorU32(ImGuiCol_Text) : context_.theme.TreeLine());
    if (placed.area.width < 2 * placed.area.height) return;
    if (box.is_type) context_.Hint(least, context_.place.OfType(box.name));
    const std::string name = Shortened(VisibleText(box.name), static_cast<float>(placed.area.width) - 6);
    list.AddText({least.x + 3, least.y + context_.theme.scale}, context_.theme.OnTile(), name.c_str());
  }

  // Scrolled to, where keys moved it out of sight.
  void ShowChosen(float row) {
    if (!follow_ || !state_.chosen) return;
    const float top = row * static_cast<float>(graph_.boxes[*state_.chosen].level);
    const float scroll = ImGui::GetScrollY(), high = ImGui::GetWindowHeight();
    if (top < scroll || top + row > scroll + high) ImGui::SetScrollY(std::max(top - high / 2, 0.0f));
  }

  const FlameGraph& graph_;
  const PanelContext& context_;
  FlameState& state_;
  bool follow_ = false;
};

class GraphDrawing {
 public:
  GraphDrawing(const AllocationGraph& graph, const PanelContext& context)
      : graph_(graph), context_(context), state_(context.visit.graph) {}

  void Draw() {
    if (graph_.nodes.empty()) return;
    if (state_.chosen >= graph_.nodes.size()) state_.chosen.reset();
    ImGui::TextDisabled("As high as the bytes that flow there: callers left, the types that were allocated right.");
    const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    if (room.x < 20 || room.y < 20) return;
    LayOut(room);
    if (context_.has_keyboard && !HasModifier()) HandleKeys();
    const bool pressed = ImGui::InvisibleButton("graph", room);
    Mark(context_.probe, "graph");
    if (ImGui::IsItemHovered()) FindHovered(origin);
    const auto focus = hovered_ ? hovered_ : state_.chosen;
    if (focus) lit_ = presentation::ConnectedTo(graph_, *focus);
    for (size_t i = 0; i < std::min(kMostLinks, state_.picture.links.size()); ++i) DrawLink(i, origin);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) DrawNode(i, origin);
    Answer(pressed);
  }

 private:
  void LayOut(ImVec2 room) {
    if (state_.page == &context_.page && state_.width == room.x && state_.height == room.y) return;
    state_.page = &context_.page;
    state_.width = room.x;
    state_.height = room.y;
    const float scale = context_.theme.scale;
    state_.picture = presentation::LayOutGraph(graph_, {0, 0, room.x, room.y}, kBarWidth * scale, kNodeGap * scale);
  }

  // The first key chooses the largest type.
  void HandleKeys() {
    std::optional<size_t>& chosen = state_.chosen;
    if (Pressed(ImGuiKey_Backspace)) chosen.reset();
    const auto move = [&](ImGuiKey key, auto next) {
      if (!Pressed(key)) return;
      if (const std::optional<size_t> to = chosen ? next(*chosen) : LargestType()) chosen = to;
    };
    const presentation::GraphPicture& picture = state_.picture;
    move(ImGuiKey_LeftArrow, [&](size_t node) { return presentation::MainNeighbour(graph_, node, false); });
    move(ImGuiKey_RightArrow, [&](size_t node) { return presentation::MainNeighbour(graph_, node, true); });
    move(ImGuiKey_UpArrow, [&](size_t node) { return presentation::NodeBeside(graph_, picture, node, false); });
    move(ImGuiKey_DownArrow, [&](size_t node) { return presentation::NodeBeside(graph_, picture, node, true); });
    if (chosen && (Pressed(ImGuiKey_Enter) || Pressed(ImGuiKey_Space))) Follow(*chosen, false);
  }

  std::optional<size_t> LargestType() const {
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (graph_.IsType(i)) return i;
    return std::nullopt;
  }

  void Follow(size_t node, bool new_tab) {
    if (graph_.IsType(node)) context_.Follow(context_.place.OfType(graph_.nodes[node].name), new_tab);
  }

  void FindHovered(ImVec2 origin) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    hovered_ = presentation::NodeAt(state_.picture, mouse.x - origin.x, mouse.y - origin.y);
    if (!hovered_) hovered_link_ = presentation::LinkAt(state_.picture, mouse.x - origin.x, mouse.y - origin.y);
  }

  bool IsLit(size_t from, size_t to) const { return lit_.empty() || (lit_[from] && lit_[to]); }

  // In pieces, each with straight edges.
  void DrawLink(size_t index, ImVec2 origin) {
    const PlacedLink& placed = state_.picture.links[index];
    if (placed.height < kThinnest) return;
    const presentation::GraphLink& link = graph_.links[placed.link];
    const ImU32 colour = WithAlpha(ColourOf(graph_.nodes[link.to].name, graph_.IsType(link.to), context_.theme),
                                   !IsLit(link.from, link.to) ? kFadedAlpha
                                   : hovered_link_ == index   ? 255
                                                              : kLinkAlpha);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double high = std::max(placed.height, 1.0);
    const auto at = [&](int piece, double below) {
      const double x = placed.left + (placed.right - placed.left) * piece / kPieces;
      return ImVec2{origin.x + static_cast<float>(x),
                    origin.y + static_cast<float>(presentation::LinkTop(placed, x) + below)};
    };
    for (int piece = 0; piece < kPieces; ++piece)
      list.AddQuadFilled(at(piece, 0), at(piece + 1, 0), at(piece + 1, high), at(piece, high), colour);
  }

  void DrawNode(size_t node, ImVec2 origin) {
    const Rectangle& area = state_.picture.nodes[node];
    const GraphNode& of = graph_.nodes[node];
    const ImVec2 least{origin.x + static_cast<float>(area.x), origin.y + static_cast<float>(area.y)};
    const ImVec2 most{least.x + static_cast<float>(area.width), least.y + static_cast<float>(area.height)};
    const bool lit = lit_.empty() || lit_[node];
    const ImU32 colour = of.is_rest ? context_.theme.Rest() : ColourOf(of.name, graph_.IsType(node), context_.theme);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(least, most, lit ? colour : WithAlpha(colour, kFadedAlpha));
    const bool marked = hovered_ == node || state_.chosen == node;
    if (marked) list.AddRect(least, most, ImGui::GetColorU32(ImGuiCol_Text));
    DrawName(of, {most.x, least.y}, static_cast<float>(area.height), marked, lit);
    if (graph_.IsType(node) && area.height >= ImGui::GetTextLineHeight() / 2)
      context_.Hint(least, context_.place.OfType(of.name));
  }

  // Where the node leaves room for it.
  void DrawName(const GraphNode& node, ImVec2 at, float high, bool marked, bool lit) {
    const float line = ImGui::GetTextLineHeight(), pad = 4 * context_.theme.scale;
    if (high + kNodeGap * context_.theme.scale < line && !marked) return;
    const float room = static_cast<float>(state_.picture.column_width) - kBarWidth * context_.theme.scale - 2 * pad;
    const std::string name = Shortened(VisibleText(node.name), room);
    ImGui::GetWindowDrawList()->AddText({at.x + pad, at.y + (high - line) / 2},
                                        lit ? ImGui::GetColorU32(ImGuiCol_Text) : context_.theme.Faint(), name.c_str());
  }

  void Answer(bool pressed) {
    if (hovered_) {
      Tell(presentation::NodeWords(graph_, *hovered_));
      if (!pressed) return;
      state_.chosen = hovered_;
      Follow(*hovered_, WantsNewTab());
    } else if (hovered_link_) {
      Tell(presentation::LinkWords(graph_, state_.picture.links[*hovered_link_].link));
    } else if (pressed) {
      state_.chosen.reset();
    }
  }

  static void Tell(const std::string& words) {
    const size_t end = words.rfind('\n');
    ImGui::SetTooltip("%s%s", VisibleText(words.substr(0, end)).c_str(), words.substr(end).c_str());
  }

  const AllocationGraph& graph_;
  const PanelContext& context_;
  GraphState& state_;
  std::optional<size_t> hovered_, hovered_link_;
  std::vector<bool> lit_;  // by node; empty: all are
};

}  // namespace

void DrawFlame(const FlameGraph& graph, const PanelContext& context) { FlameDrawing(graph, context).Draw(); }

void DrawAllocationGraph(const AllocationGraph& graph, const PanelContext& context) {
  GraphDrawing(graph, context).Draw();
}

}  // namespace cairn::ui
