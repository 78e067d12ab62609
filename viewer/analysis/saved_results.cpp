// Results as arrays, and back. Coming back, every index is checked against what it leads into: sequentially, so that
// it costs about as much as reading the arrays once.

#include <algorithm>
#include <atomic>

#include "viewer/analysis/dominators.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/parallel.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/retained.h"
#include "viewer/analysis/saved_arrays.h"
#include "viewer/analysis/shortest_paths.h"

namespace cairn::analysis {
namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr size_t kRun = 1024;  // without a branch between, so that the compiler makes it wide

// True when is_wrong(i) is false for all i in [first, count).
template <class IsWrong>
bool NoneWrong(size_t first, size_t count, unsigned threads, IsWrong is_wrong) {
  std::atomic<bool> wrong{false};
  Work work;
  const size_t pieces = count > first ? (count - first + kPiece - 1) / kPiece : 0;
  const Status done = ParallelFor(pieces, threads, work, [&](size_t piece, unsigned) -> Status {
    const size_t end = std::min(count, first + (piece + 1) * kPiece);
    for (size_t at = first + piece * kPiece; at < end; at += kRun) {
      uint32_t any = 0;
      for (size_t i = at; i < std::min(end, at + kRun); ++i) any |= static_cast<uint32_t>(is_wrong(i));
      if (any) wrong = true;
    }
    return {};
  });
  return done && !wrong;
}

bool AllBelow(const uint32_t* values, size_t first, size_t count, uint64_t limit, unsigned threads) {
  return NoneWrong(first, count, threads, [=](size_t i) { return values[i] >= limit; });
}

static_assert(sizeof(ObjectIndex) == sizeof(uint32_t));
const uint32_t* Numbers(const FlatArray<ObjectIndex>& objects) {
  return reinterpret_cast<const uint32_t*>(objects.data());
}

}  // namespace

void ObjectMap::Save(ArrayList& out) const { out.Add(words_); }

bool ObjectMap::Take(ArrayTaker& from) {
  const size_t expected = words_.size();
  return from.Take(words_) && words_.size() == expected;
}

void ObjectSizes::Save(ArrayList& out) const {
  std::vector<uint32_t> objects;
  std::vector<uint64_t> bytes;
  for (const ListedSize& size : listed_) {
    objects.push_back(size.object);
    bytes.push_back(size.bytes);
  }
  out.AddCopy(std::move(objects));
  out.AddCopy(std::move(bytes));
}

bool ObjectSizes::Take(ArrayTaker& from) {
  std::vector<uint32_t> objects;
  std::vector<uint64_t> bytes;
  if (!from.TakeCopy(objects) || !from.TakeCopy(bytes) || objects.size() != bytes.size()) return false;
  listed_.reserve(objects.size());
  for (size_t i = 0; i < objects.size(); ++i) listed_.push_back({objects[i], bytes[i]});
  return true;
}

void EdgeOffsets::Save(ArrayList& out) const {
  out.Add(low_);
  out.Add(std::span<const uint32_t>(carries_));
}

bool EdgeOffsets::Take(ArrayTaker& from, size_t objects, uint64_t edges, unsigned threads) {
  if (!from.Take(low_) || !from.TakeCopy(carries_) || low_.size() != objects + 1) return false;
  if (carries_.size() > edges >> 32 || !std::is_sorted(carries_.begin(), carries_.end())) return false;
  // An offset may be lower than the one before only where the high half goes up.
  const bool rises = NoneWrong(1, low_.size(), threads, [&](size_t i) {
    return low_[i] < low_[i - 1] && !std::binary_search(carries_.begin(), carries_.end(), static_cast<uint32_t>(i));
  });
  return rises && (*this)[static_cast<uint32_t>(objects)] == edges;
}

void HeapGraph::Save(ArrayList& out) const {
  map_.Save(out);
  sizes_.Save(out);
  out.Add(types_);
  out.Add(targets_);
  offsets_.Save(out);
  out.Add(std::span<const uint64_t>(unresolved_));
  out.Add(std::span<const uint32_t>(continued_));
}

std::optional<HeapGraph> HeapGraph::FromSaved(ArrayTaker from, const ChunkSource& source, unsigned threads) {
  const snapshot::Summary& summary = source.GetSummary();
  const unsigned shift = summary.process.address_shift;
  if (!ObjectMap::Check(summary.ranges, shift).empty()) return std::nullopt;
  HeapGraph graph;
  graph.summary_ = &summary;
  graph.map_ = ObjectMap(summary.ranges, shift);
  graph.sizes_ = ObjectSizes(summary.types, summary.ranges);
  if (!graph.map_.Take(from) || !graph.sizes_.Take(from) || !from.Take(graph.types_) || !from.Take(graph.targets_))
    return std::nullopt;
  const size_t objects = graph.types_.size();
  if (objects > kMaxGraphObjects || objects != summary.totals.objects || graph.map_.Index() != objects ||
      !graph.offsets_.Take(from, objects, graph.targets_.size(), threads) || !from.TakeCopy(graph.unresolved_) ||
      !from.TakeCopy(graph.continued_) || graph.continued_.size() != source.Chunks().size() || !from.AtEnd() ||
      !AllBelow(graph.types_.data(), 0, objects, summary.types.size(), threads) ||
      !AllBelow(Numbers(graph.targets_), 0, graph.targets_.size(), objects, threads))
    return std::nullopt;
  graph.roots_ = RootList(summary, graph.map_, graph.sizes_, graph.types_.data());
  graph.ResolveImplied();
  return graph;
}

