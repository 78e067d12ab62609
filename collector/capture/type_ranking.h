#pragma once
// Numbers types by how many objects they have, so that common types get one-byte ids in the file.
// Thread rule: a value, built once.

#include <cstdint>
#include <span>
#include <vector>

#include "collector/walk/heap_walker.h"

namespace cairn::collector {

class TypeRanking {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  // Free pseudo types and types without objects get no rank. Equal counts keep the walker's order.
  explicit TypeRanking(std::span<const WalkedType> types);

  // Rank of a walker id; kNone for Free and for ids that do not exist.
  uint32_t Rank(uint64_t walker_id) const { return walker_id < rank_of_.size() ? rank_of_[walker_id] : kNone; }
  // Walker ids in the order of their ranks.
  const std::vector<uint32_t>& Order() const { return order_; }

 private:
  std::vector<uint32_t> rank_of_;
  std::vector<uint32_t> order_;
};

}  // namespace cairn::collector
