#include "viewer/analysis/dominators.h"

#include <algorithm>
#include <limits>

#include "viewer/analysis/depth_first.h"
#include "viewer/analysis/parallel.h"

namespace cairn::analysis {
namespace {

// Semi-NCA in the paper's names. Everything is in preorder numbers of the search tree, so "smaller" is "above or
// to the left". After Run, `parent` of each vertex of the tree is its immediate dominator.
template <class Offset>
class SemiNca {
 public:
  SemiNca(SpanningTree<Offset>& tree, Work& work) : tree_(tree), links_(tree.count), work_(work) {}

  static constexpr Offset kAhead = 16;

  bool Run() { return Semidominators() && NearestCommonAncestors(); }

 private:
  struct Linked {
    uint32_t ancestor = 0;
    uint32_t label = 0;  // smallest semidominator on the compressed path, itself included
  };

  bool Semidominators() {
    Stride stride(work_);
    Offset end = tree_.sources.size();
    for (uint32_t w = tree_.count - 1; w > 0; --w) {
      auto& vertex = tree_.vertices[w];
      uint32_t semi = vertex.parent;
      for (Offset i = vertex.first_source; i < end; ++i) {
        const uint32_t v = tree_.sources[i];
        semi = std::min(semi, v < w ? v : Eval(v, w));
      }
      end = vertex.first_source;
      if (end >= kAhead) __builtin_prefetch(&links_[tree_.sources[end - kAhead]]);
      links_[w] = {vertex.parent, semi};
      vertex.first_source = semi;  // its sources are read; the room is used again
      if (!stride.Step()) return false;
    }
    return true;
  }

  bool NearestCommonAncestors() {
    links_.Release();
    tree_.sources.Release();
    Stride stride(work_);
    for (uint32_t w = 1; w < tree_.count; ++w) {
      uint32_t dominator = tree_.vertices[w].parent;
      while (dominator > tree_.vertices[w].first_source) dominator = tree_.vertices[dominator].parent;
      tree_.vertices[w] = {dominator, 1};
      if (!stride.Step()) return false;
    }
    return true;
  }

  // Smallest semidominator among v and its ancestors below the root of its linked tree; all that is linked is
  // above `current`. Compresses the path.
  uint32_t Eval(uint32_t v, uint32_t current) {
    if (links_[v].ancestor <= current) return links_[v].label;
    path_.Clear();
    for (; links_[v].ancestor > current; v = links_[v].ancestor) path_.Push(v);
    uint32_t above = v;
    for (size_t i = path_.size(); i-- > 0; above = path_[i]) {
      Linked& linked = links_[path_[i]];
      linked = {links_[above].ancestor, std::min(linked.label, links_[above].label)};
    }
    return links_[above].label;
  }

  SpanningTree<Offset>& tree_;
  FlatArray<Linked> links_;
  FlatStack<uint32_t> path_;
  Work& work_;
};

// Sizes of subtrees into `first_source`, which is 1 by now. An immediate dominator has a smaller number than its
// vertex, so children are complete when their parent is met from the end.
template <class Vertices>
void CountSubtrees(Vertices& vertices, uint32_t count) {
  vertices[0].first_source = 1;
  for (uint32_t w = count - 1; w > 0; --w) vertices[vertices[w].parent].first_source += vertices[w].first_source;
}

// A parent gives each child the room of its subtree, in order of numbers; `parents` and `subtrees` are by place. Once a
// vertex is placed, its `parent` is its place, and its `first_source` the place of the next that it dominates.
template <class Vertices>
void PlaceInPreorder(Vertices& vertices, FlatArray<uint32_t>& parents, FlatArray<uint32_t>& subtrees) {
  subtrees[0] = static_cast<uint32_t>(vertices[0].first_source);
  vertices[0] = {0, 1};
  for (uint32_t w = 1; w < subtrees.size(); ++w) {
    auto& above = vertices[vertices[w].parent];
    const auto place = static_cast<uint32_t>(above.first_source);
    parents[place] = above.parent;
    subtrees[place] = static_cast<uint32_t>(vertices[w].first_source);
    above.first_source += subtrees[place];
    vertices[w] = {place, place + 1};
  }
}

}  // namespace

// Arrays by search number become arrays by place, in their own memory as far as it goes: pages that the system has to
// find and clear cost more than all that is done with them here.
template <class Offset>
Result<DominatorTree> DominatorTree::BuildWith(const HeapGraph& graph, Work& work) {
  auto searched = DepthFirst<Offset>(graph, work);
  if (!searched) return tl::make_unexpected(std::move(searched).error());
  SpanningTree<Offset>& found = *searched;
  const uint32_t count = found.count;
  work.Begin("finding dominators", 2 * uint64_t{count});
  if (!SemiNca<Offset>(found, work).Run()) return WasCancelled();
  CountSubtrees(found.vertices, count);

  DominatorTree tree;
  tree.parents_ = FlatArray<uint32_t>(count);
  tree.subtrees_ = FlatArray<uint32_t>(count);
  PlaceInPreorder(found.vertices, tree.parents_, tree.subtrees_);
  if (work.Cancelled()) return WasCancelled();
  tree.objects_ = FlatArray<ObjectIndex>(count);
  tree.objects_[0] = ObjectIndex();
  tree.places_ = std::move(found.numbers);
  for (uint32_t object = 0; object < graph.ObjectCount(); ++object) {
    uint32_t& place = tree.places_[object];
    if (place == 0) continue;
    place = found.vertices[place].parent;
    tree.objects_[place] = ObjectIndex(object);
  }
  return tree;
}

Result<DominatorTree> DominatorTree::Build(const HeapGraph& graph, Work& work) {
  Result<DominatorTree> result;
  CAIRN_TRY(Guarded([&]() -> Status {
    const uint64_t most_cross_edges = graph.EdgeCount() + graph.Roots().Followed().size();
    result = most_cross_edges < std::numeric_limits<uint32_t>::max() ? BuildWith<uint32_t>(graph, work)
                                                                     : BuildWith<uint64_t>(graph, work);
    return result ? Status() : Status(tl::make_unexpected(result.error()));
  }));
  return result;
}

}  // namespace cairn::analysis
