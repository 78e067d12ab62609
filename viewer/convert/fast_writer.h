#pragma once
// Writes values as FastSerialization does, little-endian.
// Thread rule: one thread. Ownership: observes the file.

#include <map>
#include <string>
#include <string_view>

#include "viewer/convert/output_file.h"

namespace cairn::convert {

class FastWriter {
 public:
  explicit FastWriter(OutputFile& file) : file_(file) {}

  void Byte(uint8_t value) { file_.Write({reinterpret_cast<const char*>(&value), 1}); }
  void Int32(int32_t value) { Raw(value); }
  void Int64(int64_t value) { Raw(value); }
  void Label(uint64_t place) { Raw(static_cast<uint32_t>(place)); }
  void Float(float value) { Raw(value); }
  void Bytes(std::string_view bytes) { file_.Write(bytes); }
  // A count of UTF-16 units and each of them as UTF-8 would have it. Bytes that are no UTF-8 become U+FFFD.
  void Text(std::string_view text);
  void NullText() { Int32(-1); }

  // The tag, and the type in full or as a reference to its first use. The fields follow, then End.
  void Begin(const std::string& type, int32_t version, int32_t least_reader);
  void End();

  uint64_t Place() const { return file_.Written(); }

 private:
  template <class Value>
  void Raw(Value value) {
    file_.Write({reinterpret_cast<const char*>(&value), sizeof value});
  }

  OutputFile& file_;
  std::map<std::string, uint64_t> types_;  // where each was named first
};

}  // namespace cairn::convert
