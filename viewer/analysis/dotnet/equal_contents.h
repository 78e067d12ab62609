#pragma once
// Objects whose contents have one hash, put together.
// Thread rule: one thread.

#include <cstdint>
#include <vector>

#include "viewer/analysis/dotnet/waste.h"
#include "viewer/analysis/flat_array.h"

namespace cairn::analysis::dotnet {

class EqualContents {
 public:
  void Add(ObjectIndex object, uint64_t hash) { hashes_.Push({hash, object}); }
  // Groups of at least two, by what they waste. Complexity: that of sorting. Nothing is kept.
  std::vector<Duplicate> Take(const HeapGraph& graph);

 private:
  struct Hashed {
    uint64_t hash = 0;
    ObjectIndex object;
  };

  FlatStack<Hashed> hashes_;
};

}  // namespace cairn::analysis::dotnet
