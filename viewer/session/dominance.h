#pragma once
// The dominator tree with the retained sizes that go with it: always computed together.

#include "viewer/analysis/dominators.h"
#include "viewer/analysis/retained.h"
#include "viewer/analysis/saved_arrays.h"

namespace cairn::session {

struct Dominance {
  analysis::DominatorTree tree;
  analysis::RetainedSizes sizes;

  void Save(analysis::ArrayList& out) const {
    tree.Save(out);
    sizes.Save(out);
  }
  // Nothing where the arrays are not those of `graph`.
  static std::optional<Dominance> FromSaved(analysis::ArrayTaker from, const analysis::HeapGraph& graph,
                                            unsigned threads) {
    auto tree = analysis::DominatorTree::FromSaved(from, graph, threads);
    if (!tree) return std::nullopt;
    auto sizes = analysis::RetainedSizes::FromSaved(from, *tree, threads);
    if (!sizes || !from.AtEnd()) return std::nullopt;
    return Dominance{std::move(*tree), std::move(*sizes)};
  }

  uint64_t Retained(analysis::ObjectIndex object) const { return sizes.Of(tree, object); }
};

}  // namespace cairn::session