void Reachability::Save(ArrayList& out) const {
  out.Add(marks_);
  out.Add(std::span<const ObjectTotals>(by_type_));
}

std::optional<Reachability> Reachability::FromSaved(ArrayTaker from, const HeapGraph& graph) {
  Reachability saved;
  if (!from.Take(saved.marks_) || !from.TakeCopy(saved.by_type_) || !from.AtEnd() ||
      saved.marks_.size() != graph.ObjectCount() / 64 + 1 || saved.by_type_.size() != graph.GetSummary().types.size())
    return std::nullopt;
  for (const ObjectTotals& totals : saved.by_type_) saved.total_ += totals;
  return saved;
}

void DominatorTree::Save(ArrayList& out) const {
  out.Add(objects_);
  out.Add(parents_);
  out.Add(subtrees_);
  out.Add(places_);
}

// Parents come before their children and subtrees are not empty: so every walk over the tree ends.
std::optional<DominatorTree> DominatorTree::FromSaved(ArrayTaker& from, const HeapGraph& graph, unsigned threads) {
  DominatorTree tree;
  if (!from.Take(tree.objects_) || !from.Take(tree.parents_) || !from.Take(tree.subtrees_) || !from.Take(tree.places_))
    return std::nullopt;
  const size_t count = tree.objects_.size();
  if (count == 0 || count > size_t{graph.ObjectCount()} + 1 || tree.parents_.size() != count ||
      tree.subtrees_.size() != count || tree.places_.size() != graph.ObjectCount() || tree.objects_[0].Valid() ||
      tree.parents_[0] != 0)
    return std::nullopt;
  const uint32_t *parents = tree.parents_.data(), *subtrees = tree.subtrees_.data();
  const bool in_order = NoneWrong(1, count, threads, [=](size_t i) { return parents[i] >= i; });
  const bool inside =
      NoneWrong(0, count, threads, [=](size_t i) { return subtrees[i] == 0 || subtrees[i] > count - i; });
  if (!in_order || !inside || !AllBelow(Numbers(tree.objects_), 1, count, graph.ObjectCount(), threads) ||
      !AllBelow(tree.places_.data(), 0, tree.places_.size(), count, threads))
    return std::nullopt;
  return tree;
}

void RetainedSizes::Save(ArrayList& out) const {
  out.AddCopy(std::vector{total_});
  before_.Save(out);
}

std::optional<RetainedSizes> RetainedSizes::FromSaved(ArrayTaker& from, const DominatorTree& tree, unsigned threads) {
  RetainedSizes saved;
  std::vector<uint64_t> total;
  if (!from.TakeCopy(total) || total.size() != 1 || !saved.before_.Take(from, tree.Count(), total[0], threads))
    return std::nullopt;
  saved.total_ = total[0];
  return saved;
}

void ShortestPaths::Save(ArrayList& out) const {
  out.Add(parents_);
  out.Add(order_, reached_);
  out.Add(std::span<const FirstRoot>(roots_));
}

// Every object that starts a path has its root, and those of the first search come first in order.
bool ShortestPaths::StartsWithRoots(const HeapGraph& graph) const {
  const auto followed = graph.Roots().Followed();
  size_t certain = 0;
  for (size_t i = 0; i < roots_.size(); ++i) {
    const FirstRoot& root = roots_[i];
    if (root.object.value >= parents_.size() || root.root.value >= followed.size()) return false;
    if (parents_[root.object.value] != kFromRoot) return false;
    if (i > 0 && !(roots_[i - 1].object < root.object)) return false;
    certain += IsCertain(graph.GetSummary(), followed[root.root.value]);
  }
  const size_t first = certain == 0 ? roots_.size() : certain;
  return std::all_of(order_.data(), order_.data() + first,
                     [this](ObjectIndex object) { return parents_[object.value] == kFromRoot; });
}

std::optional<ShortestPaths> ShortestPaths::FromSaved(ArrayTaker from, const HeapGraph& graph, unsigned threads) {
  ShortestPaths saved;
  if (!from.Take(saved.parents_) || !from.Take(saved.order_) || !from.TakeCopy(saved.roots_) || !from.AtEnd())
    return std::nullopt;
  const size_t objects = graph.ObjectCount(), reached = saved.order_.size();
  if (saved.parents_.size() != objects || reached > objects || saved.roots_.size() > reached) return std::nullopt;
  saved.reached_ = static_cast<uint32_t>(reached);
  const uint32_t* parents = saved.parents_.data();
  std::atomic<uint64_t> starts{0};
  const bool inside = NoneWrong(0, objects, threads, [&](size_t i) {
    if (parents[i] == kFromRoot) starts.fetch_add(1, std::memory_order_relaxed);
    return parents[i] > objects && parents[i] != kFromRoot;
  });
  if (!inside || starts != saved.roots_.size() || !AllBelow(Numbers(saved.order_), 0, reached, objects, threads) ||
      !saved.StartsWithRoots(graph))
    return std::nullopt;
  return saved;
}

}  // namespace cairn::analysis
