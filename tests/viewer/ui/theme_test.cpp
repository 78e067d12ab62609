// Colours that eyes of every kind tell apart.

#include "viewer/ui/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// What of linear red, green and blue such eyes see (Machado, Oliveira, Fernandes 2009, severity 1).
constexpr Matrix kUsual = {Triple{1, 0, 0}, Triple{0, 1, 0}, Triple{0, 0, 1}};
constexpr Matrix kNoRed = {Triple{0.152286, 1.052583, -0.204868}, Triple{0.114503, 0.786281, 0.099216},
                           Triple{-0.003882, -0.048116, 1.051998}};
constexpr Matrix kNoGreen = {Triple{0.367322, 0.860646, -0.227968}, Triple{0.280085, 0.672501, 0.047413},
                             Triple{-0.011820, 0.042940, 0.968881}};
constexpr size_t kHues = 8;

Triple Seen(ImU32 colour, const Matrix& eyes) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  const Triple light = {linear(c.x), linear(c.y), linear(c.z)};
  Triple seen{};
  for (size_t i = 0; i < 3; ++i)
    seen[i] = std::clamp(eyes[i][0] * light[0] + eyes[i][1] * light[1] + eyes[i][2] * light[2], 0.0, 1.0);
  return seen;
}

// CIE L*a*b*, in which 2.3 is what a trained eye just sees.
Triple Lab(const Triple& c) {
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
  const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
  const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double Difference(ImU32 a, ImU32 b, const Matrix& eyes) {
  const Triple one = Lab(Seen(a, eyes)), other = Lab(Seen(b, eyes));
  return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

TEST(Theme, ColourBlindEyesTellTilesApart) {
  for (const bool dark : {true, false}) {
    Theme theme;
    theme.dark = dark;
    for (const Matrix& eyes : {kUsual, kNoRed, kNoGreen})
      for (size_t a = 0; a < kHues; ++a)
        for (size_t b = 0; b < a; ++b)
          EXPECT_GT(Difference(theme.Tile(a, 0), theme.Tile(b, 0), eyes), 5) << a << " and " << b << ", dark " << dark;
  }
}

// What is used, garbage and free lie beside each other in the map of the heap.
TEST(Theme, ColourBlindEyesTellUsedFromGarbageFromFree) {
  for (const bool dark : {true, false}) {
    Theme theme;
    theme.dark = dark;
    for (const Matrix& eyes : {kUsual, kNoRed, kNoGreen}) {
      EXPECT_GT(Difference(theme.Used(), theme.Garbage(), eyes), 20) << dark;
      EXPECT_GT(Difference(theme.Used(), theme.Rest(), eyes), 20) << dark;
      EXPECT_GT(Difference(theme.Garbage(), theme.Rest(), eyes), 20) << dark;
    }
  }
}

}  // namespace
}  // namespace cairn::ui
