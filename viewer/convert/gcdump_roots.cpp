#include "viewer/convert/gcdump_roots.h"

#include "viewer/convert/gcdump_format.h"

namespace cairn::convert {
namespace {

using snapshot::RootKind;

// Where a root hangs: its group, and what the group's node for it is called (empty: the group itself).
struct Place {
  const char* group;
  std::string node;
};

Place Named(const char* group, std::string_view start, const std::string& name) {
  return {group, name.empty() ? std::string() : std::string(start) + name + "]"};
}

Place PlaceOf(RootKind kind, const std::string& name) {
  switch (kind) {
    case RootKind::kStatic:
      return Named(gcdump::kStatics, gcdump::kStaticStart, name);
    case RootKind::kThreadStatic:
      return Named(gcdump::kThreadStatics, gcdump::kThreadStaticStart, name);
    case RootKind::kLocal:
      return Named(gcdump::kLocals, gcdump::kLocalStart, name);
    case RootKind::kHandleStrong:
      return {gcdump::kOtherRoots, "[strong Handles]"};
    case RootKind::kHandlePinned:
      return {gcdump::kOtherRoots, "[pinning Handles]"};
    case RootKind::kHandleRefcounted:
      return {gcdump::kOtherRoots, "[RefCountedHandle]"};
    case RootKind::kFinalizer:
      return {gcdump::kOtherRoots, "[finalizer Handles]"};
    case RootKind::kFrozen:
      return {gcdump::kOtherRoots, "[frozen objects]"};
    default:
      return {gcdump::kOtherRoots, "[other Handles]"};
  }
}

class RootTree {
 public:
  RootTree() { nodes_.push_back({gcdump::kRootNode, {}}); }

  void Add(const Place& place, analysis::ObjectIndex object) {
    uint32_t node = Child(0, place.group);
    if (!place.node.empty()) node = Child(node, place.node);
    nodes_[node].objects.push_back(object);
  }

  std::vector<RootNode> Take() { return std::move(nodes_); }

 private:
  uint32_t Child(uint32_t parent, const std::string& name) {
    const auto [at, added] = children_.try_emplace({parent, name}, static_cast<uint32_t>(nodes_.size()));
    if (added) {
      nodes_[parent].nodes.push_back(at->second);
      nodes_.push_back({name, {}});
    }
    return at->second;
  }

  std::vector<RootNode> nodes_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> children_;
};

}  // namespace

std::vector<RootNode> MakeRootNodes(const analysis::HeapGraph& graph) {
  RootTree tree;
  for (const analysis::ResolvedRoot& root : graph.Roots().Followed()) {
    const bool listed = root.source != snapshot::kNoId;
    tree.Add(PlaceOf(root.kind, listed ? graph.GetSummary().roots[root.source].name : std::string()), root.object);
  }
  return tree.Take();
}

}  // namespace cairn::convert
