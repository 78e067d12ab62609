// strings: every System.String. Row number: the object's index.

#include <algorithm>

#include "viewer/analysis/slot_reader.h"
#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum StringColumn : int { kSnapshot, kObject, kBytes, kLength, kHash, kText };

class StringRows : public SnapshotRows {
 public:
  explicit StringRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t from, int64_t to) override {
    std::vector<uint64_t> rows;
    for (uint32_t type = 0; type < data_.Summary().types.size(); ++type) {
      if (data_.Summary().types[type].kind != snapshot::TypeKind::kString) continue;
      const auto objects = data_.ObjectsOf(TypeIndex(type));
      if (!objects) return tl::make_unexpected(objects.error());
      auto at = std::lower_bound(objects->begin(), objects->end(), from);
      for (; at != objects->end() && int64_t{*at} <= to; ++at) rows.push_back(*at);
    }
    std::sort(rows.begin(), rows.end());
    return RowList::Listed(std::move(rows));
  }

  Result<RowList> Find(int, const Value&) override { return Between(kLeast, kMost); }

  Result<Value> At(uint64_t row, int column) override {
    const ObjectIndex object(static_cast<uint32_t>(row));
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kObject:
        return Number(row);
      case kBytes:
        return data_.Graph().map([&](const analysis::HeapGraph* graph) { return Number(graph->SizeOf(object)); });
      case kLength:
        return Length(object);
      default:
        return Value();
    }
  }

 private:
  Result<Value> Length(ObjectIndex object) {
    const auto graph = data_.Graph();
    if (!graph) return tl::make_unexpected(graph.error());
    if (!reader_) reader_.emplace(**graph, data_.Session().Source());
    const auto slots = reader_->Read(object, 0);
    if (!slots) return tl::make_unexpected(slots.error());
    return Number(slots->length);
  }

  SnapshotData& data_;
  std::optional<analysis::SlotReader> reader_;
};

}  // namespace

TableShape StringsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "strings";
  shape.columns = {
      {"snapshot"}, {"object"}, {"bytes"}, {"length"}, {"hash", ColumnType::kText}, {"text", ColumnType::kText}};
  shape.sorted = kObject;
  shape.rows = [](const snapshot::Summary& summary) { return static_cast<double>(summary.totals.objects) / 4; };
  shape.open = [](SnapshotData& data) { return std::make_unique<StringRows>(data); };
  return shape;
}

}  // namespace cairn::query
