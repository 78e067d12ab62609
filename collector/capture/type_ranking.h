#pragma once
// Numbers types by how many objects they have, so that common types get one-byte ids in the file.
// Thread rule: a value, built once.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/walk/heap_walker.h"

namespace cairn::collector {

// Writes the ids of the types that get a rank to `order`, in the order of their ranks; returns how many. `order`
// has room for all. Allocates nothing, so that a child and its parent rank alike.
size_t RankTypes(std::span<const WalkedType> types, uint32_t* order);

class TypeRanking {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  // Free pseudo types and types without objects get no rank. Equal counts keep the walker's order.
  explicit TypeRanking(std::span<const WalkedType> types);

  // Rank of a walker id; kNone for Free and for ids that do not exist.
  uint32_t Rank(uint64_t walker_id) const { return walker_id < rank_of_.size() ? rank_of_[walker_id] : kNone; }
  // The same for each walker id.
  std::span<const uint32_t> Ranks() const { return rank_of_; }
  // Walker ids in the order of their ranks.
  const std::vector<uint32_t>& Order() const { return order_; }

 private:
  std::vector<uint32_t> rank_of_;
  std::vector<uint32_t> order_;
};

}  // namespace cairn::collector
