#include "collector/sampling/type_table.h"

namespace cairn::collector {

TypeTable::Found TypeTable::Find(uint64_t class_id, std::span<const uint8_t> name) {
  if (name.empty()) {
    const auto known = latest_.find(class_id);
    return {known == latest_.end() ? 0 : known->second, false};
  }
  const Key key{class_id, std::string(reinterpret_cast<const char*>(name.data()), name.size())};
  const auto at = numbers_.find(key);
  if (at == numbers_.end() && numbers_.size() >= kMostTypes) return {};
  const bool is_new = at == numbers_.end();
  const uint32_t number = is_new ? static_cast<uint32_t>(numbers_.size() + 1) : at->second;
  if (is_new) numbers_.emplace(key, number);
  latest_[class_id] = number;
  return {number, is_new};
}

}  // namespace cairn::collector
