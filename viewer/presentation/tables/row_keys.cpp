#include "viewer/presentation/tables/row_keys.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>

namespace cairn::presentation {
namespace {

using analysis::Work;

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kNothing = 0;  // what has no value comes before all that has one

// Values of one kind, most of which are in one column: kNothing is kept free at the cost of the least one.
struct KeyOf {
  uint64_t operator()(std::monostate) const { return kNothing; }
  uint64_t operator()(bool flag) const { return flag ? 2 : 1; }
  uint64_t operator()(uint64_t number) const { return std::max<uint64_t>(number + 1, number); }
  uint64_t operator()(int64_t number) const { return std::max<uint64_t>(static_cast<uint64_t>(number) ^ kSign, 1); }
  uint64_t operator()(double number) const {
    const uint64_t bits = std::bit_cast<uint64_t>(number);
    return std::max<uint64_t>(bits & kSign ? ~bits : bits | kSign, 1);
  }
  uint64_t operator()(const std::string&) const { return kNothing; }  // by rank, below
};

// Texts by first sight, then by rank. Cells of numbers among them keep to the front, as Cell's own order has them.
class TextRanks {
 public:
  uint64_t Seen(std::string text) {
    const auto [at, added] = numbers_.try_emplace(std::move(text), numbers_.size());
    return at->second;
  }

  std::vector<uint64_t> Ranks() const {
    std::vector<std::pair<std::string_view, uint64_t>> sorted(numbers_.begin(), numbers_.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<uint64_t> ranks(sorted.size());
    for (size_t i = 0; i < sorted.size(); ++i) ranks[sorted[i].second] = i + 1;
    return ranks;
  }

 private:
  std::unordered_map<std::string, uint64_t> numbers_;
};

// A column of several kinds, as a query may give: by kind first, within it by the order of its values.
Result<std::vector<uint64_t>> MixedKeys(const Table& table, size_t column, std::span<const uint32_t> rows, Work& work) {
  std::vector<std::pair<Cell, uint32_t>> cells;
  cells.reserve(rows.size());
  analysis::Stride stride(work);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!stride.Step()) return analysis::WasCancelled();
    cells.emplace_back(table.At(rows[i], column), static_cast<uint32_t>(i));
  }
  std::sort(cells.begin(), cells.end());
  std::vector<uint64_t> keys(rows.size());
  uint64_t rank = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0 && cells[i].first != cells[i - 1].first) ++rank;
    keys[cells[i].second] = rank;
  }
  return keys;
}

}  // namespace

Result<std::vector<uint64_t>> ColumnKeys(const Table& table, size_t column, std::span<const uint32_t> rows,
                                         Work& work) {
  std::vector<uint64_t> keys(rows.size());
  TextRanks texts;
  size_t kind = 0;
  analysis::Stride stride(work);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!stride.Step()) return analysis::WasCancelled();
    Cell cell = table.At(rows[i], column);
    if (cell.index() == 0) continue;
    if (kind != 0 && cell.index() != kind) return MixedKeys(table, column, rows, work);
    kind = cell.index();
    auto* text = std::get_if<std::string>(&cell);
    keys[i] = text ? texts.Seen(std::move(*text)) + 1 : std::visit(KeyOf{}, cell);
  }
  if (kind != Cell(std::string()).index()) return keys;
  const std::vector<uint64_t> ranks = texts.Ranks();
  for (uint64_t& key : keys)
    if (key != kNothing) key = ranks[key - 1];
  return keys;
}

}  // namespace cairn::presentation
