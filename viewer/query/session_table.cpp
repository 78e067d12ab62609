#include "viewer/query/session_table.h"

#include <algorithm>
#include <cmath>

namespace cairn::query {

using sql::Bound;
using sql::Comparison;
using sql::Constraint;

namespace {

constexpr int kSnapshotColumn = 0;
constexpr double kPartOfRange = 4;  // a comparison leaves about this part of the rows

std::optional<size_t> Place(std::span<const Constraint> constraints, int column) {
  for (size_t i = 0; i < constraints.size(); ++i)
    if (constraints[i].column == column && constraints[i].comparison == Comparison::kEqual) return i;
  return std::nullopt;
}

// The whole numbers that a comparison leaves, or more.
struct Interval {
  int64_t from = kLeast, to = kMost;

  void Narrow(const Bound& bound) {
    const auto* real = std::get_if<double>(&bound.value);
    const auto* whole = std::get_if<int64_t>(&bound.value);
    if (!real && !whole) {
      // Text is above every number; only equality is then impossible.
      if (bound.comparison == Comparison::kEqual || std::holds_alternative<std::monostate>(bound.value)) to = kLeast;
      return;
    }
    constexpr double kBeyond = 9.2e18;
    if (real && (std::isnan(*real) || std::abs(*real) > kBeyond)) return;  // SQLite looks at every row again
    if (real && bound.comparison == Comparison::kEqual && *real != std::floor(*real)) to = kLeast;
    const int64_t low = whole ? *whole : static_cast<int64_t>(std::floor(*real));
    const int64_t high = whole ? *whole : static_cast<int64_t>(std::ceil(*real));
    if (bound.comparison != Comparison::kLess && bound.comparison != Comparison::kLessOrEqual)
      from = std::max(from, low);
    if (bound.comparison != Comparison::kGreater && bound.comparison != Comparison::kGreaterOrEqual)
      to = std::min(to, high);
  }
  bool Holds(int64_t number) const { return from <= number && number <= to; }
  bool IsEmpty() const { return from > to || to == kLeast; }
};

}  // namespace

const std::string* TextKey(const Value& value) { return std::get_if<std::string>(&value); }

std::optional<uint64_t> IndexKey(const Value& value, uint64_t count) {
  if (const auto* real = std::get_if<double>(&value)) {
    if (!(*real >= 0 && *real < static_cast<double>(count)) || *real != std::floor(*real)) return std::nullopt;
    return static_cast<uint64_t>(*real);
  }
  const auto* whole = std::get_if<int64_t>(&value);
  if (!whole || *whole < 0 || static_cast<uint64_t>(*whole) >= count) return std::nullopt;
  return static_cast<uint64_t>(*whole);
}

class SessionCursor : public sql::TableCursor {
 public:
  explicit SessionCursor(SessionTable& table) : table_(table), rows_(table.snapshots_.size()) {}

  Status Filter(std::span<const Bound> bounds) override {
    bounds_.assign(bounds.begin(), bounds.end());
    snapshot_ = 0;
    list_ = RowList::None();
    at_ = 0;
    Interval numbers;
    for (const Bound& bound : bounds_)
      if (bound.column == kSnapshotColumn) numbers.Narrow(bound);
    from_ = numbers.from;
    to_ = numbers.IsEmpty() ? 0 : numbers.to;
    next_ = 0;
    return Settle();
  }

  bool AtEnd() const override { return at_ == list_.end; }

  Status Next() override {
    ++at_;
    return Settle();
  }

  Result<Value> Column(int column) override { return rows_[snapshot_]->At(list_.At(at_), column); }

  int64_t RowId() const override { return static_cast<int64_t>(uint64_t{snapshot_} << 48 | list_.At(at_)); }

