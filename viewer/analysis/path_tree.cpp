#include "viewer/analysis/path_tree.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
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
    for (size_t i = nodes_.size(); i-- > 0;) {
      nodes_[i].below += nodes_[i].count;
      if (nodes_[i].parent != HolderNode::kNoNode) nodes_[nodes_[i].parent].below += nodes_[i].below;
    }
    return {};
  }

 private:
  enum : uint8_t { kOnPath = 1, kWanted = 2, kNamed = 4 };

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

  // The field by which each object on a path is reached, into node_of_ for the while. Those that do not follow from the
  // graph are collected in the order of their sources, so that each chunk is read once.
  Status FindFields() {
    work_.Begin("finding fields", graph_.ObjectCount());
    Stride stride(work_);
    for (uint32_t i = 0; i < graph_.ObjectCount(); ++i) {
      if (on_path_[i]) FindFieldsOf(ObjectIndex(i));
      if (!stride.Step()) return WasCancelled();
    }
    const auto slots = SlotsOf(graph_, source_, unread_, threads_, work_);
    if (!slots) return tl::make_unexpected(slots.error());
    for (size_t i = 0; i < unread_.size(); ++i) {
      const uint32_t target = graph_.Targets(unread_[i].source)[unread_[i].ordinal].value;
      node_of_[target] = FieldNames::FieldOfSlot(graph_.TypeInfo(unread_[i].source), (*slots)[i]);
    }
    unread_ = {};
    return {};
  }

  void FindFieldsOf(ObjectIndex source) {
    const auto targets = graph_.Targets(source);
    for (uint64_t ordinal = 0; ordinal < targets.size(); ++ordinal) {
      const ObjectIndex target = targets[ordinal];
      if (!on_path_[target.value] || on_path_[target.value] & kNamed || paths_.ParentOf(target) != source) continue;
      on_path_[target.value] |= kNamed;
      FindField({source, ordinal}, node_of_[target.value]);
    }
  }

  void FindField(const EdgeRef& edge, uint32_t& field) {
    const stream::TypeLayout& layout = graph_.TypeInfo(edge.source).layout;
    switch (graph_.KindOf(edge.source, edge.ordinal)) {
      case EdgeKind::kLoaderAllocator:
        field = kLoaderAllocatorField;
        return;
      case EdgeKind::kDependent:
        field = kDependentField;
        return;
      case EdgeKind::kSlot:
        break;
    }
    if (layout.explicit_slots) {
      field = kUnnamedField;
      return;
    }
    if (layout.component_size != 0 && layout.element_slots == 1) return;  // field 0 of whichever element
    if (const auto slot = SlotReader::SlotWithoutReading(graph_, edge)) {
      field = static_cast<uint32_t>(*slot);
    } else {
      unread_.push_back(edge);
    }
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

  void Count(ObjectIndex object, HolderNode& node) {
    if (node.count++ == 0) node.example = object;
    node.bytes += graph_.SizeOf(object);
  }

  uint32_t NodeOf(ObjectIndex object) {
    const ObjectIndex parent = paths_.ParentOf(object);
    const uint32_t type = graph_.TypeOf(object).value;
    if (!parent.Valid()) return Step({RootNode(paths_.RootOf(object)), type, kRootField});
    const uint32_t above = node_of_[parent.value];
    const uint32_t field = node_of_[object.value];
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
  FlatArray<uint32_t>& node_of_;  // by object: until it is merged the field of the edge that its path arrives by
  FlatArray<uint8_t> on_path_;
  std::vector<EdgeRef> unread_;
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
