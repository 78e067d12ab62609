// edges: every reference. Row number: the edge's place in the one array of all edges, so by source.

#include <algorithm>

#include "viewer/analysis/field_names.h"
#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum EdgeColumn : int { kSnapshot, kSource, kTarget, kField, kKind };

// Objects with more edges have all their slots read at once, up to so many; reading one slot looks at those before it.
constexpr uint64_t kFewEdges = 16, kMostSlots = uint64_t{1} << 24;

class EdgeRows : public SnapshotRows {
 public:
  explicit EdgeRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t from, int64_t to) override {
    return data_.Graph().map([&](const analysis::HeapGraph* graph) {
      from = std::max<int64_t>(from, 0);
      to = std::min(to, int64_t{graph->ObjectCount()} - 1);
      if (from > to) return RowList::None();
      return RowList::Range(FirstEdge(*graph, static_cast<uint64_t>(from)),
                            FirstEdge(*graph, static_cast<uint64_t>(to) + 1));
    });
  }

  Result<RowList> Find(int, const Value& value) override {
    const auto target = IndexKey(value, data_.Summary().totals.objects);
    if (!target) return RowList::None();
    return data_.EdgesTo(ObjectIndex(static_cast<uint32_t>(*target))).map([](std::vector<uint64_t> rows) {
      return RowList::Listed(std::move(rows));
    });
  }

  Result<Value> At(uint64_t row, int column) override {
    if (column == kSnapshot) return data_.Number();
    const auto graph = data_.Graph();
    if (!graph) return tl::make_unexpected(graph.error());
    if (column == kTarget && (*graph)->UnresolvedEdges() == 0) return Number((*graph)->AllTargets()[row].value);
    Locate(**graph, row);
    const uint64_t ordinal = row - first_;
    switch (column) {
      case kSource:
        return Number(source_.value);
      case kTarget:
        return (*graph)->IsUnresolved(source_, ordinal) ? Value() : Number((*graph)->AllTargets()[row].value);
      case kField:
        return Name(**graph, ordinal);
      default:
        return Kind((*graph)->KindOf(source_, ordinal));
    }
  }

 private:
  static uint64_t FirstEdge(const analysis::HeapGraph& graph, uint64_t object) {
    return graph.Offsets()[static_cast<uint32_t>(object)];
  }

  // Which object an edge belongs to: mostly that of the edge before.
  void Locate(const analysis::HeapGraph& graph, uint64_t row) {
    if (source_.Valid() && row >= first_ && row < end_) return;
    source_ = graph.OwnerOf(analysis::EdgeOffset(row));
    first_ = graph.FirstEdge(source_).value;
    end_ = first_ + graph.Targets(source_).size();
    slots_.clear();
  }

  static Value Kind(analysis::EdgeKind kind) {
    switch (kind) {
      case analysis::EdgeKind::kLoaderAllocator:
        return Text("loader allocator");
      case analysis::EdgeKind::kDependent:
        return Text("dependent");
      case analysis::EdgeKind::kSlot:
        break;
    }
    return Text("slot");
  }

  Result<Value> Name(const analysis::HeapGraph& graph, uint64_t ordinal) {
    if (!names_) names_.emplace(graph, data_.Session().Source());
    if (end_ - first_ > kFewEdges && graph.KindOf(source_, ordinal) == analysis::EdgeKind::kSlot) {
      if (slots_.empty()) CAIRN_TRY(ReadSlots());
      if (ordinal < slots_.size()) return AsValue(names_->NameOf(graph.TypeOf(source_), slots_[ordinal]));
    }
    return AsValue(names_->NameOf(analysis::EdgeRef{source_, ordinal}));
  }

  static Result<Value> AsValue(Result<std::string> name) {
    if (!name) return tl::make_unexpected(std::move(name).error());
    return Value(std::move(*name));
  }

  Status ReadSlots() {
    const auto read = names_->Reader().Read(source_, kMostSlots);
    if (!read) return tl::make_unexpected(read.error());
    for (uint64_t slot = 0; slot < read->targets.size(); ++slot)
      if (read->targets[slot] != 0) slots_.push_back(slot);
    return {};
  }

  SnapshotData& data_;
  std::optional<analysis::FieldNames> names_;
  ObjectIndex source_;            // the object looked at last …
  uint64_t first_ = 0, end_ = 0;  // … its edges …
  std::vector<uint64_t> slots_;   // … and, where it has many, their slots
};

}  // namespace

TableShape EdgesShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "edges";
  shape.columns = {{"snapshot"}, {"source"}, {"target"}, {"field", ColumnType::kText}, {"kind", ColumnType::kText}};
  shape.sorted = kSource;
  shape.rows_per_value = 2;
  shape.keys = {{kTarget, 4}};
  shape.rows = [](const snapshot::Summary& summary) { return static_cast<double>(summary.totals.edges); };
  shape.open = [](SnapshotData& data) { return std::make_unique<EdgeRows>(data); };
  return shape;
}

}  // namespace cairn::query
