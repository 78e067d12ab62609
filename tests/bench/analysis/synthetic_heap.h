#pragma once
// A made-up heap of any size, written as a snapshot file: orders with lists, items and strings, customers and
// products that many of them share, and one large array that holds every order. About 40 bytes and 1.5 edges
// per object, in regions of 4 MiB.

#include <cstdint>
#include <string>

#include "snapshot-format/file/result.h"

namespace cairn::bench {

// Writes about `objects` objects to `path`.
Status WriteSyntheticHeap(const std::string& path, uint64_t objects);

}  // namespace cairn::bench
