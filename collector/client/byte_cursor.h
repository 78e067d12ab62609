#pragma once
// Reads the runtime's messages piece by piece. After the first read past the end everything is 0 or empty and Ok is
// false, so that one look at the end is enough.
// Ownership: observes the bytes. Thread rule: one thread.

#include <cstdint>
#include <cstring>
#include <span>

namespace cairn::client {

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  T Number() {
    T value{};
    const auto bytes = Bytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::span<const uint8_t> Bytes(uint64_t count) {
    if (count > bytes_.size()) {
      Break();
      return {};
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }
  void Skip(uint64_t count) { Bytes(count); }
  bool Ok() const { return ok_; }
  bool AtEnd() const { return bytes_.empty(); }

 protected:
  void Break() {
    ok_ = false;
    bytes_ = {};
  }

 private:
  std::span<const uint8_t> bytes_;
  bool ok_ = true;
};

}  // namespace cairn::client
