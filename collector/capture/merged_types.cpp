#include "collector/capture/merged_types.h"

namespace cairn::collector {

void MergedTypes::Add(std::span<const WalkedType> types) {
  std::vector<uint32_t>& places = places_.emplace_back();
  places.reserve(types.size());
  for (const WalkedType& type : types) places.push_back(PlaceOf(type));
}

uint32_t MergedTypes::PlaceOf(const WalkedType& type) {
  const auto [found, is_new] = by_method_table_.try_emplace(type.method_table, static_cast<uint32_t>(types_.size()));
  if (is_new) {
    types_.push_back(type);
    return found->second;
  }
  WalkedType& known = types_[found->second];
  known.objects += type.objects;
  known.bytes += type.bytes;
  if (known.class_id == 0) known.class_id = type.class_id;
  if (known.loader_allocator == 0) known.loader_allocator = type.loader_allocator;
  return found->second;
}

}  // namespace cairn::collector
