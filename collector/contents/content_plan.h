#pragma once
// What a walk keeps of objects besides their references. Made before the pause; the walkers and a forked child only
// read it. Ownership: observed by every walker; outlives them.

#include "collector/contents/content_hash.h"
#include "collector/contents/shape_table.h"

namespace cairn::collector {

struct ContentPlan {
  bool hashes = false;  // of strings and of arrays without references
  bool texts = false;   // of strings
  bool values = false;  // every byte that is no reference, of objects of fixed size
  ContentSalt salt;
  ShapeTable shapes;  // else these
};

}  // namespace cairn::collector
