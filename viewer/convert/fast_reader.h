#pragma once
// Reads values as FastSerialization wrote them. The bytes may be hostile: after the first value that is not there, all
// others are zero and Failed tells why and where.
// Thread rule: one thread. Ownership: observes the bytes.

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace cairn::convert {

class FastReader {
 public:
  explicit FastReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint8_t Byte() { return Raw<uint8_t>("a byte"); }
  int32_t Int32() { return Raw<int32_t>("a number"); }
  int64_t Int64() { return Raw<int64_t>("a number"); }
  float Float() { return Raw<float>("a number"); }
  // Surrogates that belong together become one code point; null is the empty text.
  std::string Text();
  // A count of elements that take at least `least_bytes` each, so that it is bounded by the file.
  uint32_t Count(size_t least_bytes, const char* what);
  std::span<const uint8_t> Bytes(size_t count, const char* what);
  // A tag that has to be there.
  void Expect(uint8_t tag, const char* what);
  // The type of an object that begins here, its tag included; empty for null. The least version a reader must know
  // goes to `least_reader` where the type is named in full.
  std::string Begin();
  int32_t Version() const { return version_; }
  int32_t LeastReader() const { return least_reader_; }
  // Tagged fields that nobody knows, up to the end of the object.
  void SkipToEnd();

  size_t Place() const { return at_; }
  void Fail(const std::string& what);
  const std::optional<std::string>& Failed() const { return failed_; }

 private:
  struct NamedType {
    std::string name;
    int32_t version = 0, least_reader = 0;
  };

  template <class Value>
  Value Raw(const char* what) {
    Value value{};
    const auto bytes = Bytes(sizeof value, what);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  NamedType TypeAt(size_t place);
  uint32_t Unit();
  void SkipTagged(uint8_t tag);

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  int32_t version_ = 0, least_reader_ = 0;  // of the type named last
  std::optional<std::string> failed_;
};

}  // namespace cairn::convert
