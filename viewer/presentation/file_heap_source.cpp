#include "viewer/presentation/file_heap_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::presentation {
namespace {

bool Holds(const snapshot::ChunkInfo& chunk, const ObjectName& name) {
  const auto& header = chunk.header;
  if (header.object_count == 0) return false;
  if (name.kind == ObjectName::Kind::kAddress)
    return name.value >= header.first_address && name.value < header.end_address;
  return name.value >= chunk.first_object && name.value - chunk.first_object < header.object_count;
}

tl::unexpected<Error> Missing(const std::string& path, const ObjectName& name) {
  return Fail(ErrorKind::kFailed, "object.missing", fmt::format("{} holds no object {}", path, ToString(name)),
              "An index is valid within one file only; an address must be where an object starts.");
}

}  // namespace

Result<std::unique_ptr<FileHeapSource>> FileHeapSource::Open(const std::string& path) {
  auto reader = snapshot::SnapshotReader::Open(path);
  if (!reader) return tl::make_unexpected(std::move(reader).error());
  return std::unique_ptr<FileHeapSource>(new FileHeapSource(std::move(*reader)));
}

snapshot::Generation FileHeapSource::GenerationOf(const snapshot::ChunkInfo& chunk) const {
  return Summary().ranges.at(chunk.header.range).generation;
}

HeapObject FileHeapSource::ObjectAt(const snapshot::ChunkInfo& chunk, size_t position) const {
  return {chunk.first_object + position, decoded_.addresses[position], decoded_.types[position],
          decoded_.sizes[position], GenerationOf(chunk)};
}

Status FileHeapSource::VisitObjects(const ObjectFilter& filter, const std::function<bool(const HeapObject&)>& visit) {
  const auto chunks = reader_->Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  for (size_t number = 0; number < (*chunks)->size(); ++number) {
    const snapshot::ChunkInfo& chunk = (**chunks)[number];
    if (chunk.header.object_count == 0) continue;
    if (filter.generation && GenerationOf(chunk) != *filter.generation) continue;
    CAIRN_TRY(reader_->ReadChunk(number, decoded_));
    for (size_t i = 0; i < decoded_.types.size(); ++i) {
      if (!filter.types.empty() && !filter.types.at(decoded_.types[i])) continue;
      if (!visit(ObjectAt(chunk, i))) return {};
    }
  }
  return {};
}

Result<HeapObject> FileHeapSource::FindObject(const ObjectName& name) {
  const auto chunks = reader_->Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  for (size_t number = 0; number < (*chunks)->size(); ++number)
    if (Holds((**chunks)[number], name)) return FindInChunk((**chunks)[number], number, name);
  return Missing(Path(), name);
}

Result<HeapObject> FileHeapSource::FindInChunk(const snapshot::ChunkInfo& chunk, size_t number,
                                               const ObjectName& name) {
  if (auto status = reader_->ReadChunk(number, decoded_); !status)
    return tl::make_unexpected(std::move(status).error());
  if (name.kind == ObjectName::Kind::kIndex) return ObjectAt(chunk, name.value - chunk.first_object);
  const auto at = std::lower_bound(decoded_.addresses.begin(), decoded_.addresses.end(), name.value);
  if (at == decoded_.addresses.end() || *at != name.value) return Missing(Path(), name);
  return ObjectAt(chunk, static_cast<size_t>(at - decoded_.addresses.begin()));
}

}  // namespace cairn::presentation
