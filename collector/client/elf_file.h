#pragma once
// As much of an ELF file as tells whether one fits a process. Every offset is checked: the file may be
// cut or hostile.

#include <cstdint>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::client {

struct ElfFile {
  uint8_t pointer_size = 8;
  uint16_t type = 0;                // ET_DYN is 3
  uint16_t machine = 0;             // EM_*
  std::string interpreter;          // of a program: "/lib/ld-musl-x86_64.so.1"
  std::vector<std::string> needed;  // DT_NEEDED
  std::vector<std::string> sections;

  bool HasSection(const std::string& name) const;
};

// Errors: elf.unreadable, elf.not_elf, elf.cut.
Result<ElfFile> ReadElf(const std::string& path);

// "x64", "arm64", "x86", "arm32" as the runtime calls them, else "machine 243".
std::string ArchitectureName(uint16_t machine);

}  // namespace cairn::client
