#include "viewer/presentation/layouts/heap_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using snapshot::Range;

constexpr uint64_t kLeastCell = 4096;

// Adds a part of [start, start + bytes) to each cell that it reaches into; `cells` ascend.
template <class Add>
void Spread(std::vector<HeapCell>& cells, size_t& at, uint64_t cell_bytes, uint64_t start, uint64_t bytes, Add add) {
  for (const uint64_t end = start + bytes; start < end;) {
    while (cells[at].address + cell_bytes <= start) ++at;
    const uint64_t part = std::min(end, cells[at].address + cell_bytes) - start;
    add(cells[at], part);
    start += part;
  }
}

class HeapMapper {
 public:
  HeapMapper(const snapshot::Summary& summary, size_t most) : summary_(summary) {
    for (uint32_t i = 0; i < summary.ranges.size(); ++i) order_.push_back(i);
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return summary.ranges[a].start < summary.ranges[b].start; });
    for (cell_bytes_ = kLeastCell; !LayCells(most); cell_bytes_ *= 2) {
    }
  }

  bool CountObjects(const analysis::HeapGraph& graph, const analysis::Reachability& reached, analysis::Work& work) {
    analysis::Stride stride(work);
    for (const uint32_t range : order_) {
      std::vector<HeapCell>& cells = CellsOf(range);
      size_t at = First(cells, summary_.ranges[range].start);
      const bool finished = graph.ForEachIn(range, [&](ObjectIndex object, uint64_t address, uint64_t bytes) {
        const bool reachable = reached.IsReachable(object);
        Spread(cells, at, cell_bytes_, address, bytes, [&](HeapCell& cell, uint64_t part) {
          (reachable ? cell.reachable : cell.unreachable) += part;
          cell.free -= std::min(part, cell.free);
        });
        return stride.Step();
      });
      if (!finished) return false;
    }
    return true;
  }

  void CountPinned(const analysis::HeapGraph& graph) {
    std::vector<ObjectIndex> pinned;
    for (const analysis::ResolvedRoot& root : graph.Roots().Followed()) {
      const bool pins = root.source != snapshot::kNoId && summary_.roots[root.source].pinning;
      if (pins || root.kind == snapshot::RootKind::kHandlePinned) pinned.push_back(root.object);
    }
    std::sort(pinned.begin(), pinned.end());
    pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
    for (const ObjectIndex object : pinned) {
      std::vector<HeapCell>& cells = CellsOf(graph.RangeOf(object));
      ++cells[First(cells, graph.AddressOf(object))].pinned;
    }
  }

  HeapMap Take() {
    HeapMap map{cell_bytes_, {}};
    for (size_t i = 0; i < cells_.size(); ++i)
      if (!cells_[i].empty()) map.strips.push_back(StripOf(static_cast<snapshot::Generation>(i), std::move(cells_[i])));
    return map;
  }

 private:
  std::vector<HeapCell>& CellsOf(uint32_t range) {
    return cells_[static_cast<size_t>(summary_.ranges[range].generation)];
  }

  size_t First(const std::vector<HeapCell>& cells, uint64_t address) const {
    const auto above = std::upper_bound(cells.begin(), cells.end(), address,
                                        [](uint64_t wanted, const HeapCell& cell) { return wanted < cell.address; });
    return static_cast<size_t>(above - cells.begin()) - 1;
  }

  // False: with cells of this size they are too many. Ranges of one generation may share a cell.
  bool LayCells(size_t most) {
    for (auto& cells : cells_) cells.clear();
    size_t count = 0;
    for (const uint32_t number : order_) {
      const Range& range = summary_.ranges[number];
      if (range.walked == 0) continue;
      std::vector<HeapCell>& cells = CellsOf(number);
      const uint64_t last = (range.start + range.walked - 1) / cell_bytes_;
      uint64_t block = range.start / cell_bytes_;
      if (!cells.empty() && cells.back().address == block * cell_bytes_) ++block;
      count += last - std::min(block, last + 1) + 1;
      if (count > most && cell_bytes_ < (uint64_t{1} << 62)) return false;
      for (; block <= last; ++block) cells.push_back({block * cell_bytes_});
      size_t at = First(cells, range.start);
      Spread(cells, at, cell_bytes_, range.start, range.walked,
             [](HeapCell& cell, uint64_t part) { cell.free += part; });
    }
    return true;
  }

  static HeapStrip StripOf(snapshot::Generation generation, std::vector<HeapCell> cells) {
    uint64_t reachable = 0, unreachable = 0, free = 0, pinned = 0;
    for (const HeapCell& cell : cells) {
      reachable += cell.reachable;
      unreachable += cell.unreachable;
      free += cell.free;
      pinned += cell.pinned;
    }
    std::string words =
        fmt::format("{} reachable, {} unreachable, {} free ({})", HumanBytes(reachable), HumanBytes(unreachable),
                    HumanBytes(free), Percentage(free, reachable + unreachable + free));
    if (pinned > 0) words += fmt::format(", {}", Counted(pinned, "pinned object", "pinned objects"));
    return {snapshot::GenerationName(generation), std::move(words), std::move(cells)};
  }

  const snapshot::Summary& summary_;
  std::vector<uint32_t> order_;  // ranges by address
  uint64_t cell_bytes_ = kLeastCell;
  std::array<std::vector<HeapCell>, snapshot::kGenerationCount> cells_;
};

}  // namespace

