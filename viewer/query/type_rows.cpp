// types: as `cairn types` counts them. fields: the instance fields of types. Row numbers: the type's id; and for a
// field, the id and the place among the fields.

#include <algorithm>
#include <map>

#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum TypeColumn : int {
  kSnapshot,
  kTypeId,
  kType,
  kModule,
  kBase,
  kKind,
  kObjects,
  kBytes,
  kRetained,
  kUnreachableObjects,
  kUnreachableBytes,
};

const char* KindName(snapshot::TypeKind kind) {
  switch (kind) {
    case snapshot::TypeKind::kClass:
      return "class";
    case snapshot::TypeKind::kBoxedStruct:
      return "boxed struct";
    case snapshot::TypeKind::kArray:
      return "array";
    case snapshot::TypeKind::kString:
      return "string";
    default:
      return "unknown";
  }
}

// Type ids in [from, to], within those that there are.
RowList TypeRange(const snapshot::Summary& summary, int64_t from, int64_t to) {
  from = std::max<int64_t>(from, 0);
  to = std::min(to, static_cast<int64_t>(summary.types.size()) - 1);
  if (from > to) return RowList::None();
  return RowList::Range(static_cast<uint64_t>(from), static_cast<uint64_t>(to) + 1);
}

std::vector<uint64_t> Ids(const std::vector<TypeIndex>& types) {
  std::vector<uint64_t> ids;
  for (const TypeIndex type : types) ids.push_back(type.value);
  return ids;
}

class TypeRows : public SnapshotRows {
 public:
  explicit TypeRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t from, int64_t to) override { return TypeRange(data_.Summary(), from, to); }

  Result<RowList> Find(int, const Value& value) override {
    const std::string* name = TextKey(value);
    return name ? RowList::Listed(Ids(data_.TypesNamed(*name))) : RowList::None();
  }

  Result<Value> At(uint64_t row, int column) override {
    const snapshot::Type& type = data_.Summary().types[row];
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kTypeId:
        return Number(row);
      case kType:
        return Text(type.name);
      case kModule:
        return type.module == snapshot::kNoId ? Value() : Text(data_.Summary().modules[type.module].name);
      case kBase:
        return type.base.empty() ? Value() : Text(type.base);
      case kKind:
        return Text(KindName(type.kind));
      default:
        return Sum(row, column);
    }
  }

 private:
  Result<Value> Sum(uint64_t row, int column) {
    if (totals_.empty()) {
      std::vector<uint32_t> each(data_.Summary().types.size());
      for (uint32_t i = 0; i < each.size(); ++i) each[i] = i;
      auto totals = data_.Session().Totals(each, static_cast<uint32_t>(each.size()), data_.Work());
      if (!totals) return tl::make_unexpected(std::move(totals).error());
      totals_ = std::move(*totals);
    }
    const session::GroupTotals& sums = totals_[row];
    switch (column) {
      case kObjects:
        return Number(sums.reachable.objects);
      case kBytes:
        return Number(sums.reachable.bytes);
      case kRetained:
        return Number(sums.retained);
      case kUnreachableObjects:
        return Number(sums.unreachable.objects);
      default:
        return Number(sums.unreachable.bytes);
    }
  }

  SnapshotData& data_;
  std::vector<session::GroupTotals> totals_;  // by type; empty until asked for
};

enum FieldColumn : int { kFieldTypeId = 1, kFieldType, kFieldName, kFieldOffset, kFieldDeclared, kFieldKind };

constexpr unsigned kFieldBits = 20;  // Limits::max_fields_per_type

class FieldRows : public SnapshotRows {
 public:
  explicit FieldRows(SnapshotData& data) : data_(data) {}

  Result<RowList> Between(int64_t from, int64_t to) override {
    const RowList types = TypeRange(data_.Summary(), from, to);
    std::vector<uint64_t> ids;
    for (uint64_t id = types.first; id < types.end; ++id) ids.push_back(id);
    return OfTypes(ids);
  }

  Result<RowList> Find(int, const Value& value) override {
    const std::string* name = TextKey(value);
    return name ? OfTypes(Ids(data_.TypesNamed(*name))) : RowList::None();
  }

  Result<Value> At(uint64_t row, int column) override {
    const uint64_t type = row >> kFieldBits;
    const snapshot::Field& field = fields_.at(type).at(row & ((uint64_t{1} << kFieldBits) - 1));
    switch (column) {
      case kSnapshot:
        return data_.Number();
      case kFieldTypeId:
        return Number(type);
      case kFieldType:
        return Text(data_.Summary().types[type].name);
      case kFieldName:
        return Text(field.name);
      case kFieldOffset:
        return Number(field.offset);
      case kFieldDeclared:
        return field.type.empty() ? Value() : Text(field.type);
      default:
        return Text(field.kind == snapshot::FieldKind::kReference   ? "reference"
                    : field.kind == snapshot::FieldKind::kPrimitive ? "primitive"
                                                                    : "other");
    }
  }

 private:
  Result<RowList> OfTypes(const std::vector<uint64_t>& types) {
    std::vector<uint64_t> rows;
    for (const uint64_t type : types) {
      if (const Status read = Read(type); !read) return tl::make_unexpected(read.error());
      for (uint64_t i = 0; i < fields_[type].size(); ++i) rows.push_back(type << kFieldBits | i);
    }
    return RowList::Listed(std::move(rows));
  }

  Status Read(uint64_t type) {
    if (fields_.contains(type)) return {};
    if (!cursor_) {
      auto cursor = data_.Session().Source().NewCursor();
      if (!cursor) return tl::make_unexpected(std::move(cursor).error());
      cursor_ = std::move(*cursor);
    }
    auto fields = cursor_->Fields(static_cast<uint32_t>(type));
    if (!fields) return tl::make_unexpected(std::move(fields).error());
    fields_[type] = std::move(*fields);
    return {};
  }

  SnapshotData& data_;
  std::unique_ptr<analysis::ChunkCursor> cursor_;
  std::map<uint64_t, std::vector<snapshot::Field>> fields_;  // by type; stay, since cells refer to them
};

double TypeCount(const snapshot::Summary& summary) { return static_cast<double>(summary.types.size()); }

}  // namespace

TableShape TypesShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "types";
  shape.columns = {{"snapshot"},
                   {"type_id"},
                   {"type", ColumnType::kText},
                   {"module", ColumnType::kText},
                   {"base", ColumnType::kText},
                   {"kind", ColumnType::kText},
                   {"objects"},
                   {"bytes"},
                   {"retained"},
                   {"unreachable_objects"},
                   {"unreachable_bytes"}};
  shape.sorted = kTypeId;
  shape.keys = {{kType, 1}};
  shape.rows = TypeCount;
  shape.open = [](SnapshotData& data) { return std::make_unique<TypeRows>(data); };
  return shape;
}

TableShape FieldsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "fields";
  shape.columns = {{"snapshot"},
                   {"type_id"},
                   {"type", ColumnType::kText},
                   {"field", ColumnType::kText},
                   {"offset"},
                   {"field_type", ColumnType::kText},
                   {"kind", ColumnType::kText}};
  shape.sorted = kFieldTypeId;
  shape.rows_per_value = 5;
  shape.keys = {{kFieldType, 5}};
  shape.rows = [](const snapshot::Summary& summary) { return 5 * TypeCount(summary); };
  shape.open = [](SnapshotData& data) { return std::make_unique<FieldRows>(data); };
  return shape;
}

}  // namespace cairn::query
