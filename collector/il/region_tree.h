#pragma once
// The protected regions of a body as a tree: which one an instruction lies in, and what lies around it.
// Thread rule, ownership: a value of its own, made once for a body.

#include <cstddef>

#include "collector/il/method_body.h"

namespace cairn::collector::il {

enum class RegionKind : uint8_t { kMethod, kTry, kFilter, kCatch, kFinally, kFault };

using RegionIndex = uint32_t;

struct Region {
  RegionKind kind = RegionKind::kMethod;
  Label begin = 0, end = 0;
  RegionIndex parent = 0;
  // kCatch: the try that it belongs to.
  Label try_begin = 0, try_end = 0;
};

class RegionTree {
 public:
  static constexpr RegionIndex kMethod = 0;  // the region around everything

  Fault Build(const MethodBody& body);

  RegionIndex At(Label label) const { return at_[label]; }
  const Region& operator[](RegionIndex index) const { return regions_[index]; }

  // What a branch or what falls to `target` enters from outside of its tries: a try may be entered at its first
  // instruction, so that this is the region around all tries that begin there and do not hold `from`.
  RegionIndex Entered(Label target, RegionIndex from) const;
  bool Holds(RegionIndex outer, RegionIndex inner) const;
  // Whether "leave" may go from `from` to what `target` lies in: out of tries and handlers of exceptions, never out
  // of a finally, a fault or a filter; and from a handler back into its own try.
  bool MayLeave(RegionIndex from, Label target) const;

 private:
  void Add(const Clause& clause);
  Fault Nest(size_t instructions);

  std::vector<Region> regions_;
  std::vector<RegionIndex> at_;  // by instruction
};

}  // namespace cairn::collector::il
