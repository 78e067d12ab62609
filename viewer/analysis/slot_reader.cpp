#include "viewer/analysis/slot_reader.h"

#include <algorithm>
#include <string>

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

constexpr size_t kEdgesPerPiece = 1u << 15;

tl::unexpected<Error> NoSuchSlot(const EdgeRef& edge) {
  return Fail(ErrorKind::kDamaged, "snapshot.damaged",
              "Object @" + std::to_string(edge.source.value) + " has no reference number " +
                  std::to_string(edge.ordinal) + " when it is read again.",
              "Run `cairn info --verify` on the file.");
}

// Position in `slots` of the `ordinal`th that is not null; counts `ordinal` down when there are too few.
std::optional<uint64_t> Find(std::span<const uint64_t> slots, uint64_t& ordinal) {
  for (size_t i = 0; i < slots.size(); ++i)
    if (slots[i] != 0 && ordinal-- == 0) return i;
  return std::nullopt;
}

}  // namespace

Status SlotReader::Open() {
  if (cursor_) return {};
  auto cursor = source_.NewCursor();
  if (!cursor) return tl::make_unexpected(std::move(cursor).error());
  cursor_ = std::move(*cursor);
  return {};
}

Status SlotReader::Load(size_t chunk) {
  if (loaded_ == chunk) return {};
  CAIRN_TRY(Open());
  loaded_.reset();
  CAIRN_TRY(cursor_->Read(chunk, decoded_));
  loaded_ = chunk;
  return {};
}

// Chunks without objects of their own come before the chunk that starts with the same object.
size_t SlotReader::ChunkOf(ObjectIndex object) const {
  const auto& chunks = source_.Chunks();
  const auto after = std::upper_bound(chunks.begin(), chunks.end(), uint64_t{object.value},
                                      [](uint64_t value, const auto& chunk) { return value < chunk.first_object; });
  return static_cast<size_t>(after - chunks.begin() - 1);
}

bool SlotReader::Continues(size_t chunk, ObjectIndex object) const {
  const auto& chunks = source_.Chunks();
  return chunk < chunks.size() && chunks[chunk].header.continued_slots != 0 &&
         chunks[chunk].first_object == uint64_t{object.value} + 1;
}

Result<ObjectSlots> SlotReader::Read(ObjectIndex object, uint64_t limit) {
  size_t chunk = ChunkOf(object);
  if (const Status loaded = Load(chunk); !loaded) return tl::make_unexpected(loaded.error());
  const size_t i = object.value - source_.Chunks()[chunk].first_object;
  ObjectSlots slots{decoded_.lengths[i], decoded_.slots[i], {}};
  const auto append = [&](uint32_t first, uint32_t end) {
    const uint64_t count = std::min<uint64_t>(end - first, limit - slots.targets.size());
    const auto from = decoded_.targets.begin() + first;
    slots.targets.insert(slots.targets.end(), from, from + static_cast<int64_t>(count));
  };
  append(decoded_.first_slot[i], decoded_.first_slot[i + 1]);
  while (slots.targets.size() < std::min(limit, slots.total) && Continues(++chunk, object)) {
    if (const Status loaded = Load(chunk); !loaded) return tl::make_unexpected(loaded.error());
    append(0, decoded_.first_slot[0]);
  }
  return slots;
}

Result<stream::ObjectContents> SlotReader::Contents(ObjectIndex object) {
  const size_t chunk = ChunkOf(object);
  if (const Status loaded = Load(chunk); !loaded) return tl::make_unexpected(loaded.error());
  if (contents_of_ != chunk) {
    contents_of_.reset();
    if (const Status read = cursor_->ReadContents(chunk, decoded_, contents_); !read)
      return tl::make_unexpected(read.error());
    contents_of_ = chunk;
  }
  return contents_.Of(object.value - source_.Chunks()[chunk].first_object);
}

std::optional<uint64_t> SlotReader::SlotWithoutReading(const HeapGraph& graph, const EdgeRef& edge) {
  const stream::TypeLayout& layout = graph.TypeInfo(edge.source).layout;
  if (layout.HasLength()) return std::nullopt;
  const uint64_t filled = graph.Targets(edge.source).size() - graph.ImpliedEdges(edge.source);
  return filled == layout.fixed_slots ? std::optional(edge.ordinal) : std::nullopt;
}

Result<uint64_t> SlotReader::SlotOf(const EdgeRef& edge) {
  if (const auto known = SlotWithoutReading(graph_, edge)) return *known;
  size_t chunk = ChunkOf(edge.source);
  if (const Status loaded = Load(chunk); !loaded) return tl::make_unexpected(loaded.error());
  const size_t i = edge.source.value - source_.Chunks()[chunk].first_object;
  uint64_t left = edge.ordinal;
  const std::span<const uint64_t> targets(decoded_.targets);
  const auto own = targets.subspan(decoded_.first_slot[i], decoded_.first_slot[i + 1] - decoded_.first_slot[i]);
  if (const auto slot = Find(own, left)) return *slot;
  while (Continues(++chunk, edge.source)) {
    if (left >= graph_.ContinuedEdges(chunk)) {
      left -= graph_.ContinuedEdges(chunk);
      continue;
    }
    if (const Status loaded = Load(chunk); !loaded) return tl::make_unexpected(loaded.error());
    const auto here = std::span<const uint64_t>(decoded_.targets).first(decoded_.first_slot[0]);
    if (const auto slot = Find(here, left)) return source_.Chunks()[chunk].header.continued_slot + *slot;
  }
  return NoSuchSlot(edge);
}

Result<std::vector<snapshot::Field>> SlotReader::Fields(TypeIndex type) {
  if (const Status opened = Open(); !opened) return tl::make_unexpected(opened.error());
  return cursor_->Fields(type.value);
}

Result<std::vector<uint64_t>> SlotsOf(const HeapGraph& graph, const ChunkSource& source, std::span<const EdgeRef> edges,
                                      unsigned threads, Work& work) {
  std::vector<uint64_t> slots(edges.size());
  std::vector<std::unique_ptr<SlotReader>> readers(std::max(threads, 1u));
  const size_t pieces = (edges.size() + kEdgesPerPiece - 1) / kEdgesPerPiece;
  work.Begin("reading field names", pieces);
  CAIRN_TRY(ParallelFor(pieces, threads, work, [&](size_t piece, unsigned thread) -> Status {
    if (!readers[thread]) readers[thread] = std::make_unique<SlotReader>(graph, source);
    for (size_t i = piece * kEdgesPerPiece; i < std::min(edges.size(), (piece + 1) * kEdgesPerPiece); ++i) {
      const auto slot = readers[thread]->SlotOf(edges[i]);
      if (!slot) return tl::make_unexpected(slot.error());
      slots[i] = *slot;
    }
    return {};
  }));
  return slots;
}

}  // namespace cairn::analysis
