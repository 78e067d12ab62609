#pragma once
// Reads an event's payload field by field. What is not there any more reads as 0 or empty, and is remembered.
// Thread rule: one thread.

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace cairn::collector {

class PayloadReader {
 public:
  explicit PayloadReader(std::span<const uint8_t> payload) : rest_(payload) {}

  template <class T>
  T Next() {
    T value{};
    if (rest_.size() < sizeof value) return Fail(value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  // UTF-16 with its final 0.
  std::string Text();
  void Skip(size_t bytes) { rest_ = bytes <= rest_.size() ? rest_.subspan(bytes) : Fail(rest_.subspan(rest_.size())); }
  bool IsWhole() const { return whole_; }

 private:
  template <class T>
  T Fail(T value) {
    whole_ = false;
    rest_ = {};
    return value;
  }

  std::span<const uint8_t> rest_;
  bool whole_ = true;
};

}  // namespace cairn::collector
