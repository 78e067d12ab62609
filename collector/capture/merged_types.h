#pragma once
// The types of several walkers as one list: each MethodTable once, counts summed.
// Thread rule: a value, built once after the pause.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "collector/walk/walked_type.h"

namespace cairn::collector {

class MergedTypes {
 public:
  // The next walker's types; their number in the list is the walker's number.
  void Add(std::span<const WalkedType> types);

  std::span<const WalkedType> Types() const { return types_; }
  // For each type id of a walker its place in Types.
  std::span<const uint32_t> PlacesOf(size_t walker) const { return places_[walker]; }

 private:
  uint32_t PlaceOf(const WalkedType& type);

  std::vector<WalkedType> types_;
  std::vector<std::vector<uint32_t>> places_;
  std::unordered_map<uint64_t, uint32_t> by_method_table_;
};

}  // namespace cairn::collector
