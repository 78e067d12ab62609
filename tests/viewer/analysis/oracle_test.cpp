// Thousands of random heaps: every answer equals the one found the slow and obvious way.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "tests/viewer/analysis/random_heap.h"
#include "viewer/analysis/dominators.h"
#include "viewer/analysis/reachability.h"
#include "viewer/analysis/referrers.h"
#include "viewer/analysis/retained.h"
#include "viewer/analysis/shortest_paths.h"

namespace rc {

// Ranges scale with rapidcheck's size, so sizes are said outright: up to 24 objects of up to 5 slots.
template <>
struct Arbitrary<cairn::analysis::testing::RandomHeap> {
  template <class T>
  static Gen<std::vector<T>> UpTo(int most, Gen<T> element) {
    return gen::resize(most, gen::container<std::vector<T>>(std::move(element)));
  }

  static Gen<uint8_t> Below(uint8_t end, uint8_t first = 0) {
    return gen::resize(kNominalSize, gen::inRange<uint8_t>(first, end));
  }

  static Gen<cairn::analysis::testing::RandomHeap> arbitrary() {
    using cairn::analysis::testing::RandomHeap;
    return gen::build<RandomHeap>(
        gen::set(&RandomHeap::targets, UpTo(24, UpTo(5, Below(24)))), gen::set(&RandomHeap::roots, UpTo(4, Below(100))),
        gen::set(&RandomHeap::chunk_objects, Below(9, 1)), gen::set(&RandomHeap::chunk_slots, Below(9, 1)));
  }
};

}  // namespace rc

