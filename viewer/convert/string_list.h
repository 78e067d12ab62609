#pragma once
// Texts that a file refers to by their number.

#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::convert {

class StringList {
 public:
  uint32_t NumberOf(const std::string& text) {
    const auto [at, added] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (added) texts_.push_back(&at->first);
    return at->second;
  }
  size_t Count() const { return texts_.size(); }
  const std::string& operator[](size_t number) const { return *texts_[number]; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<const std::string*> texts_;  // keys of the map, which stay where they are
};

}  // namespace cairn::convert
