#include "viewer/analysis/dotnet/waste.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "viewer/analysis/dotnet/collections.h"
#include "viewer/analysis/dotnet/equal_contents.h"
#include "viewer/analysis/dotnet/value_sense.h"
#include "viewer/analysis/slot_reader.h"

namespace cairn::analysis::dotnet {
namespace {

// An array counts as sparse from so many nulls on, if they are at least half of it.
constexpr uint64_t kSparseNulls = 32;

class WasteFinder {
 public:
  WasteFinder(const HeapGraph& graph, const ChunkSource& source, const Reachability& reached, Work& work)
      : graph_(graph),
        source_(source),
        reached_(reached),
        work_(work),
        collections_(graph, source),
        roles_(graph.GetSummary().types),
        values_(graph, source, roles_),
        slots_(graph, source),
        is_backing_((graph.ObjectCount() + 63) / 64) {}

  Result<Waste> Find() {
    CAIRN_TRY(ReadChunks());
    CAIRN_TRY(MeasureCollections());
    AddSparseArrays();
    AddBoxed();
    AddDisposed();
    waste_.has_hashes = graph_.GetSummary().capture.strings != "none";
    waste_.duplicates = equal_.Take(graph_);
    CAIRN_TRY(ReadTexts());
    for (auto& [key, row] : by_type_)
      if (row.wasted > 0 || row.empty > 0) waste_.collections.push_back(row);
    std::stable_sort(waste_.collections.begin(), waste_.collections.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.wasted, a.empty) > std::tuple(b.wasted, b.empty);
    });
    return std::move(waste_);
  }

 private:
  // A collection whose count is known; the length of its array is read later.
  struct Counted {
    ObjectIndex array;
    TypeIndex type;
    uint64_t used = 0;
  };
  struct SparseArray {
    ObjectIndex array;
    uint64_t length = 0, used = 0;
  };

  Status ReadChunks() {
    auto cursor = source_.NewCursor();
    if (!cursor) return tl::make_unexpected(std::move(cursor).error());
    const size_t chunks = source_.Chunks().size();
    work_.Begin("reading contents", chunks);
    stream::DecodedChunk chunk;
    stream::DecodedContents contents;
    for (size_t i = 0; i < chunks; ++i) {
      if (work_.Cancelled()) return WasCancelled();
      CAIRN_TRY((*cursor)->Read(i, chunk));
      CAIRN_TRY((*cursor)->ReadContents(i, chunk, contents));
      CAIRN_TRY(ReadChunk(source_.Chunks()[i].first_object, chunk, contents));
      work_.Advance(1);
    }
    return {};
  }

  Status ReadChunk(uint64_t first_object, const stream::DecodedChunk& chunk, const stream::DecodedContents& contents) {
    for (size_t i = 0; i < chunk.types.size(); ++i) {
      const ObjectIndex object(static_cast<uint32_t>(first_object + i));
      if (!reached_.IsReachable(object)) continue;
      const snapshot::Type& type = graph_.TypeInfo(object);
      if (type.layout.has_hash) {
        if (const uint64_t hash = contents.Of(i).hash; hash != 0) equal_.Add(object, hash);
      } else if (type.layout.HasLength()) {
        AddArray(object, type, chunk.lengths[i]);
      } else {
        CAIRN_TRY(ReadCollection(object, chunk, contents, i));
        CAIRN_TRY(ReadDisposed(object, contents, i));
      }
    }
    return {};
  }

  // Of references alone: what is null is known from the references there are.
  void AddArray(ObjectIndex object, const snapshot::Type& type, uint64_t length) {
    const bool of_references = type.layout.element_slots == 1 && !type.layout.explicit_slots &&
                               type.layout.component_size == graph_.GetSummary().process.pointer_size;
    if (!of_references || length < kSparseNulls) return;
    const uint64_t used = graph_.Targets(object).size() - graph_.ImpliedEdges(object);
    if (length - used >= kSparseNulls && used <= length / 2) sparse_.push_back({object, length, used});
  }

