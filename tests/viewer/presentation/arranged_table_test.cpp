#include "viewer/presentation/tables/arranged_table.h"

#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

// name, count: b 2, a 2, C 30, (none) 1
class FruitTable : public Table {
 public:
  std::vector<Column> Columns() const override {
    Column first{"bytes", "Bytes"};
    first.series = 0;
    return {{"name", "Name"}, {"count", "Count", Format::kCount}, {"", "Bytes grown"}, first};
  }
  uint64_t RowCount() const override { return 4; }
  std::vector<Cell> Row(uint64_t row) const override {
    static const std::vector<std::vector<Cell>> kRows = {
        {std::string("b"), uint64_t{2}, int64_t{-1}, uint64_t{0}},
        {std::string("a"), uint64_t{2}, int64_t{-5}, uint64_t{0}},
        {std::string("C"), uint64_t{30}, int64_t{0}, uint64_t{0}},
        {Cell(), uint64_t{1}, int64_t{7}, uint64_t{0}},
    };
    return kRows.at(row);
  }
};

std::vector<uint64_t> Rows(const std::string& filter, const std::vector<SortKey>& sort) {
  analysis::Work work;
  const auto table = ArrangedTable::Arrange(std::make_shared<FruitTable>(), filter, sort, work);
  std::vector<uint64_t> rows;
  for (uint64_t row = 0; row < (*table)->RowCount(); ++row) rows.push_back((*table)->SourceRow(row));
  return rows;
}

using Order = std::vector<uint64_t>;

TEST(ArrangedTable, WithoutFilterAndSortRowsStandAsTheyAre) { EXPECT_EQ(Rows("", {}), (Order{0, 1, 2, 3})); }

TEST(ArrangedTable, SortsNumbersAsNumbersAndKeepsEqualOnesAsTheyAre) {
  EXPECT_EQ(Rows("", {{"count", false}}), (Order{2, 0, 1, 3}));
  EXPECT_EQ(Rows("", {{"count", true}}), (Order{3, 0, 1, 2}));
  EXPECT_EQ(Rows("", {{"bytes_grown", true}}), (Order{1, 0, 2, 3}));  // -5, -1, 0, 7
}

TEST(ArrangedTable, TheSecondKeyDecidesAmongEquals) {
  EXPECT_EQ(Rows("", {{"count", false}, {"name", true}}), (Order{2, 1, 0, 3}));
  EXPECT_EQ(Rows("", {{"count", false}, {"name", false}}), (Order{2, 0, 1, 3}));
}

// One column of cells as they are.
class Cells : public Table {
 public:
  explicit Cells(std::vector<Cell> cells) : cells_(std::move(cells)) {}
  std::vector<Column> Columns() const override { return {{"cell", "Cell"}}; }
  uint64_t RowCount() const override { return cells_.size(); }
  std::vector<Cell> Row(uint64_t row) const override { return {cells_.at(row)}; }

 private:
  std::vector<Cell> cells_;
};

std::vector<uint64_t> Sorted(std::vector<Cell> cells, bool ascending) {
  analysis::Work work;
  const auto table = ArrangedTable::Arrange(std::make_shared<Cells>(std::move(cells)), "", {{"cell", ascending}}, work);
  std::vector<uint64_t> rows;
  for (uint64_t row = 0; row < (*table)->RowCount(); ++row) rows.push_back((*table)->SourceRow(row));
  return rows;
}

TEST(ArrangedTable, SortsEveryKindOfCell) {
  EXPECT_EQ(Sorted({UINT64_MAX, uint64_t{0}, Cell(), uint64_t{1} << 33}, true), (Order{2, 1, 3, 0}));
  EXPECT_EQ(Sorted({int64_t{-1}, INT64_MIN, INT64_MAX, int64_t{0}}, true), (Order{1, 0, 3, 2}));
  EXPECT_EQ(Sorted({0.5, -1e300, -0.5, 1e300, 0.0}, true), (Order{1, 2, 4, 0, 3}));
  EXPECT_EQ(Sorted({0.5, -1e300, -0.5, 1e300, 0.0}, false), (Order{3, 0, 4, 2, 1}));
  EXPECT_EQ(Sorted({true, false, true}, true), (Order{1, 0, 2}));
  EXPECT_EQ(Sorted({std::string("b"), std::string(""), Cell(), std::string("a")}, true), (Order{2, 1, 3, 0}));
  // A query may give several kinds: in the order of the kinds of Cell.
  EXPECT_EQ(Sorted({std::string("a"), int64_t{7}, Cell(), int64_t{-7}}, true), (Order{2, 3, 1, 0}));
}

// 200,000 rows of few and of many values against the library's own stable sort.
TEST(ArrangedTable, SortsAsAStableSortDoes) {
  for (const uint64_t values : {uint64_t{7}, uint64_t{1} << 40}) {
    std::vector<Cell> cells;
    uint64_t random = 12345;
    for (int i = 0; i < 200'000; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      cells.emplace_back((random >> 20) % values);
    }
    Order wanted(cells.size());
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = i;
    std::stable_sort(wanted.begin(), wanted.end(), [&](uint64_t a, uint64_t b) { return cells[a] > cells[b]; });
    EXPECT_EQ(Sorted(cells, false), wanted);
  }
}

TEST(ArrangedTable, FiltersByAnyTextInEitherCase) {
  EXPECT_EQ(Rows("c", {}), (Order{2}));
  EXPECT_EQ(Rows("A", {}), (Order{1}));
  EXPECT_EQ(Rows("30", {}), (Order{}));  // a number is no text
}

TEST(ArrangedTable, ColumnsThatAreNotThereDoNotCount) { EXPECT_EQ(Rows("", {{"colour", false}}), (Order{0, 1, 2, 3})); }

TEST(ArrangedTable, NamesItsColumns) {
  std::vector<std::string> ids;
  for (const Column& column : FruitTable().Columns()) ids.push_back(ColumnId(column));
  EXPECT_EQ(ids, (std::vector<std::string>{"name", "count", "bytes_grown", "bytes_1"}));
}

TEST(ArrangedTable, CanBeCancelled) {
  analysis::Work work;
  work.Cancel();
  const auto table = ArrangedTable::Arrange(std::make_shared<FruitTable>(), "a", {}, work);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, "cancelled");
}

}  // namespace
}  // namespace cairn::presentation