Result<HeapMap> MapHeap(session::SnapshotSession& session, analysis::Work& work, size_t most) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  work.Begin("drawing the heap", (*graph)->ObjectCount());
  HeapMapper mapper(session.GetSummary(), std::max<size_t>(most, snapshot::kGenerationCount));
  if (!mapper.CountObjects(**graph, **reached, work)) return analysis::WasCancelled();
  mapper.CountPinned(**graph);
  return mapper.Take();
}

HeapPicture LayOutHeap(const HeapMap& map, double width, double side, double title) {
  HeapPicture picture;
  const auto in_row = static_cast<size_t>(std::max(1.0, std::floor(width / side)));
  for (size_t s = 0; s < map.strips.size(); ++s) {
    picture.titles.push_back(picture.height);
    picture.height += title;
    const size_t count = map.strips[s].cells.size();
    for (size_t c = 0; c < count; ++c)
      picture.cells.push_back({s,
                               c,
                               {static_cast<double>(c % in_row) * side,
                                picture.height + static_cast<double>(c / in_row) * side, side, side}});
    picture.height += static_cast<double>((count + in_row - 1) / in_row) * side + title / 2;
  }
  return picture;
}

size_t CellBeside(const HeapPicture& picture, size_t cell, int right, int down) {
  if (right < 0 && cell > 0) return cell - 1;
  if (right > 0) return std::min(cell + 1, picture.cells.size() - 1);
  const Rectangle& here = picture.cells.at(cell).area;
  const int step = down;
  size_t best = cell;
  for (size_t i = cell + static_cast<size_t>(step); step != 0 && i < picture.cells.size();
       i += static_cast<size_t>(step)) {
    const Rectangle& there = picture.cells[i].area;
    if (there.y == here.y) continue;
    if (best != cell && there.y != picture.cells[best].area.y) break;  // past the next row
    if (best == cell || std::abs(there.x - here.x) < std::abs(picture.cells[best].area.x - here.x)) best = i;
  }
  return best;
}

const PlacedCell* CellAt(const HeapPicture& picture, double x, double y) {
  const auto at = std::find_if(picture.cells.begin(), picture.cells.end(),
                               [&](const PlacedCell& cell) { return cell.area.Contains(x, y); });
  return at == picture.cells.end() ? nullptr : &*at;
}

}  // namespace cairn::presentation