  Status ReadCollection(ObjectIndex object, const stream::DecodedChunk& chunk, const stream::DecodedContents& contents,
                        size_t i) {
    const auto shape = collections_.ShapeOf(graph_.TypeOf(object));
    if (!shape) return tl::make_unexpected(shape.error());
    if (!*shape) return {};
    const uint64_t array = chunk.targets[chunk.first_slot[i] + (*shape)->array_slot];
    const ObjectIndex target = array == 0 ? ObjectIndex() : graph_.AtAddress(array);
    if ((*shape)->is_concurrent_dictionary) return CountConcurrent(object, target);
    if (target.Valid()) is_backing_[target.value / 64] |= uint64_t{1} << target.value % 64;
    if (!(*shape)->count_value) return {};
    waste_.has_counts = true;
    const auto values = contents.Of(i).values;
    const int64_t free = (*shape)->free_value ? values[*(*shape)->free_value] : 0;
    const int64_t used = values[*(*shape)->count_value] - free;
    if (used >= 0) counted_.push_back({target, graph_.TypeOf(object), static_cast<uint64_t>(used)});
    return {};
  }

  Status ReadDisposed(ObjectIndex object, const stream::DecodedContents& contents, size_t i) {
    const auto flag = values_.DisposedValue(graph_.TypeOf(object));
    if (!flag) return tl::make_unexpected(flag.error());
    if (flag->value && flag->SaysDisposed(contents.Of(i).values[*flag->value]))
      disposed_[graph_.TypeOf(object).value] += {1, graph_.SizeOf(object)};
    return {};
  }

  // Tables → buckets, an array of structs of one reference each → nodes, each with a reference to the next.
  Status CountConcurrent(ObjectIndex object, ObjectIndex tables) {
    if (!tables.Valid()) return {};
    ObjectIndex buckets;
    for (const ObjectIndex target : graph_.Targets(tables))
      if (const auto& type = graph_.TypeInfo(target); type.name.ends_with("Node[]") && type.layout.element_slots == 1)
        buckets = target;
    if (!buckets.Valid()) return {};
    is_backing_[buckets.value / 64] |= uint64_t{1} << buckets.value % 64;
    uint64_t nodes = 0;
    for (ObjectIndex node : graph_.Targets(buckets)) {
      // A file may tell of a circle: no list is longer than there are objects.
      while (node.Valid() && nodes < graph_.ObjectCount()) {
        ++nodes;
        node = NextNode(node);
      }
    }
    const auto length = LengthOf(buckets);
    if (!length) return tl::make_unexpected(length.error());
    AddCollection(graph_.TypeOf(object), false, *length, std::min(nodes, *length),
                  graph_.TypeInfo(buckets).layout.component_size);
    return {};
  }

  ObjectIndex NextNode(ObjectIndex node) const {
    for (const ObjectIndex target : graph_.Targets(node))
      if (graph_.TypeOf(target) == graph_.TypeOf(node) && target != node) return target;
    return {};
  }

  // From its size where no padding can be in it, else read again.
  Result<uint64_t> LengthOf(ObjectIndex array) {
    const stream::TypeLayout& layout = graph_.TypeInfo(array).layout;
    if (layout.component_size % 8 == 0 && layout.component_size != 0)
      return (graph_.SizeOf(array) - layout.base_size) / layout.component_size;
    return slots_.Read(array, 0).map([](const ObjectSlots& slots) { return slots.length; });
  }

  Status MeasureCollections() {
    std::sort(counted_.begin(), counted_.end(), [](const Counted& a, const Counted& b) { return a.array < b.array; });
    work_.Begin("measuring collections", counted_.size());
    Stride stride(work_);
    for (const Counted& collection : counted_) {
      if (!stride.Step()) return WasCancelled();
      if (!collection.array.Valid()) {
        AddCollection(collection.type, false, 0, 0, 0);
        continue;
      }
      const auto length = LengthOf(collection.array);
      if (!length) return tl::make_unexpected(length.error());
      // More elements than room: the process was just changing it.
      if (collection.used > *length) continue;
      AddCollection(collection.type, false, *length, collection.used,
                    graph_.TypeInfo(collection.array).layout.component_size);
    }
    return {};
  }

