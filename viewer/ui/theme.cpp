#include "viewer/ui/theme.h"

#include <sys/stat.h>

#include <array>
#include <cmath>

namespace cairn::ui {
namespace {

constexpr float kTextPixels = 15, kNumberPixels = 16;
constexpr const char* kTextFonts[] = {"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                                      "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
                                      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"};
constexpr const char* kNumberFonts[] = {"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                                        "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"};
// Latin, Greek, Cyrillic, punctuation, arrows, blocks of sparklines.
constexpr ImWchar kGlyphs[] = {0x20, 0x24F, 0x370, 0x52F, 0x2010, 0x205E, 0x2190, 0x21FF, 0x2581, 0x2588, 0};

// Okabe and Ito's colours, which colour-blind eyes tell apart.
constexpr std::array<ImU32, 8> kHues = {
    IM_COL32(0, 114, 178, 255), IM_COL32(213, 94, 0, 255),   IM_COL32(0, 158, 115, 255),  IM_COL32(204, 121, 167, 255),
    IM_COL32(230, 159, 0, 255), IM_COL32(86, 180, 233, 255), IM_COL32(240, 228, 66, 255), IM_COL32(60, 60, 70, 255)};

template <size_t N>
ImFont* Load(const char* const (&paths)[N], float pixels) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  struct stat file {};
  for (const char* path : paths)
    if (stat(path, &file) == 0)
      if (ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(path, pixels, &config, kGlyphs)) return font;
  config.SizePixels = std::floor(pixels * 13 / 15);
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

void ApplyColours(bool dark, ImGuiStyle& style) {
  dark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
  if (dark) {
    style.Colors[ImGuiCol_WindowBg] = {0.09f, 0.10f, 0.12f, 1};
    style.Colors[ImGuiCol_TableRowBgAlt] = {1, 1, 1, 0.025f};
    style.Colors[ImGuiCol_TableHeaderBg] = {0.14f, 0.16f, 0.19f, 1};
    style.Colors[ImGuiCol_Header] = {0.16f, 0.27f, 0.42f, 1};
    style.Colors[ImGuiCol_HeaderHovered] = {1, 1, 1, 0.07f};
    style.Colors[ImGuiCol_HeaderActive] = {0.20f, 0.33f, 0.50f, 1};
    style.Colors[ImGuiCol_FrameBg] = {0.15f, 0.17f, 0.20f, 1};
    style.Colors[ImGuiCol_PopupBg] = {0.12f, 0.13f, 0.16f, 0.98f};
  } else {
    style.Colors[ImGuiCol_WindowBg] = {0.98f, 0.98f, 0.985f, 1};
    style.Colors[ImGuiCol_TableRowBgAlt] = {0, 0, 0, 0.03f};
    style.Colors[ImGuiCol_TableHeaderBg] = {0.90f, 0.92f, 0.94f, 1};
    style.Colors[ImGuiCol_FrameBg] = {0.90f, 0.92f, 0.95f, 1};
    style.Colors[ImGuiCol_Header] = {0.80f, 0.88f, 0.97f, 1};
    style.Colors[ImGuiCol_HeaderHovered] = {0, 0, 0, 0.06f};
    style.Colors[ImGuiCol_HeaderActive] = {0.70f, 0.82f, 0.95f, 1};
  }
}

ImU32 Mixed(ImU32 colour, float with, float share) {
  ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  c.x += (with - c.x) * share;
  c.y += (with - c.y) * share;
  c.z += (with - c.z) * share;
  return ImGui::ColorConvertFloat4ToU32(c);
}

}  // namespace

ImU32 Theme::Link() const { return dark ? IM_COL32(120, 180, 255, 255) : IM_COL32(0, 84, 166, 255); }
ImU32 Theme::Faint() const { return dark ? IM_COL32(150, 156, 166, 255) : IM_COL32(96, 102, 112, 255); }
ImU32 Theme::Good() const { return dark ? IM_COL32(60, 190, 150, 255) : IM_COL32(0, 120, 90, 255); }
ImU32 Theme::Warning() const { return dark ? IM_COL32(240, 180, 60, 255) : IM_COL32(150, 95, 0, 255); }
ImU32 Theme::Bad() const { return dark ? IM_COL32(255, 130, 90, 255) : IM_COL32(180, 60, 0, 255); }
ImU32 Theme::Note() const { return dark ? IM_COL32(226, 207, 140, 255) : IM_COL32(110, 80, 0, 255); }
ImU32 Theme::Bar() const { return dark ? IM_COL32(64, 128, 190, 255) : IM_COL32(120, 175, 225, 255); }
ImU32 Theme::Rest() const { return dark ? IM_COL32(84, 90, 100, 255) : IM_COL32(205, 210, 216, 255); }
ImU32 Theme::Grid() const { return dark ? IM_COL32(255, 255, 255, 26) : IM_COL32(0, 0, 0, 26); }
ImU32 Theme::Used() const { return dark ? IM_COL32(46, 134, 193, 255) : IM_COL32(0, 104, 168, 255); }
ImU32 Theme::Garbage() const { return dark ? IM_COL32(240, 180, 60, 255) : IM_COL32(230, 159, 0, 255); }
ImU32 Theme::Pinned() const { return dark ? IM_COL32(255, 255, 255, 255) : IM_COL32(20, 22, 26, 255); }
ImU32 Theme::TreeLine() const { return dark ? IM_COL32(20, 22, 26, 255) : IM_COL32(255, 255, 255, 255); }

ImU32 Theme::Tile(size_t group, int depth) const {
  const ImU32 hue = Mixed(kHues[group % kHues.size()], dark ? 0.08f : 0.97f, dark ? 0.45f : 0.55f);
  return Mixed(hue, dark ? 1.0f : 0.0f, depth == 0 ? 0.0f : dark ? 0.12f : 0.08f);
}

ImU32 Theme::OnTile() const { return dark ? IM_COL32(240, 242, 246, 255) : IM_COL32(20, 22, 26, 255); }

void Apply(Theme& theme) {
  ImGuiStyle style;
  ApplyColours(theme.dark, style);
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.FramePadding = {7, 4};
  style.FrameRounding = 3;
  style.TabRounding = 3;
  style.CellPadding = {6, 2};
  style.ItemSpacing = {8, 5};
  style.ScaleAllSizes(theme.scale);
  ImGui::GetStyle() = style;
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  fonts.Clear();
  theme.text = Load(kTextFonts, std::floor(kTextPixels * theme.scale));
  theme.number = Load(kNumberFonts, std::floor(kNumberPixels * theme.scale));
  fonts.Build();
}

}  // namespace cairn::ui