namespace cairn::analysis::testing {

void showValue(const RandomHeap& heap, std::ostream& out) {
  for (size_t i = 0; i < heap.targets.size(); ++i) {
    out << "\n" << i << ":";
    for (const uint8_t target : heap.targets[i]) out << " " << int{target};
  }
  out << "\nroots:";
  for (const uint8_t root : heap.roots) out << " " << int{root};
  out << "\nchunks of " << int{heap.chunk_objects} << " objects, " << int{heap.chunk_slots} << " slots\n";
}

namespace {

constexpr const char* kManyCases = "max_success=2000";

// rapidcheck reads how many cases to try from the environment, unless somebody has set it.
const int kConfigured = [] { return setenv("RC_PARAMS", kManyCases, 0); }();

struct Built {
  explicit Built(const RandomHeap& random) {
    Fill(heap, random);
    graph = BuildGraph(heap);
    tree = *DominatorTree::Build(graph, work);
    retained = *RetainedSizes::Build(graph, tree, work);
    paths = *ShortestPaths::Build(graph, work);
    reachable = *Reachability::Build(graph, work);
  }
  Work work;
  MemoryHeap heap;
  HeapGraph graph;
  DominatorTree tree;
  RetainedSizes retained;
  ShortestPaths paths;
  Reachability reachable;
};

RC_GTEST_PROP(Oracle, GraphHoldsEveryObjectAndEdge, (RandomHeap random)) {
  const Built built(random);
  RC_ASSERT(built.graph.ObjectCount() == random.targets.size());
  RC_ASSERT(built.graph.EdgeCount() == built.heap.EdgeCount());
  for (uint32_t i = 0; i < built.graph.ObjectCount(); ++i) {
    const ObjectIndex object(i);
    std::vector<uint32_t> expected, actual;
    for (const uint8_t target : random.targets[i])
      if (target < random.targets.size()) expected.push_back(target);
    for (const ObjectIndex target : built.graph.Targets(object)) actual.push_back(target.value);
    RC_ASSERT(actual == expected);
    RC_ASSERT(built.graph.SizeOf(object) == built.heap.SizeOf(i));
    RC_ASSERT(built.graph.AddressOf(object) == built.heap.AddressOf(i));
    RC_ASSERT(built.graph.AtAddress(built.heap.AddressOf(i)) == object);
    RC_ASSERT(!built.graph.AtAddress(built.heap.AddressOf(i) + 8).Valid());
  }
}

RC_GTEST_PROP(Oracle, ReachableIsWhatThePlainSearchFinds, (RandomHeap random)) {
  const Built built(random);
  const std::set<uint32_t> expected = NaiveReachable(built.graph);
  ObjectTotals total;
  for (uint32_t i = 0; i < built.graph.ObjectCount(); ++i) {
    RC_ASSERT(built.reachable.IsReachable(ObjectIndex(i)) == expected.contains(i));
    RC_ASSERT(built.tree.IsReachable(ObjectIndex(i)) == expected.contains(i));
    RC_ASSERT(built.paths.IsReachable(ObjectIndex(i)) == expected.contains(i));
    if (expected.contains(i)) total += {1, built.heap.SizeOf(i)};
  }
  RC_ASSERT(built.reachable.Total() == total);
}

RC_GTEST_PROP(Oracle, DominatorsAreThoseWhoseRemovalCutsOff, (RandomHeap random)) {
  const Built built(random);
  const auto expected = NaiveDominators(built.graph);
  for (uint32_t i = 0; i < built.graph.ObjectCount(); ++i) {
    std::set<uint32_t> actual;
    for (ObjectIndex at = built.tree.DominatorOf(ObjectIndex(i)); at.Valid(); at = built.tree.DominatorOf(at))
      actual.insert(at.value);
    RC_ASSERT(actual == expected[i]);
  }
}

RC_GTEST_PROP(Oracle, RetainedIsWhatIsLostWithTheObject, (RandomHeap random)) {
  const Built built(random);
  const std::set<uint32_t> all = NaiveReachable(built.graph);
  for (const uint32_t object : all) {
    uint64_t lost = 0;
    const std::set<uint32_t> left = NaiveReachable(built.graph, object);
    for (const uint32_t other : all) lost += left.contains(other) ? 0 : built.heap.SizeOf(other);
    RC_ASSERT(built.retained.Of(built.tree, ObjectIndex(object)) == lost);
  }
}

RC_GTEST_PROP(Oracle, TreeKeepsItsInvariants, (RandomHeap random)) {
  const Built built(random);
  uint64_t of_children = 0, children = 0;
  built.tree.ForEachChild(DominatorTree::kVirtualRoot, [&](DominatorIndex child) {
    of_children += built.retained.At(built.tree, child);
    ++children;
  });
  RC_ASSERT(of_children == built.reachable.Total().bytes);
  RC_ASSERT(built.retained.At(built.tree, DominatorTree::kVirtualRoot) == built.reachable.Total().bytes);
  for (uint32_t place = 1; place < built.tree.Count(); ++place) {
    const DominatorIndex here(place), parent = built.tree.ParentOf(here);
    RC_ASSERT(parent < here);
    RC_ASSERT(built.tree.Dominates(parent, here));
    RC_ASSERT(built.tree.PlaceOf(built.tree.ObjectAt(here)) == here);
  }
}

RC_GTEST_PROP(Oracle, UnionsCountEachByteOnce, (RandomHeap random)) {
  const Built built(random);
  const auto group_of = [](ObjectIndex object) { return object.value % 3; };
  const auto unions = RetainedUnions(built.tree, built.retained, 3, group_of);
  const auto dominators = NaiveDominators(built.graph);
  std::vector<uint64_t> expected(3);
  for (const uint32_t object : NaiveReachable(built.graph)) {
    std::set<uint32_t> groups{group_of(ObjectIndex(object))};
    for (const uint32_t dominator : dominators[object]) groups.insert(group_of(ObjectIndex(dominator)));
    for (const uint32_t group : groups) expected[group] += built.heap.SizeOf(object);
  }
  RC_ASSERT(unions == expected);
}

using PathsByObject = std::map<uint32_t, std::vector<uint64_t>>;

// All shortest paths of the plain search from roots of one certainty, the first by (root, slot, slot, …).
PathsByObject NaiveFirstPaths(const HeapGraph& graph, bool certain) {
  PathsByObject best, level;
  const auto better = [](auto& paths, uint32_t object, std::vector<uint64_t> path) {
    const auto [at, added] = paths.try_emplace(object, path);
    if (!added && path < at->second) at->second = std::move(path);
  };
  for (uint64_t root = 0; root < graph.Roots().Followed().size(); ++root)
    if (graph.GetSummary().roots[graph.Roots().Followed()[root].source].certain == certain)
      better(level, graph.Roots().Followed()[root].object.value, {root});
  while (!level.empty()) {
    best.insert(level.begin(), level.end());
    PathsByObject next;
    for (const auto& [object, path] : level) {
      const auto targets = graph.Targets(ObjectIndex(object));
      for (uint64_t slot = 0; slot < targets.size(); ++slot) {
        if (best.contains(targets[slot].value)) continue;
        auto longer = path;
        longer.push_back(slot);
        better(next, targets[slot].value, std::move(longer));
      }
    }
    level = std::move(next);
  }
  return best;
}

RC_GTEST_PROP(Oracle, PathsAreTheFirstAmongTheShortest, (RandomHeap random)) {
  const Built built(random);
  // Guessed roots say something of those objects only that no other root holds; insert keeps what is there.
  auto expected = NaiveFirstPaths(built.graph, true);
  const auto perhaps = NaiveFirstPaths(built.graph, false);
  expected.insert(perhaps.begin(), perhaps.end());
  RC_ASSERT(built.paths.InOrder().size() == expected.size());
  for (const auto& [object, path] : expected) {
    const auto found = built.paths.PathTo(ObjectIndex(object));
    RC_ASSERT(found.has_value());
    std::vector<uint64_t> actual{found->root.value};
    for (size_t i = 1; i < found->objects.size(); ++i)
      actual.push_back(ShortestPaths::OrdinalOf(built.graph, found->objects[i - 1], found->objects[i]));
    RC_ASSERT(actual == path);
  }
}

RC_GTEST_PROP(Oracle, ReferrersAreTheEdgesThatEndThere, (RandomHeap random)) {
  Built built(random);
  std::map<uint32_t, std::vector<EdgeRef>> expected;
  for (uint32_t i = 0; i < built.graph.ObjectCount(); ++i) {
    const auto targets = built.graph.Targets(ObjectIndex(i));
    for (uint64_t slot = 0; slot < targets.size(); ++slot)
      expected[targets[slot].value].push_back({ObjectIndex(i), slot});
  }
  for (uint32_t i = 0; i < built.graph.ObjectCount(); ++i) {
    const Referrers found = *FindReferrers(built.graph, ObjectIndex(i), 1000, 2, built.work);
    RC_ASSERT(found.edges == expected[i]);
    RC_ASSERT(found.total == expected[i].size());
  }
}

}  // namespace
}  // namespace cairn::analysis::testing
