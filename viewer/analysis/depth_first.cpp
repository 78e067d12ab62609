#include "viewer/analysis/depth_first.h"

#include <algorithm>

namespace cairn::analysis {
namespace {

template <class Offset>
class Search {
 public:
  Search(const HeapGraph& graph, Work& work)
      : graph_(graph), targets_(graph.AllTargets().data()), offsets_(graph.Offsets()), stride_(work) {
    const size_t most = size_t{graph.ObjectCount()} + 2;
    numbers_ = FlatArray<uint32_t>(graph.ObjectCount());
    tree_.vertices = FlatArray<typename SpanningTree<Offset>::Vertex>(most);
    tree_.count = 1;
  }

  bool Run() {
    for (const ResolvedRoot& root : graph_.Roots().Followed()) {
      Follow(0, root.object);
      if (!Drain()) return false;
    }
    stack_.Release();
    SortCrossEdges();
    return true;
  }

  SpanningTree<Offset> Take() {
    tree_.numbers = std::move(numbers_);
    return std::move(tree_);
  }

 private:
  struct Frame {
    uint64_t next = 0, end = 0;  // edges not yet followed
    uint32_t number = 0;
  };

  struct CrossEdge {
    uint32_t source = 0, target = 0;  // preorder numbers
  };

  bool Drain() {
    while (!stack_.empty()) {
      Frame& frame = stack_.Top();
      const ObjectIndex target = targets_[frame.next++];
      const uint32_t source = frame.number;
      // Repeated references often come one after the other.
      const bool again = frame.next != frame.end && targets_[frame.next] == target;
      // Popped before its last child is entered: a list does not fill the stack.
      if (frame.next == frame.end) stack_.Pop();
      if (!again && !Follow(source, target)) return false;
    }
    return true;
  }

  // Cross edges are only noted here: looking at the target's vertex now would wait for memory.
  bool Follow(uint32_t source, ObjectIndex target) {
    const uint32_t number = numbers_[target.value];
    if (number == 0) return Enter(source, target);
    if (number != source) cross_.Push({source, number});
    return true;
  }

  bool Enter(uint32_t parent, ObjectIndex object) {
    const uint32_t number = tree_.count++;
    numbers_[object.value] = number;
    tree_.vertices[number].parent = parent;
    const uint64_t first = offsets_[object.value], end = offsets_[object.value + 1];
    if (first != end) {
      stack_.Push({first, end, number});
      Prefetch(first, end);
    }
    return stride_.Step();
  }

  // What the next steps read is far away in memory.
  void Prefetch(uint64_t first, uint64_t end) {
    for (uint64_t edge = first; edge < std::min(end, first + 8); ++edge) {
      __builtin_prefetch(&numbers_[targets_[edge].value]);
      offsets_.Prefetch(targets_[edge].value);
    }
  }

  // Sorts the sources of cross edges by target: counts, sums, then fills each target's room from its end.
  void SortCrossEdges() {
    auto& vertices = tree_.vertices;
    for (size_t i = 0; i < cross_.size(); ++i) {
      PrefetchVertex(i);
      ++vertices[cross_[i].target].first_source;
    }
    for (uint32_t w = 1; w <= tree_.count; ++w) vertices[w].first_source += vertices[w - 1].first_source;
    tree_.sources = FlatArray<uint32_t>(cross_.size());
    for (size_t i = cross_.size(); i-- > 0;) {
      if (i >= 2 * kAhead) PrefetchVertex(i - 2 * kAhead);
      tree_.sources[--vertices[cross_[i].target].first_source] = cross_[i].source;
    }
    cross_.Release();
  }

  void PrefetchVertex(size_t i) {
    if (i + kAhead < cross_.size()) __builtin_prefetch(&tree_.vertices[cross_[i + kAhead].target], 1);
  }

  static constexpr size_t kAhead = 16;

  const HeapGraph& graph_;
  const ObjectIndex* targets_;
  const EdgeOffsets& offsets_;
  Stride stride_;
  FlatArray<uint32_t> numbers_;  // per object; 0 when not yet reached
  FlatStack<Frame> stack_;
  FlatStack<CrossEdge> cross_;
  SpanningTree<Offset> tree_;
};

}  // namespace

template <class Offset>
Result<SpanningTree<Offset>> DepthFirst(const HeapGraph& graph, Work& work) {
  work.Begin("following references", graph.ObjectCount());
  Search<Offset> search(graph, work);
  if (!search.Run()) return WasCancelled();
  return search.Take();
}

template Result<SpanningTree<uint32_t>> DepthFirst(const HeapGraph&, Work&);
template Result<SpanningTree<uint64_t>> DepthFirst(const HeapGraph&, Work&);

}  // namespace cairn::analysis
