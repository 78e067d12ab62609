#include "viewer/presentation/tables/heap_tables.h"

#include <algorithm>
#include <numeric>

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

// The file's own figure; where a writer had none, the largest gap between objects.
uint64_t LargestFree(const snapshot::Range& range, const session::RangeLayout& layout) {
  return range.largest_free != 0 ? range.largest_free : layout.largest_gap;
}

Column InText(const char* title) { return {"", title, Format::kText, Shown::kTextOnly}; }

}  // namespace

HeapRangesTable::HeapRangesTable(const snapshot::Summary& summary, const session::HeapLayout& layout, RangeOrder order)
    : summary_(summary), layout_(layout), rows_(summary.ranges.size()) {
  std::iota(rows_.begin(), rows_.end(), 0u);
  if (order == RangeOrder::kFreeBytes)
    std::stable_sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
      return summary.ranges[a].free_bytes > summary.ranges[b].free_bytes;
    });
}

std::vector<Column> HeapRangesTable::Columns() const {
  Column reserved{"reserved", "Reserved", Format::kBytes}, objects{"objects", "Objects", Format::kCount};
  Column pieces{"free_objects", "In pieces", Format::kCount};
  return {{"start", "Start"},
          {"length", "Length", Format::kBytes},
          reserved,
          {"generation", "Generation"},
          objects,
          {"bytes", "Bytes", Format::kBytes},
          pieces,
          {"free_bytes", "Free", Format::kBytes},
          {"largest_free", "Largest free", Format::kBytes},
          {"pinned_objects", "Pinned", Format::kCount},
          InText("Free of it")};
}

std::vector<Cell> HeapRangesTable::Row(uint64_t row) const {
  const snapshot::Range& range = summary_.ranges[rows_.at(row)];
  const session::RangeLayout& layout = layout_.ranges[rows_[row]];
  return {HexAddress(range.start),
          range.length,
          range.reserved,
          std::string(snapshot::GenerationName(range.generation)),
          range.objects,
          range.bytes,
          range.free_objects,
          range.free_bytes,
          LargestFree(range, layout),
          layout.pinned_objects,
          Percentage(range.free_bytes, range.length)};
}

HeapGenerationsTable::HeapGenerationsTable(const snapshot::Summary& summary, const session::HeapLayout& layout) {
  rows_.resize(snapshot::kGenerationCount);
  for (size_t i = 0; i < summary.ranges.size(); ++i) {
    const snapshot::Range& range = summary.ranges[i];
    Sum& sum = rows_[static_cast<size_t>(range.generation)];
    ++sum.ranges;
    sum.length += range.length;
    sum.reserved += range.reserved;
    sum.bytes += range.bytes;
    sum.free_bytes += range.free_bytes;
    sum.largest_free = std::max(sum.largest_free, LargestFree(range, layout.ranges[i]));
    sum.pinned_objects += layout.ranges[i].pinned_objects;
  }
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i].generation = static_cast<snapshot::Generation>(i);
  std::erase_if(rows_, [](const Sum& sum) { return sum.ranges == 0; });
}

std::vector<Column> HeapGenerationsTable::Columns() const {
  return {{"generation", "Generation"},
          {"ranges", "Ranges", Format::kCount},
          {"length", "Length", Format::kBytes},
          {"reserved", "Reserved", Format::kBytes},
          {"bytes", "Bytes", Format::kBytes},
          {"free_bytes", "Free", Format::kBytes},
          InText("Free of it"),
          {"largest_free", "Largest free", Format::kBytes},
          {"pinned_objects", "Pinned", Format::kCount}};
}

std::vector<Cell> HeapGenerationsTable::Row(uint64_t row) const {
  const Sum& sum = rows_.at(row);
  return {std::string(snapshot::GenerationName(sum.generation)),
          sum.ranges,
          sum.length,
          sum.reserved,
          sum.bytes,
          sum.free_bytes,
          Percentage(sum.free_bytes, sum.length),
          sum.largest_free,
          sum.pinned_objects};
}

std::vector<Column> GapsTable::Columns() const {
  return {{"at_least", "Gaps of at least", Format::kBytes},
          {"gaps", "Gaps", Format::kCount},
          {"bytes", "Their bytes", Format::kBytes}};
}

std::vector<Cell> GapsTable::Row(uint64_t row) const {
  const session::GapClass& gaps = layout_.gaps.at(row);
  return {gaps.at_least, gaps.gaps, gaps.bytes};
}

}  // namespace cairn::presentation
