#pragma once
// The smallest ELF files that tell what the client wants to know of one.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::client::testing {

struct SmallElf {
  uint16_t type = 3;      // ET_DYN
  uint16_t machine = 62;  // EM_X86_64
  std::vector<std::string> needed = {"libc.so.6"};
  std::vector<std::string> sections;  // names
};

// The bytes of a 64-bit little-endian file.
std::string MakeElf(const SmallElf& elf);
void WriteFile(const std::string& path, const std::string& content);

}  // namespace cairn::client::testing
