#include "collector/capture/type_ranking.h"

#include <algorithm>

namespace cairn::collector {

size_t RankTypes(std::span<const WalkedType> types, uint32_t* order) {
  size_t count = 0;
  for (uint32_t id = 0; id < types.size(); ++id) {
    if (!types[id].is_free && types[id].objects > 0) order[count++] = id;
  }
  std::sort(order, order + count, [&](uint32_t a, uint32_t b) {
    return types[a].objects != types[b].objects ? types[a].objects > types[b].objects : a < b;
  });
  return count;
}

TypeRanking::TypeRanking(std::span<const WalkedType> types) : rank_of_(types.size(), kNone), order_(types.size()) {
  order_.resize(RankTypes(types, order_.data()));
  for (uint32_t rank = 0; rank < order_.size(); ++rank) rank_of_[order_[rank]] = rank;
}

}  // namespace cairn::collector
