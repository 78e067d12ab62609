#pragma once
// Identities are types, never bare integers. They cost nothing: each is one integer.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace cairn::analysis {

template <class Tag, class Integer>
struct StrongIndex {
  Integer value = std::numeric_limits<Integer>::max();

  constexpr StrongIndex() = default;
  constexpr explicit StrongIndex(Integer v) : value(v) {}
  constexpr auto operator<=>(const StrongIndex&) const = default;
  constexpr bool Valid() const { return value != std::numeric_limits<Integer>::max(); }
};

// An object of the snapshot, in address order: the `@INDEX` of the command line.
using ObjectIndex = StrongIndex<struct ObjectTag, uint32_t>;
// A type of the snapshot, index into Summary::types.
using TypeIndex = StrongIndex<struct TypeTag, uint32_t>;
// A position in the one array of all edges.
using EdgeOffset = StrongIndex<struct EdgeTag, uint64_t>;
// A place in the dominator tree, in preorder; 0 is the virtual root.
using DominatorIndex = StrongIndex<struct DominatorTag, uint32_t>;
// A root in the order that paths prefer, index into RootList::Followed().
using RootIndex = StrongIndex<struct RootTag, uint32_t>;

// Two values are kept for "none" and for markers, so this many objects are the most a graph can hold.
inline constexpr uint64_t kMaxGraphObjects = 0xFFFFFFF0;

}  // namespace cairn::analysis
