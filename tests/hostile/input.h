#pragma once
// Numbers from the bytes of a fuzzer; 0 behind their end.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cairn::hostile {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(data, size) {}

  bool AtEnd() const { return rest_.empty(); }
  template <class T>
  T Number() {
    T value{};
    const std::span<const uint8_t> bytes = Bytes(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  // At most so many.
  std::span<const uint8_t> Bytes(size_t count) {
    const std::span<const uint8_t> bytes = rest_.first(count < rest_.size() ? count : rest_.size());
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }
  std::span<const uint8_t> Rest() { return Bytes(rest_.size()); }

 private:
  std::span<const uint8_t> rest_;
};

}  // namespace cairn::hostile
