#include "viewer/analysis/contents_reader.h"

#include <algorithm>

namespace cairn::analysis {

Status ContentsReader::Open() {
  if (cursor_) return {};
  auto cursor = source_.NewCursor();
  if (!cursor) return tl::make_unexpected(std::move(cursor).error());
  cursor_ = std::move(*cursor);
  return {};
}

// Chunks without objects of their own come before the chunk that starts with the same object.
Result<stream::ObjectContents> ContentsReader::Read(ObjectIndex object) {
  const auto& chunks = source_.Chunks();
  const auto after = std::upper_bound(chunks.begin(), chunks.end(), uint64_t{object.value},
                                      [](uint64_t value, const auto& chunk) { return value < chunk.first_object; });
  const auto chunk = static_cast<size_t>(after - chunks.begin() - 1);
  if (loaded_ != chunk) {
    CAIRN_TRY(Open());
    loaded_.reset();
    CAIRN_TRY(cursor_->Read(chunk, objects_));
    CAIRN_TRY(cursor_->ReadContents(chunk, objects_, contents_));
    loaded_ = chunk;
  }
  return contents_.Of(object.value - chunks[chunk].first_object);
}

Result<const std::vector<snapshot::Field>*> ContentsReader::FieldsOf(TypeIndex type) {
  if (const auto known = fields_.find(type.value); known != fields_.end()) return &known->second;
  CAIRN_TRY(Open());
  auto fields = cursor_->Fields(type.value);
  if (!fields) return tl::make_unexpected(std::move(fields).error());
  return &fields_.emplace(type.value, std::move(*fields)).first->second;
}

Result<std::optional<uint32_t>> ContentsReader::ValueOf(TypeIndex type, std::string_view name) {
  const std::vector<uint32_t>& kept = graph_.GetSummary().types[type.value].value_slots;
  if (kept.empty()) return std::optional<uint32_t>();
  const auto fields = FieldsOf(type);
  if (!fields) return tl::make_unexpected(fields.error());
  for (const snapshot::Field& field : **fields) {
    if (field.name != name) continue;
    for (uint32_t i = 0; i < kept.size(); ++i)
      if (stream::UnpackedValueSlot(kept[i]).offset == field.offset) return std::optional(i);
  }
  return std::optional<uint32_t>();
}

}  // namespace cairn::analysis
