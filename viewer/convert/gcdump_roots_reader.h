#pragma once
// What the root nodes of a .gcdump say: which objects are roots, of which kind, by which name.
// Thread rule: pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/convert/gcdump_reader.h"

namespace cairn::convert {

// A node that stands for roots and is no object: `[static vars]`, at address 0.
bool IsRootNode(const GcDump& dump, uint32_t node, uint32_t type);

struct ImportedRoot {
  snapshot::RootKind kind{};
  std::string name;
  uint32_t node = 0;
};

// `is_root_node` is by node. Errors: import.damaged.
Result<std::vector<ImportedRoot>> ReadRoots(const GcDump& dump, const std::vector<bool>& is_root_node);

}  // namespace cairn::convert
