#pragma once
// The objects of a .gcdump as a snapshot wants them: in address order, none overlapping another, in ranges.
// Thread rule: built once.

#include <cstdint>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "viewer/convert/gcdump_reader.h"

namespace cairn::convert {

struct PlacedNodes {
  std::vector<bool> is_root_node;       // by node
  std::vector<uint64_t> addresses;      // by node; 0 for what becomes no object
  std::vector<uint32_t> in_order;       // nodes that become objects, by address
  std::vector<uint64_t> bytes;          // of each of them
  std::vector<snapshot::Range> ranges;  // complete
  std::vector<uint32_t> range_starts;   // index into in_order of each range's first
  uint64_t undefined = 0;               // nodes that were never described
  uint64_t moved = 0;                   // objects that had no address of their own
  uint64_t cut = 0;                     // objects whose size reached into the next one
};

// Errors: import.damaged.
Result<PlacedNodes> PlaceNodes(const GcDump& dump);

}  // namespace cairn::convert
