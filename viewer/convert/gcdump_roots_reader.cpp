#include "viewer/convert/gcdump_roots_reader.h"

#include <utility>

#include "viewer/convert/gcdump_format.h"

namespace cairn::convert {
namespace {

using snapshot::RootKind;

struct KnownNode {
  std::string_view name;
  RootKind kind;
};

// As dotnet-gcdump, PerfView and this program call them.
constexpr KnownNode kKnownNodes[] = {
    {"[static vars]", RootKind::kStatic},
    {"[thread static vars]", RootKind::kThreadStatic},
    {"[local vars]", RootKind::kLocal},
    {"[Pinned local vars]", RootKind::kLocal},
    {"[Stack]", RootKind::kLocal},
    {"[strong Handles]", RootKind::kHandleStrong},
    {"[StrongHandle]", RootKind::kHandleStrong},
    {"[Strong handles]", RootKind::kHandleStrong},
    {"[pinning Handles]", RootKind::kHandlePinned},
    {"[PinnedHandle]", RootKind::kHandlePinned},
    {"[Pinned handles]", RootKind::kHandlePinned},
    {"[AsyncPinnedHandle]", RootKind::kHandlePinned},
    {"[RefCountedHandle]", RootKind::kHandleRefcounted},
    {"[COM/WinRT Objects]", RootKind::kHandleRefcounted},
    {"[finalizer Handles]", RootKind::kFinalizer},
    {"[FinalizerQueue]", RootKind::kFinalizer},
    {"[frozen objects]", RootKind::kOther},
};

// What a root is called when it is found below a node: names and kinds go down.
struct Meaning {
  RootKind kind = RootKind::kOther;
  std::string name;
};

Meaning Below(const std::string& node, const Meaning& above) {
  for (const auto& [start, kind] : {std::pair(gcdump::kStaticStart, RootKind::kStatic),
                                    std::pair(gcdump::kThreadStaticStart, RootKind::kThreadStatic),
                                    std::pair(gcdump::kLocalStart, RootKind::kLocal)})
    if (node.starts_with(start) && node.ends_with(']'))
      return {kind, node.substr(start.size(), node.size() - start.size() - 1)};
  for (const KnownNode& known : kKnownNodes)
    if (node == known.name) return {known.kind, {}};
  return above;
}

}  // namespace

bool IsRootNode(const GcDump& dump, uint32_t node, uint32_t type) {
  return dump.AddressOf(node) == 0 && dump.Types()[type].name.starts_with('[');
}

Result<std::vector<ImportedRoot>> ReadRoots(const GcDump& dump, const std::vector<bool>& is_root_node) {
  std::vector<ImportedRoot> roots;
  if (!is_root_node[dump.Root()]) return roots;
  std::vector<bool> seen(dump.NodeCount());
  std::vector<std::pair<uint32_t, Meaning>> waiting = {{dump.Root(), {}}};
  seen[dump.Root()] = true;
  GcDumpNode node;
  while (!waiting.empty()) {
    const auto [number, above] = std::move(waiting.back());
    waiting.pop_back();
    CAIRN_TRY(dump.ReadNode(number, node));
    const Meaning meaning = Below(dump.Types()[node.type].name, above);
    for (const uint32_t child : node.children) {
      if (!is_root_node[child]) {
        if (!dump.IsUndefined(child)) roots.push_back({meaning.kind, meaning.name, child});
      } else if (!seen[child]) {
        seen[child] = true;
        waiting.emplace_back(child, meaning);
      }
    }
  }
  return roots;
}

}  // namespace cairn::convert
