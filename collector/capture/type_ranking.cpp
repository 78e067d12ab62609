#include "collector/capture/type_ranking.h"

#include <algorithm>

namespace cairn::collector {

TypeRanking::TypeRanking(std::span<const WalkedType> types) : rank_of_(types.size(), kNone) {
  for (uint32_t id = 0; id < types.size(); ++id) {
    if (!types[id].is_free && types[id].objects > 0) order_.push_back(id);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return types[a].objects > types[b].objects; });
  for (uint32_t rank = 0; rank < order_.size(); ++rank) rank_of_[order_[rank]] = rank;
}

}  // namespace cairn::collector
