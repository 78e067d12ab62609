#pragma once
// Reads field offsets and globals out of the runtime's contract descriptor: JSON of the form
//   {"types":{"Module":{"!":8,"Path":200,"LinkNext":[112,"pointer"]}},"globals":{…}}
// Pure. Every index is bounded; what is not understood is skipped or gives no answer.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace cairn::collector {

class ContractText {
 public:
  explicit ContractText(std::string_view json) : json_(json) {}

  // Offset of a field; "!" asks for the size of the type.
  std::optional<uint32_t> Offset(std::string_view type, std::string_view field) const;
  // Several at once, each to its place. False: one is not there; those before it are written.
  struct Wanted {
    std::string_view type, field;
    uint32_t* offset;
  };
  bool Offsets(std::initializer_list<Wanted> wanted) const;
  // Index of a global that is an address: "ThreadStore":[[3],"pointer"].
  std::optional<uint32_t> PointerIndex(std::string_view global) const;
  // Value of one that is a number: "Bits":["0x2","uint8"].
  std::optional<uint64_t> Value(std::string_view global) const;

 private:
  std::string_view json_;
};

}  // namespace cairn::collector
