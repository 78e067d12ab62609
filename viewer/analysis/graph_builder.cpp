#include "viewer/analysis/graph_builder.h"

#include <algorithm>
#include <string>

#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

uint32_t CountNonNull(const uint64_t* first, const uint64_t* last) {
  return static_cast<uint32_t>(last - first - std::count(first, last, uint64_t{0}));
}

}  // namespace

Status GraphBuilder::Run() {
  CAIRN_TRY(CheckSource());
  CAIRN_TRY(ReadObjects());
  CAIRN_TRY(IndexObjects());
  graph_.ResolveImplied();
  CAIRN_TRY(PlaceEdges());
  return ResolveTargets();
}

tl::unexpected<Error> GraphBuilder::Damaged(size_t chunk, const char* what) const {
  return Fail(ErrorKind::kDamaged, "snapshot.damaged",
              "Chunk " + std::to_string(chunk) + " of the snapshot " + what + ".",
              "Run `cairn info --verify` on the file.");
}

Status GraphBuilder::CheckSource() {
  const unsigned shift = summary_.process.address_shift;
  if (std::string wrong = ObjectMap::Check(summary_.ranges, shift); !wrong.empty())
    return Fail(ErrorKind::kDamaged, "snapshot.damaged", std::move(wrong), "Run `cairn info --verify` on the file.");
  const auto& chunks = source_.Chunks();
  uint64_t objects = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].first_object != objects) return Damaged(i, "does not start where the objects before it end");
    if (chunks[i].header.range >= summary_.ranges.size()) return Damaged(i, "belongs to no range");
    if (chunks[i].header.continued_slots && objects == 0) return Damaged(i, "continues an array that never started");
    objects += chunks[i].header.object_count;
  }
  if (objects > kMaxGraphObjects)
    return Fail(ErrorKind::kFailed, "graph.too_large",
                "The snapshot holds " + std::to_string(objects) +
                    " objects; answers that follow references are limited to " + std::to_string(kMaxGraphObjects) + ".",
                "The histogram without retained sizes (`cairn types --no-retained`) has no such limit.");
  graph_.summary_ = &summary_;
  graph_.types_ = FlatArray<uint32_t>(objects);
  graph_.offsets_ = EdgeOffsets(objects);
  graph_.map_ = ObjectMap(summary_.ranges, shift);
  graph_.sizes_ = ObjectSizes(summary_.types, summary_.ranges);
  graph_.continued_.resize(chunks.size());
  edges_.resize(chunks.size());
  return {};
}

Status GraphBuilder::ReadObjects() {
  struct PerThread {
    std::unique_ptr<ChunkCursor> cursor;
    stream::DecodedChunk decoded;
  };
  std::vector<PerThread> per_thread(std::max(threads_, 1u));
  work_.Begin("reading objects", edges_.size());
  return ParallelFor(edges_.size(), threads_, work_, [&](size_t chunk, unsigned thread) -> Status {
    PerThread& own = per_thread[thread];
    if (!own.cursor) {
      auto cursor = source_.NewCursor();
      if (!cursor) return tl::make_unexpected(std::move(cursor).error());
      own.cursor = std::move(*cursor);
    }
    CAIRN_TRY(own.cursor->Read(chunk, own.decoded));
    return ReadChunk(chunk, own.decoded);
  });
}

Status GraphBuilder::ReadChunk(size_t chunk, const stream::DecodedChunk& decoded) {
  const snapshot::ChunkInfo& info = source_.Chunks()[chunk];
  const size_t objects = info.header.object_count;
  if (decoded.types.size() != objects || decoded.addresses.size() != objects || decoded.sizes.size() != objects ||
      decoded.first_slot.size() != objects + 1 || decoded.first_slot.back() != decoded.targets.size())
    return Damaged(chunk, "does not hold what its header says");
  const auto known = [&](uint32_t type) { return type < summary_.types.size(); };
  if (!std::all_of(decoded.types.begin(), decoded.types.end(), known))
    return Damaged(chunk, "names a type that does not exist");
  if (!graph_.map_.Mark(info.header.range, decoded.addresses))
    return Damaged(chunk, "holds an object outside its range or out of order");
  std::copy(decoded.types.begin(), decoded.types.end(), graph_.types_.data() + info.first_object);
  KeepSizes(chunk, decoded);
  KeepTargets(chunk, decoded);
  return {};
}

void GraphBuilder::KeepSizes(size_t chunk, const stream::DecodedChunk& decoded) {
  const auto first_object = static_cast<uint32_t>(source_.Chunks()[chunk].first_object);
  for (uint32_t i = 0; i < decoded.types.size(); ++i) {
    if (!graph_.sizes_.IsVariable(decoded.types[i])) continue;
    const bool followed =
        i + 1 < decoded.types.size() && decoded.addresses[i] + decoded.sizes[i] == decoded.addresses[i + 1];
    if (!followed) edges_[chunk].sizes.push_back({first_object + i, decoded.sizes[i]});
  }
}

