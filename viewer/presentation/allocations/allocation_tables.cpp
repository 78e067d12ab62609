#include "viewer/presentation/allocations/allocation_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cairn::presentation {

namespace {

constexpr size_t kFramesShown = 4;

Column Only(std::string key, std::string title, Format format, Shown shown) {
  Column column{std::move(key), std::move(title), format};
  column.shown = shown;
  return column;
}

// What rows of every kind have.
class SumCells {
 public:
  explicit SumCells(const snapshot::Sampling& sampling) : sampling_(sampling), whole_(AllocatedBytes(sampling)) {}

  static std::vector<Column> Columns() {
    return {{"bytes", "Bytes", Format::kBytes},
            {"objects", "Objects", Format::kCount},
            {"samples", "Samples", Format::kCount},
            Only("uncertainty", "", Format::kNumber, Shown::kDataOnly),
            Only("share", "Share", Format::kText, Shown::kTextOnly),
            Only("sure", "±", Format::kText, Shown::kTextOnly)};
  }
  std::vector<Cell> Of(const AllocationSum& sum) const {
    return {sum.bytes,
            sum.objects,
            sum.samples,
            CellOf(Uncertainty(sampling_, sum)),
            ShareWords(sum, whole_),
            UncertaintyWords(sampling_, sum)};
  }

 private:
  const snapshot::Sampling& sampling_;
  uint64_t whole_;
};

void Append(std::vector<Cell>& cells, std::vector<Cell> more) {
  cells.insert(cells.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class TypeTable : public Table {
 public:
  explicit TypeTable(const snapshot::Sampling& sampling)
      : sampling_(sampling), cells_(sampling), rows_(ByType(sampling)) {}

  std::vector<Column> Columns() const override {
    std::vector<Column> columns = SumCells::Columns();
    columns.push_back({"type", "Type"});
    columns.push_back({"from", "Mostly from"});
    return columns;
  }
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t index) const override {
    const AllocationsOfType& row = rows_.at(index);
    std::vector<Cell> cells = cells_.Of(row.sum);
    Append(cells, {row.type, StackLine(sampling_, row.stacks.front().stack, 2)});
    return cells;
  }

 private:
  const snapshot::Sampling& sampling_;
  SumCells cells_;
  std::vector<AllocationsOfType> rows_;
};

class StackTable : public Table {
 public:
  explicit StackTable(const snapshot::Sampling& sampling)
      : sampling_(sampling), cells_(sampling), rows_(ByStack(sampling)) {}

  std::vector<Column> Columns() const override {
    std::vector<Column> columns = SumCells::Columns();
    columns.push_back(Only("stack", "Stack, innermost first", Format::kText, Shown::kTextOnly));
    columns.push_back(Only("frames", "", Format::kText, Shown::kDataOnly));
    return columns;
  }
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t index) const override {
    const AllocationsOfStack& row = rows_.at(index);
    std::vector<Cell> cells = cells_.Of(row.sum);
    Append(cells, {StackLine(sampling_, row.stack, kFramesShown), StackLine(sampling_, row.stack, SIZE_MAX)});
    return cells;
  }

 private:
  const snapshot::Sampling& sampling_;
  SumCells cells_;
  std::vector<AllocationsOfStack> rows_;
};

class MethodTable : public Table {
 public:
  explicit MethodTable(const snapshot::Sampling& sampling) : cells_(sampling), rows_(ByMethod(sampling)) {}

  std::vector<Column> Columns() const override {
    std::vector<Column> columns = SumCells::Columns();
    columns.push_back({"bytes_with_callees", "With callees", Format::kBytes});
    columns.push_back({"method", "Method"});
    return columns;
  }
  uint64_t RowCount() const override { return rows_.size(); }
  std::vector<Cell> Row(uint64_t index) const override {
    const AllocationsOfMethod& row = rows_.at(index);
    std::vector<Cell> cells = cells_.Of(row.own);
    Append(cells, {row.bytes_with_callees, row.method});
    return cells;
  }

 private:
  SumCells cells_;
  std::vector<AllocationsOfMethod> rows_;
};

}  // namespace

std::unique_ptr<Table> AllocationTable(const snapshot::Sampling& sampling, AllocationsBy by) {
  switch (by) {
    case AllocationsBy::kStack:
      return std::make_unique<StackTable>(sampling);
    case AllocationsBy::kMethod:
      return std::make_unique<MethodTable>(sampling);
    case AllocationsBy::kType:
      break;
  }
  return std::make_unique<TypeTable>(sampling);
}

}  // namespace cairn::presentation
