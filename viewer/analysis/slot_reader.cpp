#include "viewer/analysis/slot_reader.h"

#include <algorithm>
#include <numeric>
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

Status SlotReader::LoadMap(size_t chunk) {
  if (mapped_ == chunk) return {};
  CAIRN_TRY(Open());
  mapped_.reset();
  CAIRN_TRY(cursor_->ReadSlotMap(chunk, map_));
  mapped_ = chunk;
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
  const uint64_t filled = graph.Targets(edge.source).size() - graph.ImpliedEdges(edge.source);
  if (!layout.HasLength() || layout.explicit_slots) return SlotWithoutReading(layout, filled, edge.ordinal);
  // Rounding up may make the size that of one component more; then the two numbers differ.
  const uint64_t length = (graph.SizeOf(edge.source) - layout.base_size) / layout.component_size;
  return filled == length * layout.element_slots ? std::optional(edge.ordinal) : std::nullopt;
}

Result<uint64_t> SlotReader::SlotOf(const EdgeRef& edge) {
  if (const auto known = SlotWithoutReading(graph_, edge)) return *known;
  if (place_.source != edge.source || edge.ordinal < place_.ordinal) place_ = {edge.source, ChunkOf(edge.source)};
  while (true) {
    const auto slot = FindHere(edge);
    if (!slot) return tl::make_unexpected(slot.error());
    if (*slot) return **slot;
    if (!Continues(place_.chunk + 1, edge.source)) return NoSuchSlot(edge);
    place_.at = 0;
    ++place_.chunk;
  }
}

// From the place on; nothing: it is in a later chunk, and the place is behind this one.
Result<std::optional<uint64_t>> SlotReader::FindHere(const EdgeRef& edge) {
  const bool own = place_.chunk == ChunkOf(edge.source);
  if (!own && place_.at == 0 && edge.ordinal - place_.ordinal >= graph_.ContinuedEdges(place_.chunk)) {
    place_.ordinal += graph_.ContinuedEdges(place_.chunk);
    return std::nullopt;
  }
  if (const Status loaded = LoadMap(place_.chunk); !loaded) return tl::make_unexpected(loaded.error());
  const auto& chunk = source_.Chunks()[place_.chunk];
  const size_t i = own ? edge.source.value - chunk.first_object : 0;
  const uint32_t begin = own ? map_.first_slot[i] : 0;
  const uint32_t end = own ? map_.first_slot[i + 1] : map_.first_slot[0];
  uint64_t left = edge.ordinal - place_.ordinal;
  const uint32_t slot = map_.Find(left, begin + place_.at, end);
  place_.at = slot - begin;
  place_.ordinal = edge.ordinal - left;
  if (slot == end) return std::nullopt;
  return (own ? 0 : chunk.header.continued_slot) + place_.at;
}

Result<std::vector<snapshot::Field>> SlotReader::Fields(TypeIndex type) {
  if (const Status opened = Open(); !opened) return tl::make_unexpected(opened.error());
  return cursor_->Fields(type.value);
}

Result<std::vector<uint64_t>> SlotsOf(const HeapGraph& graph, const ChunkSource& source, std::span<const EdgeRef> edges,
                                      unsigned threads, Work& work) {
  // In their order in the file, so that a reader goes on where it found the last one.
  std::vector<uint64_t> order(edges.size());
  std::iota(order.begin(), order.end(), uint64_t{0});
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return edges[a] < edges[b]; });
  std::vector<uint64_t> slots(edges.size());
  std::vector<std::unique_ptr<SlotReader>> readers(std::max(threads, 1u));
  const size_t pieces = (edges.size() + kEdgesPerPiece - 1) / kEdgesPerPiece;
  work.Begin("reading field names", pieces);
  CAIRN_TRY(ParallelFor(pieces, threads, work, [&](size_t piece, unsigned thread) -> Status {
    if (!readers[thread]) readers[thread] = std::make_unique<SlotReader>(graph, source);
    for (size_t i = piece * kEdgesPerPiece; i < std::min(edges.size(), (piece + 1) * kEdgesPerPiece); ++i) {
      const auto slot = readers[thread]->SlotOf(edges[order[i]]);
      if (!slot) return tl::make_unexpected(slot.error());
      slots[order[i]] = *slot;
    }
    return {};
  }));
  return slots;
}

}  // namespace cairn::analysis