 private:
  // Goes on to the next snapshot that has rows.
  Status Settle() {
    while (at_ == list_.end && next_ < table_.snapshots_.size()) {
      snapshot_ = next_++;
      const int64_t number = table_.snapshots_[snapshot_]->Number();
      if (number < from_ || number > to_) continue;
      auto list = Rows();
      if (!list) return tl::make_unexpected(std::move(list).error());
      list_ = std::move(*list);
      at_ = list_.is_listed ? 0 : list_.first;
    }
    if (at_ != list_.end) ++table_.visited_;
    return {};
  }

  Result<RowList> Rows() {
    const TableShape& shape = table_.shape_;
    if (!rows_[snapshot_]) rows_[snapshot_] = shape.open(*table_.snapshots_[snapshot_]);
    SnapshotRows& rows = *rows_[snapshot_];
    Interval interval;
    for (const Bound& bound : bounds_) {
      if (bound.column == kSnapshotColumn) continue;
      if (std::holds_alternative<std::monostate>(bound.value)) return RowList::None();
      if (bound.column != shape.sorted) return rows.Find(bound.column, bound.value);
      interval.Narrow(bound);
    }
    return interval.IsEmpty() ? RowList::None() : rows.Between(interval.from, interval.to);
  }

  SessionTable& table_;
  std::vector<std::unique_ptr<SnapshotRows>> rows_;  // by snapshot; null until needed
  std::vector<Bound> bounds_;
  int64_t from_ = kLeast, to_ = kMost;  // snapshots
  size_t snapshot_ = 0, next_ = 0;
  RowList list_;
  uint64_t at_ = 0;
};

SessionTable::SessionTable(TableShape shape, const Snapshots& snapshots)
    : shape_(std::move(shape)), snapshots_(snapshots) {
  double types = 1;
  for (const auto& snapshot : snapshots) {
    rows_ += shape_.rows(snapshot->Summary());
    types += static_cast<double>(snapshot->Summary().types.size());
  }
  rows_per_type_ = rows_ / types;
}

bool SessionTable::IsOrdered(std::span<const sql::Order> order, bool one_snapshot) const {
  if (!order.empty() && order.front().column == kSnapshotColumn && !order.front().descending) {
    order = order.subspan(1);
    one_snapshot = true;
  }
  if (order.empty()) return true;
  return one_snapshot && order.size() == 1 && order.front().column == shape_.sorted && !order.front().descending;
}

// At most one lookup: the one that leaves the fewest rows.
sql::Plan SessionTable::Choose(std::span<const Constraint> constraints, std::span<const sql::Order> order) const {
  sql::Plan plan;
  plan.rows = std::max(rows_, 1.0);
  const double snapshots = static_cast<double>(std::max<size_t>(snapshots_.size(), 1));
  const auto snapshot = Place(constraints, kSnapshotColumn);
  const double part = snapshot ? 1 : snapshots;
  if (snapshot) plan.rows /= snapshots;
  std::optional<size_t> key;
  const auto consider = [&](std::optional<size_t> place, double rows) {
    if (!place || rows * part >= plan.rows) return;
    plan.rows = rows * part;
    key = place;
  };
  if (shape_.sorted >= 0) consider(Place(constraints, shape_.sorted), shape_.rows_per_value);
  for (const KeyColumn& column : shape_.keys)
    consider(Place(constraints, column.column), column.rows > 0 ? column.rows : rows_per_type_);
  // A lookup is worth it also where there are few rows.
  if (!key)
    for (const KeyColumn& column : shape_.keys)
      if (!key) key = Place(constraints, column.column);
  if (key) {
    plan.used.push_back(*key);
  } else {
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].column != shape_.sorted) continue;
      plan.used.push_back(i);
      plan.rows /= kPartOfRange;
    }
  }
  if (snapshot) plan.used.push_back(*snapshot);
  plan.ordered = IsOrdered(order, snapshot || snapshots_.size() == 1);
  return plan;
}

std::unique_ptr<sql::TableCursor> SessionTable::Open() { return std::make_unique<SessionCursor>(*this); }

}  // namespace cairn::query
