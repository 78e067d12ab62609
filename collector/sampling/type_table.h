#pragma once
// Each type that was allocated, once: by its ClassID and by the name that came with the event. Both, since the runtime
// gives the ClassID of a type that was unloaded to another one. Thread rule: one thread.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

namespace cairn::collector {

class TypeTable {
 public:
  static constexpr uint32_t kMostTypes = 1u << 20;

  struct Found {
    uint32_t number = 0;  // 1, 2, 3 …; 0: there are too many
    bool is_new = false;
  };
  // `name` as UTF-16 bytes. An empty one is the latest that came with this ClassID; none came: number 0.
  Found Find(uint64_t class_id, std::span<const uint8_t> name);

 private:
  struct Key {
    uint64_t class_id;
    std::string name;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const { return std::hash<std::string>()(key.name) ^ key.class_id; }
  };
  std::unordered_map<Key, uint32_t, Hash> numbers_;
  std::unordered_map<uint64_t, uint32_t> latest_;
};

}  // namespace cairn::collector