  void AddCollection(TypeIndex type, bool sparse, uint64_t capacity, uint64_t used, uint64_t element_bytes) {
    CollectionWaste& row = by_type_[{type.value, sparse}];
    row.type = type;
    row.is_sparse_array = sparse;
    ++row.objects;
    row.empty += used == 0;
    row.capacity += capacity;
    row.used += used;
    row.wasted += (capacity - used) * element_bytes;
  }

  void AddSparseArrays() {
    for (const SparseArray& sparse : sparse_) {
      if (is_backing_[sparse.array.value / 64] >> sparse.array.value % 64 & 1) continue;
      AddCollection(graph_.TypeOf(sparse.array), true, sparse.length, sparse.used,
                    graph_.GetSummary().process.pointer_size);
    }
  }

  void AddBoxed() {
    const auto& types = graph_.GetSummary().types;
    for (uint32_t i = 0; i < types.size(); ++i)
      if (types[i].kind == snapshot::TypeKind::kBoxedStruct && reached_.ByType()[i].objects > 0)
        waste_.boxed.push_back({TypeIndex(i), reached_.ByType()[i]});
    SortByBytes(waste_.boxed);
  }

  void AddDisposed() {
    for (const auto& [type, totals] : disposed_) waste_.disposed.push_back({TypeIndex(type), totals});
    SortByBytes(waste_.disposed);
  }

  static void SortByBytes(std::vector<TypeTotals>& rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.totals.bytes > b.totals.bytes; });
  }

  // Of the first copy of each, in the order of chunks.
  Status ReadTexts() {
    std::vector<Duplicate*> with_text;
    for (Duplicate& duplicate : waste_.duplicates)
      if (graph_.TypeInfo(duplicate.examples[0]).layout.has_text) with_text.push_back(&duplicate);
    std::sort(with_text.begin(), with_text.end(),
              [](const Duplicate* a, const Duplicate* b) { return a->examples[0] < b->examples[0]; });
    auto cursor = source_.NewCursor();
    if (!cursor) return tl::make_unexpected(std::move(cursor).error());
    stream::DecodedChunk chunk;
    stream::DecodedContents contents;
    size_t next = 0;
    for (size_t i = 0; i < source_.Chunks().size() && next < with_text.size(); ++i) {
      const uint64_t first = source_.Chunks()[i].first_object, end = first + source_.Chunks()[i].header.object_count;
      if (with_text[next]->examples[0].value >= end) continue;
      CAIRN_TRY((*cursor)->Read(i, chunk));
      CAIRN_TRY((*cursor)->ReadContents(i, chunk, contents));
      for (; next < with_text.size() && with_text[next]->examples[0].value < end; ++next)
        TakeText(*with_text[next], contents.Of(with_text[next]->examples[0].value - first));
    }
    return {};
  }

  static void TakeText(Duplicate& duplicate, const stream::ObjectContents& contents) {
    duplicate.has_text = contents.has_text;
    duplicate.text_cut = contents.text_cut;
    duplicate.text = contents.text;
  }

  const HeapGraph& graph_;
  const ChunkSource& source_;
  const Reachability& reached_;
  Work& work_;
  Collections collections_;
  TypeRoles roles_;
  ValueSense values_;
  SlotReader slots_;
  FlatArray<uint64_t> is_backing_;  // a bit per object: the array of a known collection
  std::vector<Counted> counted_;
  std::vector<SparseArray> sparse_;
  std::map<std::pair<uint32_t, bool>, CollectionWaste> by_type_;
  std::map<uint32_t, ObjectTotals> disposed_;  // by type
  EqualContents equal_;
  Waste waste_;
};

}  // namespace

Result<Waste> FindWaste(const HeapGraph& graph, const ChunkSource& source, const Reachability& reached, Work& work) {
  return WasteFinder(graph, source, reached, work).Find();
}

}  // namespace cairn::analysis::dotnet
