#pragma once
// Little-endian records for everything that is not a column: messages of the protocol, blobs of small
// tables. One description of a struct's fields serves both directions:
//
//   template <class Archive> void Fields(Archive& a, Foo& f) { a(f.id); a(f.name); }
//
// Thread rule: none shared. The reader checks every length against what is left and against `max_items`.
// Enumerators are not checked: who reads one from outside does it.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace cairn::stream {

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class RecordWriter {
 public:
  template <Scalar T>
  void operator()(const T& value) {
    const auto* p = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), p, p + sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<uint32_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  template <class T, size_t N>
  void operator()(const T (&items)[N]) {
    for (const T& item : items) (*this)(item);
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    (*this)(static_cast<uint32_t>(items.size()));
    for (const T& item : items) (*this)(item);
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(const T& record) { Fields(*this, const_cast<T&>(record)); }

  const std::vector<uint8_t>& Bytes() const { return bytes_; }
  std::vector<uint8_t> Take() { return std::move(bytes_); }
  void Clear() { bytes_.clear(); }

 private:
  std::vector<uint8_t> bytes_;
};

class RecordReader {
 public:
  explicit RecordReader(std::span<const uint8_t> bytes, uint32_t max_items = 1u << 24)
      : bytes_(bytes), max_items_(max_items) {}

  template <Scalar T>
  void operator()(T& value) {
    if (!Have(sizeof value)) return;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  void operator()(bool& value) {
    uint8_t byte = 0;
    (*this)(byte);
    if (byte > 1) failed_ = true;
    value = byte == 1;
  }
  void operator()(std::string& text) {
    uint32_t size = 0;
    (*this)(size);
    if (!Have(size)) return;
    text.assign(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size;
  }
  template <class T, size_t N>
  void operator()(T (&items)[N]) {
    for (T& item : items) (*this)(item);
  }
  template <class T>
  void operator()(std::vector<T>& items) {
    uint32_t count = 0;
    (*this)(count);
    // Each item takes at least one byte, so a count beyond what is left is a lie.
    if (failed_ || count > max_items_ || count > bytes_.size() - at_) {
      failed_ = true;
      return;
    }
    items.clear();
    // An item takes far more room in memory than its one byte here: what a lie costs is bounded too.
    items.reserve(std::min(count, kMostReserved));
    for (uint32_t i = 0; i < count && !failed_; ++i) (*this)(items.emplace_back());
  }
  template <class T>
  requires std::is_class_v<T>
  void operator()(T& record) { Fields(*this, record); }

  // True when every read so far was inside the bytes.
  bool Ok() const { return !failed_; }
  // True when all of it was read and nothing is left.
  bool Complete() const { return !failed_ && at_ == bytes_.size(); }

 private:
  static constexpr uint32_t kMostReserved = 4096;
  bool Have(size_t size) {
    if (failed_ || size > bytes_.size() - at_) failed_ = true;
    return !failed_;
  }

  std::span<const uint8_t> bytes_;
  uint32_t max_items_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace cairn::stream
