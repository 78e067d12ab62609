#include "viewer/analysis/path_tree.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "viewer/analysis/field_names.h"
#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/parallel.h"
#include "viewer/analysis/slot_reader.h"

namespace cairn::analysis {

class HolderTreeBuilder {
 public:
  HolderTreeBuilder(const HeapGraph& graph, const ChunkSource& source, const ShortestPaths& paths,
                    const HolderTree::IsWanted& wanted, unsigned threads, Work& work, HolderTree& tree)
      : graph_(graph),
        source_(source),
        paths_(paths),
        wanted_(wanted),
        threads_(threads),
        work_(work),
        nodes_(tree.nodes_),
        node_of_(tree.node_of_) {}

  Status Run() {
    on_path_ = FlatArray<uint8_t>(graph_.ObjectCount());
    node_of_ = FlatArray<uint32_t>(graph_.ObjectCount());
    CAIRN_TRY(MarkPaths());
    CAIRN_TRY(FindFields());
    CAIRN_TRY(Merge());
    CAIRN_TRY(SumBytes());
    for (size_t i = nodes_.size(); i-- > 0;) {
      nodes_[i].below += nodes_[i].count;
      if (nodes_[i].parent != HolderNode::kNoNode) nodes_[nodes_[i].parent].below += nodes_[i].below;
    }
    return {};
  }

 private:
  enum : uint8_t { kOnPath = 1, kWanted = 2 };

  struct StepKey {
    uint32_t parent, type, field;
    bool operator==(const StepKey&) const = default;
  };
  struct StepHash {
    size_t operator()(const StepKey& key) const {
      uint64_t hash = (uint64_t{key.parent} << 32 | key.type) * 0x9E3779B97F4A7C15;
      hash = (hash ^ hash >> 32 ^ key.field) * 0xD6E8FEB86659FD93;
      return hash ^ hash >> 32;
    }
  };

  Status MarkPaths() {
    work_.Begin("finding holders", paths_.InOrder().size());
    Stride stride(work_);
    const auto order = paths_.InOrder();
    for (size_t i = order.size(); i-- > 0;) {
      const ObjectIndex object = order[i];
      if (wanted_(object)) on_path_[object.value] |= kWanted | kOnPath;
      const ObjectIndex parent = paths_.ParentOf(object);
      if (on_path_[object.value] && parent.Valid()) on_path_[parent.value] |= kOnPath;
      if (!stride.Step()) return WasCancelled();
    }
    return {};
  }

  // What FindFields knows of one source of edges.
  struct Source {
    ObjectIndex object;
    uint64_t slots = 0;  // edges that are slots; they come first
  };

  // The field by which each object on a path is reached, by one more, into node_of_ for the while. An object has one
  // parent, so that one thread looks after it. Sources are met chunk by chunk: where a slot does not follow from the
  // graph, the chunk is read again, once.
  Status FindFields() {
    const auto& chunks = source_.Chunks();
    std::vector<std::unique_ptr<SlotReader>> readers(std::max(threads_, 1u));
    work_.Begin("finding fields", chunks.size());
    return ParallelFor(chunks.size(), threads_, work_, [&](size_t chunk, unsigned thread) -> Status {
      if (!readers[thread]) readers[thread] = std::make_unique<SlotReader>(graph_, source_);
      const auto first = static_cast<uint32_t>(chunks[chunk].first_object);
      ImpliedEdgeCounter implied(graph_, ObjectIndex(first));
      for (uint32_t i = first; i < first + chunks[chunk].header.object_count; ++i) {
        const uint64_t edges = graph_.Targets(ObjectIndex(i)).size();
        if (edges == 0 || !on_path_[i]) continue;
        CAIRN_TRY(FindFieldsOf({ObjectIndex(i), edges - implied.Of(ObjectIndex(i))}, *readers[thread]));
      }
      return {};
    });
  }

  Status FindFieldsOf(const Source& source, SlotReader& reader) {
    const auto targets = graph_.Targets(source.object);
    for (uint64_t ordinal = 0; ordinal < targets.size(); ++ordinal) {
      const ObjectIndex target = targets[ordinal];
      if (paths_.ParentOf(target) != source.object || !on_path_[target.value] || node_of_[target.value]) continue;
      const auto field = FieldOf(source, ordinal, reader);
      if (!field) return tl::make_unexpected(field.error());
      node_of_[target.value] = *field + 1;
    }
    return {};
  }

