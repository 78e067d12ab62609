#pragma once
// The boxes of a flame graph of sampled allocations: methods, each beside the others that its caller called, and on
// them the types that they made. A box is as wide as the bytes that were allocated below it.
// Thread rule: pure functions. Complexity: linear in the frames of all stacks, times the logarithm of their names.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"

namespace cairn::presentation {

struct FlameBox {
  std::string name;
  uint64_t start = 0, bytes = 0;  // where it begins, and how far it goes
  uint64_t samples = 0;
  uint32_t level = 0;  // 0: outermost
  bool is_type = false;
  std::optional<size_t> parent{};
};

struct FlameGraph {
  std::vector<FlameBox> boxes;  // callers before those they call, then by name
  uint64_t bytes = 0;           // of all
  uint32_t levels = 0;
};

// The methods of a stack, outermost first, then the type.
std::vector<std::string> FlamePathOf(const snapshot::Sampling& sampling, const snapshot::AllocationTotal& total);
FlameGraph FlameGraphOf(const snapshot::Sampling& sampling);

// "Shop.Cache.Add\n900,000 bytes (56.2 %), 9 samples".
std::string FlameWords(const FlameGraph& graph, size_t box);

// ---- from box to box ----
std::optional<size_t> CalleeOf(const FlameGraph& graph, size_t box);  // the one with the most bytes
std::optional<size_t> SiblingOf(const FlameGraph& graph, size_t box, bool next);
// Lies in the other, or is it.
bool IsWithin(const FlameGraph& graph, size_t box, size_t other);

}  // namespace cairn::presentation
