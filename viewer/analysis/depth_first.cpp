#include "viewer/analysis/depth_first.h"

#include <algorithm>

namespace cairn::analysis {
namespace {

template <class Link>
class Search {
 public:
  Search(const HeapGraph& graph, Work& work)
      : graph_(graph), targets_(graph.AllTargets().data()), offsets_(graph.Offsets()), stride_(work) {
    const size_t most = size_t{graph.ObjectCount()} + 1;
    numbers_ = FlatArray<uint32_t>(graph.ObjectCount());
    tree_.objects = FlatArray<ObjectIndex>(most);
    tree_.vertices = FlatArray<typename SpanningTree<Link>::Vertex>(most);
    tree_.objects[0] = ObjectIndex();
    tree_.count = 1;
  }

  bool Run() {
    for (const ResolvedRoot& root : graph_.Roots().Followed()) {
      Follow(0, root.object);
      if (!Drain()) return false;
    }
    return true;
  }

  SpanningTree<Link> Take() { return std::move(tree_); }

 private:
  struct Frame {
    uint64_t next = 0, end = 0;  // edges not yet followed
    uint32_t number = 0;
  };

  bool Drain() {
    while (!stack_.empty()) {
      Frame& frame = stack_.Top();
      const ObjectIndex target = targets_[frame.next++];
      const uint32_t source = frame.number;
      // Popped before its last child is entered: a list does not fill the stack.
      if (frame.next == frame.end) stack_.Pop();
      if (!Follow(source, target)) return false;
    }
    return true;
  }

  bool Follow(uint32_t source, ObjectIndex target) {
    const uint32_t number = numbers_[target.value];
    if (number == 0) return Enter(source, target);
    if (number != source && tree_.vertices[number].parent != source) Cross(source, number);
    return true;
  }

  bool Enter(uint32_t parent, ObjectIndex object) {
    const uint32_t number = tree_.count++;
    numbers_[object.value] = number;
    tree_.objects[number] = object;
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

  void Cross(uint32_t source, uint32_t target) {
    Link& head = tree_.vertices[target].sources;
    // Most repeated references come one after the other.
    if (head != 0 && tree_.cross[head - 1].source == source) return;
    tree_.cross.Push({source, head});
    head = static_cast<Link>(tree_.cross.size());
  }

  const HeapGraph& graph_;
  const ObjectIndex* targets_;
  const EdgeOffsets& offsets_;
  Stride stride_;
  FlatArray<uint32_t> numbers_;  // per object; 0 when not yet reached
  FlatStack<Frame> stack_;
  SpanningTree<Link> tree_;
};

}  // namespace

template <class Link>
Result<SpanningTree<Link>> DepthFirst(const HeapGraph& graph, Work& work) {
  work.Begin("following references", graph.ObjectCount());
  Search<Link> search(graph, work);
  if (!search.Run()) return WasCancelled();
  return search.Take();
}

template Result<SpanningTree<uint32_t>> DepthFirst(const HeapGraph&, Work&);
template Result<SpanningTree<uint64_t>> DepthFirst(const HeapGraph&, Work&);

}  // namespace cairn::analysis
