// strings: every System.String. Row number: the object's index.

#include <algorithm>
#include <cstdio>

#include "snapshot-format/stream/contents_decoder.h"
#include "viewer/query/snapshot_rows.h"

namespace cairn::query {
namespace {

enum StringColumn : int { kSnapshot, kObject, kBytes, kLength, kHash, kText, kTextCut };

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
    if (column == kSnapshot) return data_.Number();
    if (column == kObject) return Number(row);
    if (column == kBytes)
      return data_.Graph().map([&](const analysis::HeapGraph* graph) {
        return Number(graph->SizeOf(ObjectIndex(static_cast<uint32_t>(row))));
      });
    CAIRN_TRY(Load(row, column != kLength));
    const size_t place = row - data_.Session().Source().Chunks()[*loaded_].first_object;
    if (column == kLength) return Number(objects_.lengths[place]);
    const stream::ObjectContents known = contents_.Of(place);
    if (column == kHash) return known.hash ? Value(Hex(known.hash)) : Value();
    if (column == kTextCut) return known.has_text ? Flag(known.text_cut) : Value();
    return known.has_text ? Value(std::string(known.text)) : Value();
  }

 private:
  // As the hash of `cairn waste`: 16 digits, since SQL has no unsigned numbers.
  static std::string Hex(uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
  }

  // The chunk that object `row` starts in; rows come in order, so each is read about once.
  Status Load(uint64_t row, bool with_contents) {
    const auto& chunks = data_.Session().Source().Chunks();
    const auto after = std::upper_bound(chunks.begin(), chunks.end(), row,
                                        [](uint64_t value, const auto& chunk) { return value < chunk.first_object; });
    const auto chunk = static_cast<size_t>(after - chunks.begin()) - 1;
    if (!cursor_) {
      auto cursor = data_.Session().Source().NewCursor();
      if (!cursor) return tl::make_unexpected(std::move(cursor).error());
      cursor_ = std::move(*cursor);
    }
    if (loaded_ != chunk) {
      loaded_.reset();
      has_contents_ = false;
      CAIRN_TRY(cursor_->Read(chunk, objects_));
      loaded_ = chunk;
    }
    if (!with_contents || has_contents_) return {};
    CAIRN_TRY(cursor_->ReadContents(chunk, objects_, contents_));
    has_contents_ = true;
    return {};
  }

  SnapshotData& data_;
  std::unique_ptr<analysis::ChunkCursor> cursor_;
  std::optional<size_t> loaded_;
  stream::DecodedChunk objects_;
  bool has_contents_ = false;
  stream::DecodedContents contents_;
};

}  // namespace

TableShape StringsShape() {
  using sql::ColumnType;
  TableShape shape;
  shape.name = "strings";
  shape.columns = {
      {"snapshot"}, {"object"}, {"bytes"}, {"length"}, {"hash", ColumnType::kText}, {"text", ColumnType::kText},
      {"text_cut"}};
  shape.sorted = kObject;
  shape.rows = [](const snapshot::Summary& summary) { return static_cast<double>(summary.totals.objects) / 4; };
  shape.open = [](SnapshotData& data) { return std::make_unique<StringRows>(data); };
  return shape;
}

}  // namespace cairn::query