  Result<uint32_t> FieldOf(const Source& source, uint64_t ordinal, SlotReader& reader) const {
    if (ordinal >= source.slots)
      return graph_.KindOf(source.object, ordinal) == EdgeKind::kDependent ? kDependentField : kLoaderAllocatorField;
    const snapshot::Type& type = graph_.TypeInfo(source.object);
    if (type.layout.explicit_slots) return kUnnamedField;
    if (type.layout.component_size != 0 && type.layout.element_slots == 1) return 0;  // of whichever element
    const auto known = SlotReader::SlotWithoutReading(type.layout, source.slots, ordinal);
    const auto slot = known ? Result<uint64_t>(*known) : reader.SlotOf({source.object, ordinal});
    return slot.map([&](uint64_t number) { return FieldNames::FieldOfSlot(type, number); });
  }

  Status Merge() {
    work_.Begin("merging paths", paths_.InOrder().size());
    Stride stride(work_);
    for (const ObjectIndex object : paths_.InOrder()) {
      if (on_path_[object.value]) node_of_[object.value] = NodeOf(object);
      if (on_path_[object.value] & kWanted) Count(object, nodes_[node_of_[object.value]]);
      if (!stride.Step()) return WasCancelled();
    }
    return {};
  }

  static void Count(ObjectIndex object, HolderNode& node) {
    if (node.count++ == 0) node.example = object;
  }

  // In address order, in which sizes cost nothing.
  Status SumBytes() {
    work_.Begin("summing bytes", graph_.ObjectCount());
    Stride stride(work_);
    const bool finished = graph_.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
      if (on_path_[object.value] & kWanted) nodes_[node_of_[object.value]].bytes += bytes;
      return stride.Step();
    });
    return finished ? Status() : Status(WasCancelled());
  }

  uint32_t NodeOf(ObjectIndex object) {
    const ObjectIndex parent = paths_.ParentOf(object);
    const uint32_t type = graph_.TypeOf(object).value;
    if (!parent.Valid()) return Step({RootNode(paths_.RootOf(object)), type, kRootField});
    const uint32_t above = node_of_[parent.value];
    const uint32_t field = node_of_[object.value] - 1;
    const bool repeats = nodes_[above].type.value == type && nodes_[above].field == field;
    return repeats ? above : Step({above, type, field});
  }

  uint32_t Step(const StepKey& key) {
    const auto [at, added] = steps_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
    if (added) {
      HolderNode node;
      node.parent = key.parent;
      node.type = TypeIndex(key.type);
      node.field = key.field;
      nodes_.push_back(node);
    }
    return at->second;
  }

  uint32_t RootNode(RootIndex index) {
    const ResolvedRoot& root = graph_.Roots().Followed()[index.value];
    const std::string name = root.source == snapshot::kNoId ? "" : graph_.GetSummary().roots[root.source].name;
    const bool certain = IsCertain(graph_.GetSummary(), root);
    const auto [at, added] = roots_.try_emplace({root.kind, certain, name}, static_cast<uint32_t>(nodes_.size()));
    if (added) nodes_.emplace_back().root = index;
    return at->second;
  }

  const HeapGraph& graph_;
  const ChunkSource& source_;
  const ShortestPaths& paths_;
  const HolderTree::IsWanted& wanted_;
  const unsigned threads_;
  Work& work_;
  std::vector<HolderNode>& nodes_;
  FlatArray<uint32_t>& node_of_;  // by object: until it is merged one more than the field that its path arrives by
  FlatArray<uint8_t> on_path_;
  tsl::robin_map<StepKey, uint32_t, StepHash> steps_;
  std::map<std::tuple<snapshot::RootKind, bool, std::string>, uint32_t> roots_;
};

Result<HolderTree> HolderTree::Build(const HeapGraph& graph, const ChunkSource& source, const ShortestPaths& paths,
                                     const IsWanted& wanted, unsigned threads, Work& work) {
  HolderTree tree;
  CAIRN_TRY(Guarded([&] { return HolderTreeBuilder(graph, source, paths, wanted, threads, work, tree).Run(); }));
  memory::GiveBack();
  return tree;
}

std::vector<uint32_t> HolderTree::Ends() const {
  std::vector<uint32_t> ends;
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].count) ends.push_back(i);
  std::stable_sort(ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) { return nodes_[a].count > nodes_[b].count; });
  return ends;
}

}  // namespace cairn::analysis
