// What a frame of the window costs to build, and what it does beside its frames. No OpenGL: `first_picture.py` measures
// the program itself.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>

#include "tests/bench/analysis/synthetic_heap.h"
#include "tests/viewer/ui/headless.h"
#include "viewer/presentation/layouts/tile_layout.h"
#include "viewer/presentation/tables/arranged_table.h"
#include "viewer/ui/table_widget.h"

namespace cairn::bench {
namespace {

using presentation::Cell;
using presentation::Place;
using presentation::View;

constexpr uint64_t kObjects = 200'000;

// Written once, removed at the end.
class SnapshotFile {
 public:
  SnapshotFile() { (void)WriteSyntheticHeap(path, kObjects); }
  ~SnapshotFile() { std::filesystem::remove(path); }
  const std::string path = std::filesystem::temp_directory_path() / "cairn-ui-bench.cairn";
};

void Frames(benchmark::State& state, View view) {
  static const SnapshotFile file;
  ui::testing::Headless window;
  window.TheShell().Open(Place::Of(view, file.path));
  window.Settle();
  for (auto _ : state) window.Frame();
}
BENCHMARK_CAPTURE(Frames, overview, View::kOverview)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Frames, objects, View::kObjects)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Frames, treemap, View::kTreemap)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Frames, heap_map, View::kHeap)->Unit(benchmark::kMicrosecond);

// Numbers without an order, made as they are asked for.
class LongTable : public presentation::Table {
 public:
  explicit LongTable(uint64_t rows) : rows_(rows) {}
  std::vector<presentation::Column> Columns() const override {
    return {{"row", "Row", presentation::Format::kCount}, {"bytes", "Bytes", presentation::Format::kBytes}};
  }
  uint64_t RowCount() const override { return rows_; }
  std::vector<Cell> Row(uint64_t row) const override { return {row, At(row, 1)}; }
  Cell At(uint64_t row, size_t column) const override { return column == 0 ? row : (row * 0x9E3779B97F4A7C15u) >> 40; }

 private:
  uint64_t rows_;
};

void Sort(benchmark::State& state) {
  const auto table = std::make_shared<LongTable>(static_cast<uint64_t>(state.range(0)));
  analysis::Work work;
  for (auto _ : state)
    benchmark::DoNotOptimize(presentation::ArrangedTable::Arrange(table, "", {{"bytes", false}}, work));
}
BENCHMARK(Sort)->Arg(5'000'000)->Unit(benchmark::kMillisecond)->Iterations(3);

void SortByTwo(benchmark::State& state) {
  const auto table = std::make_shared<LongTable>(static_cast<uint64_t>(state.range(0)));
  analysis::Work work;
  for (auto _ : state)
    benchmark::DoNotOptimize(presentation::ArrangedTable::Arrange(table, "", {{"bytes", false}, {"row", true}}, work));
}
BENCHMARK(SortByTwo)->Arg(5'000'000)->Unit(benchmark::kMillisecond)->Iterations(3);

// Scrolled to its middle, so that positions are past what a float tells apart.
void FrameOfLongTable(benchmark::State& state) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {1280, 800};
  ui::Theme theme;
  Apply(theme);
  io.Fonts->SetTexID(&theme);
  presentation::Section section{"", std::make_shared<LongTable>(100'000'000), nullptr, "", "", {0, 1}};
  ui::TableState rows;
  rows.first_row = 50'000'000;
  const Place place;
  const presentation::Page page;
  ui::Visit visit;
  for (auto _ : state) {
    io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("w", nullptr, ImGuiWindowFlags_NoDecoration);
    ui::Wishes wishes;
    const ui::Aside aside;
    DrawTable(section, rows, {"t"}, {place, page, visit, theme, wishes, aside});
    ImGui::End();
    ImGui::Render();
    ++rows.first_row;
  }
  ImGui::DestroyContext();
}
BENCHMARK(FrameOfLongTable)->Unit(benchmark::kMicrosecond);

void Tiles(benchmark::State& state) {
  std::vector<presentation::Tile> tiles;
  for (uint64_t i = 0; i < 50'000; ++i) tiles.push_back({"", "", 60'000 - i, {}, {}});
  for (auto _ : state) benchmark::DoNotOptimize(presentation::LayOutTiles(tiles, {0, 0, 1280, 800}, 15));
}
BENCHMARK(Tiles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cairn::bench

BENCHMARK_MAIN();
