#pragma once
// The dominator tree with the retained sizes that go with it: always computed together.

#include "viewer/analysis/dominators.h"
#include "viewer/analysis/retained.h"

namespace cairn::session {

struct Dominance {
  analysis::DominatorTree tree;
  analysis::RetainedSizes sizes;

  uint64_t Retained(analysis::ObjectIndex object) const { return sizes.Of(tree, object); }
};

}  // namespace cairn::session
