#include "viewer/presentation/pages/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

void AddNotices(std::string& text, const Page& page) {
  for (const Notice& notice : page.notices) {
    text += VisibleText(notice.text) + "\n";
    if (!notice.advice.empty()) text += "    " + VisibleText(notice.advice) + "\n";
  }
}

void AddFacts(std::string& text, const Page& page) {
  size_t width = 0;
  for (const Fact& fact : page.facts) width = std::max(width, fact.name.size());
  for (const Fact& fact : page.facts) text += fmt::format("{:<{}}  {}\n", fact.name, width, VisibleText(fact.value));
}

void AddChart(std::string& text, const BarChart& chart) {
  text += "\n" + chart.title + "\n";
  for (const Bar& bar : chart.bars) text += fmt::format("  {:<40}  {}\n", VisibleText(bar.label), bar.words);
}

void AddStack(std::string& text, const StackedChart& chart) {
  text += "\n" + chart.title + "\n";
  for (const StackedColumn& column : chart.columns) {
    const uint64_t whole = std::accumulate(column.values.begin(), column.values.end(), uint64_t{0});
    text += fmt::format("  {}  {}\n", column.label, HumanBytes(whole));
    for (size_t i = 0; i < chart.layers.size(); ++i)
      if (column.values[i] > 0)
        text += fmt::format("      {:<40}  {}\n", VisibleText(chart.layers[i].name), HumanBytes(column.values[i]));
  }
}

void AddTiles(std::string& text, const std::vector<Tile>& tiles, uint64_t most) {
  for (size_t i = 0; i < std::min<size_t>(tiles.size(), most); ++i)
    text += fmt::format("  {:>12}  {}\n", HumanBytes(tiles[i].weight), VisibleText(tiles[i].label));
}

void AddHeap(std::string& text, const HeapMap& map) {
  for (const HeapStrip& strip : map.strips) text += fmt::format("  {:<8}  {}\n", strip.name, strip.words);
}

// Each with what lies on it, further in.
void AddFlame(std::string& text, const FlameGraph& flame, uint64_t most) {
  for (size_t i = 0; i < std::min<size_t>(flame.boxes.size(), most); ++i)
    text += fmt::format("  {:>12}  {:{}}{}\n", HumanBytes(flame.boxes[i].bytes), "", 2 * flame.boxes[i].level,
                        VisibleText(flame.boxes[i].name));
}

void AddGraph(std::string& text, const AllocationGraph& graph, uint64_t most) {
  for (size_t i = 0; i < std::min<size_t>(graph.links.size(), most); ++i)
    text += fmt::format("  {:>12}  {} → {}\n", HumanBytes(graph.links[i].bytes),
                        VisibleText(graph.nodes[graph.links[i].from].name),
                        VisibleText(graph.nodes[graph.links[i].to].name));
}

void AddTable(std::string& text, const Section& section, uint64_t most) {
  text += "\n" + section.title + (section.note.empty() ? "" : " (" + section.note + ")") + "\n";
  if (section.table->RowCount() == 0) {
    text += section.empty + "\n";
    return;
  }
  StringSink sink;
  TextTable rows(sink, TextStyle{});
  Emit(*section.table, most, rows);
  text += sink.Text();
}

}  // namespace

std::string PageText(const Page& page, const Place& place, uint64_t most_rows) {
  std::string text = page.heading + "\n$ " + CommandOf(place) + "\n";
  if (CommandOf(place) != ViewCommandOf(place)) text += "$ " + ViewCommandOf(place) + "\n";
  text += "\n";
  AddNotices(text, page);
  AddFacts(text, page);
  if (page.memory) AddChart(text, *page.memory);
  for (const BarChart& chart : page.charts) AddChart(text, chart);
  if (page.stack) AddStack(text, *page.stack);
  if (page.heap) AddHeap(text, *page.heap);
  if (page.flame) AddFlame(text, *page.flame, most_rows);
  if (page.graph) AddGraph(text, *page.graph, most_rows);
  AddTiles(text, page.tiles, most_rows);
  for (const Section& section : page.sections) AddTable(text, section, most_rows);
  return text;
}

}  // namespace cairn::presentation
