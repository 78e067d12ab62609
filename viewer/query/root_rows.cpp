// roots: what `cairn roots` lists, weak handles included. Row number: the place in the contract's order.

#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum RootColumn : int {
  kSnapshot,
  kObject,
  kKind,
  kName,
  kFollowed,
  kCertain,
  kPinning,
  kThreadId,
  kManagedId,
  kThread
};

class RootRows : public SnapshotRows {
 public:
  explicit RootRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t, int64_t) override {
    return Roots().map([](const auto* roots) { return RowList::Range(0, roots->size()); });
  }

  Result<RowList> Find(int column, const Value& value) override {
    return Roots().map([&](const auto* roots) {
      const auto object = IndexKey(value, data_.Summary().totals.objects);
      const std::string* kind = TextKey(value);
      std::vector<uint64_t> rows;
      for (uint64_t i = 0; i < roots->size(); ++i) {
        const session::RootInfo& root = (*roots)[i];
        const bool equal = column == kObject ? object && root.object.value == *object
                                             : kind && *kind == snapshot::RootKindName(root.kind);
        if (equal) rows.push_back(i);
      }
      return RowList::Listed(std::move(rows));
    });
  }

  Result<Value> At(uint64_t row, int column) override {
    const auto roots = Roots();
    if (!roots) return tl::make_unexpected(roots.error());
    const session::RootInfo& root = (**roots)[row];
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kObject:
        return IndexOrNull(root.object);
      case kKind:
        return Text(snapshot::RootKindName(root.kind));
      case kFollowed:
        return Flag(root.kind != snapshot::RootKind::kHandleWeak);
      case kCertain:
        return Flag(root.IsCertain());
      case kPinning:
        return Flag(root.root && root.root->pinning);
      case kName:
        return root.root && !root.root->name.empty() ? Text(root.root->name) : Value();
      default:
        return OfThread(root, column);
    }
  }

 private:
  Value OfThread(const session::RootInfo& root, int column) const {
    if (!root.root || root.root->thread == snapshot::kNoId) return {};
    const snapshot::Thread& thread = data_.Summary().threads[root.root->thread];
    if (column == kThread) return thread.name.empty() ? Value() : Text(thread.name);
    return Number(column == kThreadId ? thread.os_id : thread.managed_id);
  }

  Result<const std::vector<session::RootInfo>*> Roots() {
    if (!roots_) {
      auto roots = data_.Session().Roots(std::nullopt, data_.Work());
      if (!roots) return tl::make_unexpected(std::move(roots).error());
      roots_ = std::move(*roots);
    }
    return &*roots_;
  }

  SnapshotData& data_;
  std::optional<std::vector<session::RootInfo>> roots_;
};

}  // namespace

TableShape RootsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "roots";
  shape.columns = {
      {"snapshot"}, {"object"},    {"kind", ColumnType::kText}, {"name", ColumnType::kText},  {"followed"}, {"certain"},
      {"pinning"},  {"thread_id"}, {"managed_thread_id"},       {"thread", ColumnType::kText}};
  shape.keys = {{kObject, 1}, {kKind, 100}};
  shape.rows = [](const snapshot::Summary& summary) { return static_cast<double>(summary.roots.size()); };
  shape.open = [](SnapshotData& data) { return std::make_unique<RootRows>(data); };
  return shape;
}

}  // namespace cairn::query