void GraphBuilder::KeepTargets(size_t chunk, const stream::DecodedChunk& decoded) {
  const auto first_object = static_cast<uint32_t>(source_.Chunks()[chunk].first_object);
  const uint64_t* targets = decoded.targets.data();
  const size_t objects = decoded.types.size();
  ChunkEdges& edges = edges_[chunk];
  uint32_t count = graph_.continued_[chunk] = CountNonNull(targets, targets + decoded.first_slot[0]);
  for (uint32_t i = 0; i < objects; ++i) {
    const uint32_t own = CountNonNull(targets + decoded.first_slot[i], targets + decoded.first_slot[i + 1]);
    graph_.offsets_.Count(first_object + i) = own;
    count += own;
  }
  edges.targets = FlatArray<uint64_t>(count);
  std::copy_if(decoded.targets.begin(), decoded.targets.end(), edges.targets.data(),
               [](uint64_t target) { return target != 0; });
}

Status GraphBuilder::IndexObjects() {
  if (graph_.map_.Index() != graph_.types_.size())
    return Fail(ErrorKind::kDamaged, "snapshot.damaged", "Two objects of the snapshot start at the same address.",
                "Run `cairn info --verify` on the file.");
  for (ChunkEdges& edges : edges_) {
    graph_.sizes_.List(edges.sizes);
    edges.sizes = {};
  }
  graph_.roots_ = RootList(summary_, graph_.map_, graph_.sizes_, graph_.types_.data());
  return {};
}

// Turns the counts into offsets. An array's edges in later chunks, and the implied edges, come after those that
// were counted where the object starts, so an object's end is known when the next one is met.
Status GraphBuilder::PlaceEdges() {
  work_.Begin("placing edges", graph_.types_.size());
  uint64_t offset = 0, of_last = 0;
  const auto& chunks = source_.Chunks();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (work_.Cancelled()) return WasCancelled();
    edges_[chunk].continued_from = of_last;
    of_last += graph_.continued_[chunk];
    if (chunks[chunk].header.object_count)
      of_last = graph_.offsets_.Count(
          static_cast<uint32_t>(chunks[chunk].first_object + chunks[chunk].header.object_count - 1));
    offset = PlaceChunkEdges(chunk, offset);
    work_.Advance(chunks[chunk].header.object_count);
  }
  graph_.offsets_.Set(graph_.ObjectCount(), offset);
  graph_.targets_ = FlatArray<ObjectIndex>(offset);
  return {};
}

uint64_t GraphBuilder::PlaceChunkEdges(size_t chunk, uint64_t offset) {
  const snapshot::ChunkInfo& info = source_.Chunks()[chunk];
  offset += graph_.continued_[chunk];
  ImpliedEdgeCounter implied(graph_, ObjectIndex(static_cast<uint32_t>(info.first_object)));
  for (uint32_t i = 0; i < info.header.object_count; ++i) {
    const auto object = static_cast<uint32_t>(info.first_object + i);
    const uint32_t count = graph_.offsets_.Count(object);
    graph_.offsets_.Set(object, offset);
    offset += count + implied.Of(ObjectIndex(object));
  }
  return offset;
}

Status GraphBuilder::ResolveTargets() {
  work_.Begin("resolving references", edges_.size());
  CAIRN_TRY(ParallelFor(edges_.size(), threads_, work_, [&](size_t chunk, unsigned) { return ResolveChunk(chunk); }));
  for (const ChunkEdges& edges : edges_)
    graph_.unresolved_.insert(graph_.unresolved_.end(), edges.unresolved.begin(), edges.unresolved.end());
  std::sort(graph_.unresolved_.begin(), graph_.unresolved_.end());
  return {};
}

Status GraphBuilder::ResolveChunk(size_t chunk) {
  const snapshot::ChunkInfo& info = source_.Chunks()[chunk];
  ChunkEdges& edges = edges_[chunk];
  const auto first = static_cast<uint32_t>(info.first_object);
  uint32_t from = 0, hint = info.header.range;
  ImpliedEdgeCounter counter(graph_, ObjectIndex(first));
  if (info.header.continued_slots) {
    const ObjectIndex array(first - 1);
    if (graph_.AddressOf(array) != info.header.continued_object)
      return Damaged(chunk, "continues another array than the last one");
    ResolveRun(edges, from, graph_.continued_[chunk], array, graph_.offsets_[array.value] + edges.continued_from, hint);
  }
  for (uint32_t object = first; object < first + info.header.object_count; ++object) {
    const ObjectIndex self(object);
    const uint64_t begin = graph_.offsets_[object], end = graph_.offsets_[object + 1];
    const uint64_t implied = counter.Of(self);
    // The last object may go on in the next chunk; only its share is here.
    const uint64_t own = std::min<uint64_t>(end - begin - implied, edges.targets.size() - from);
    ResolveRun(edges, from, own, self, begin, hint);
    if (implied) WriteImplied(self, end - implied);
  }
  edges.targets.Release();
  return {};
}

uint64_t GraphBuilder::ResolveRun(ChunkEdges& edges, uint32_t& from, uint64_t count, ObjectIndex self, uint64_t at,
                                  uint32_t& hint) {
  for (uint64_t end = at + count; at < end; ++at) {
    const ObjectIndex target = graph_.map_.StartingAt(edges.targets[from++], hint);
    graph_.targets_[at] = target.Valid() ? target : self;
    if (!target.Valid()) edges.unresolved.push_back(at);
  }
  return at;
}

void GraphBuilder::WriteImplied(ObjectIndex object, uint64_t at) {
  const ObjectIndex allocator = graph_.loader_allocators_[graph_.types_[object.value]];
  if (allocator.Valid()) graph_.targets_[at++] = allocator;
  for (const auto& dependent : graph_.DependentsOf(object)) graph_.targets_[at++] = dependent.secondary;
}

}  // namespace cairn::analysis
