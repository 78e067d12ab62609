#pragma once
// Reads the runtime's own structures: carefully while it is not proven that they lie where we think, directly from
// then on, which is a thousand times faster.
// Call-site rule: once trusted, only addresses that the runtime keeps while it uses them (modules and types that are
// not collectible). Thread rule: one thread.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "collector/runtime/safe_memory.h"

namespace cairn::collector {

class RuntimeMemory {
 public:
  void Trust() { trusted_ = true; }
  bool Trusted() const { return trusted_; }

  bool Read(uint64_t address, void* out, size_t size) const {
    if (!trusted_) return ReadSafely(address, out, size);
    if (address < kLowest || size == 0) return false;
    std::memcpy(out, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), size);
    return true;
  }
  template <class T>
  bool Read(uint64_t address, T* value) const {
    return Read(address, value, sizeof *value);
  }
  // `size` bytes of each address, one after the other; zeros for what cannot be read.
  std::vector<uint8_t> ReadMany(const std::vector<uint64_t>& addresses, size_t size) const {
    std::vector<uint8_t> bytes(addresses.size() * size);
    if (!trusted_) {
      ReadManySafely(addresses, size, bytes.data());
    } else {
      for (size_t i = 0; i < addresses.size(); ++i) Read(addresses[i], bytes.data() + i * size, size);
    }
    return bytes;
  }

 private:
  static constexpr uint64_t kLowest = 64 * 1024;  // nothing is mapped below
  bool trusted_ = false;
};

}  // namespace cairn::collector
