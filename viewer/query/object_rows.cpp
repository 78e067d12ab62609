// objects: every object, garbage included. Row number: the object's index.

#include <algorithm>
#include <charconv>

#include "snapshot-format/stream/hex_address.h"
#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum ObjectColumn : int {
  kSnapshot,
  kObject,
  kAddress,
  kTypeId,
  kType,
  kBytes,
  kRetained,
  kGeneration,
  kReachable,
  kDominator,
};

std::vector<uint64_t> Rows(std::span<const uint32_t> objects) { return {objects.begin(), objects.end()}; }

std::optional<uint64_t> AddressKey(const Value& value) {
  const std::string* text = TextKey(value);
  if (!text || !text->starts_with("0x")) return std::nullopt;
  uint64_t address = 0;
  const auto read = std::from_chars(text->data() + 2, text->data() + text->size(), address, 16);
  const bool whole = read.ec == std::errc() && read.ptr == text->data() + text->size();
  return whole ? std::optional(address) : std::nullopt;
}

class ObjectRows : public SnapshotRows {
 public:
  explicit ObjectRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t from, int64_t to) override {
    const auto count = static_cast<int64_t>(data_.Summary().totals.objects);
    from = std::max<int64_t>(from, 0);
    to = std::min(to, count - 1);
    if (from > to) return RowList::None();
    return RowList::Range(static_cast<uint64_t>(from), static_cast<uint64_t>(to) + 1);
  }

  Result<RowList> Find(int column, const Value& value) override {
    switch (column) {
      case kTypeId:
        if (const auto type = IndexKey(value, data_.Summary().types.size()))
          return OfTypes({TypeIndex(static_cast<uint32_t>(*type))});
        return RowList::None();
      case kType:
        if (const std::string* name = TextKey(value)) return OfTypes(data_.TypesNamed(*name));
        return RowList::None();
      case kDominator:
        return DominatedBy(value);
      default:
        return AtAddress(value);
    }
  }

  Result<Value> At(uint64_t row, int column) override {
    const ObjectIndex object(static_cast<uint32_t>(row));
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kObject:
        return Number(row);
      case kRetained:
      case kDominator:
        return data_.Dominators().map(
            [&](const session::Dominance* dominance) { return Tree(*dominance, object, column); });
      case kReachable:
        return data_.Reached().map(
            [&](const analysis::Reachability* reached) { return Flag(reached->IsReachable(object)); });
      default:
        return data_.Graph().map([&](const analysis::HeapGraph* graph) { return OfGraph(*graph, object, column); });
    }
  }

 private:
  static Value OfGraph(const analysis::HeapGraph& graph, ObjectIndex object, int column) {
    switch (column) {
      case kAddress:
        return stream::HexAddress(graph.AddressOf(object));
      case kTypeId:
        return Number(graph.TypeOf(object).value);
      case kType:
        return Text(graph.TypeInfo(object).name);
      case kBytes:
        return Number(graph.SizeOf(object));
      default:
        return Text(snapshot::GenerationName(graph.GenerationOf(object)));
    }
  }

  static Value Tree(const session::Dominance& dominance, ObjectIndex object, int column) {
    if (column == kDominator) return IndexOrNull(dominance.tree.DominatorOf(object));
    return dominance.tree.IsReachable(object) ? Number(dominance.Retained(object)) : Number(0);
  }

  Result<RowList> OfTypes(const std::vector<TypeIndex>& types) {
    std::vector<uint64_t> rows;
    for (const TypeIndex type : types) {
      const auto objects = data_.ObjectsOf(type);
      if (!objects) return tl::make_unexpected(objects.error());
      if (types.size() == 1) return RowList::Listed(Rows(*objects));
      rows.insert(rows.end(), objects->begin(), objects->end());
    }
    std::sort(rows.begin(), rows.end());
    return RowList::Listed(std::move(rows));
  }

  Result<RowList> DominatedBy(const Value& value) {
    const auto object = IndexKey(value, data_.Summary().totals.objects);
    if (!object) return RowList::None();
    return data_.Dominators().map([&](const session::Dominance* dominance) {
      const auto place = dominance->tree.PlaceOf(ObjectIndex(static_cast<uint32_t>(*object)));
      std::vector<uint64_t> rows;
      if (place != analysis::DominatorTree::kVirtualRoot)
        dominance->tree.ForEachChild(place, [&](auto child) { rows.push_back(dominance->tree.ObjectAt(child).value); });
      std::sort(rows.begin(), rows.end());
      return RowList::Listed(std::move(rows));
    });
  }

  Result<RowList> AtAddress(const Value& value) {
    const auto address = AddressKey(value);
    if (!address) return RowList::None();
    return data_.Graph().map([&](const analysis::HeapGraph* graph) {
      const ObjectIndex object = graph->AtAddress(*address);
      return object.Valid() ? RowList::Range(object.value, uint64_t{object.value} + 1) : RowList::None();
    });
  }

  SnapshotData& data_;
};

}  // namespace

TableShape ObjectsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "objects";
  shape.columns = {
      {"snapshot"}, {"object"},   {"address", ColumnType::kText},    {"type_id"},   {"type", ColumnType::kText},
      {"bytes"},    {"retained"}, {"generation", ColumnType::kText}, {"reachable"}, {"dominator"}};
  shape.sorted = kObject;
  shape.keys = {{kAddress, 1}, {kDominator, 4}, {kTypeId, 0}, {kType, 0}};
  shape.rows = [](const snapshot::Summary& summary) { return static_cast<double>(summary.totals.objects); };
  shape.open = [](SnapshotData& data) { return std::make_unique<ObjectRows>(data); };
  return shape;
}

}  // namespace cairn::query
