#include "tests/collector/client/small_elf.h"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace cairn::client::testing {
namespace {

template <class T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

// header | PT_LOAD, PT_DYNAMIC | dynamic entries | their strings | section headers | section names
std::string MakeElf(const SmallElf& elf) {
  std::string strings(1, '\0'), dynamic, names(1, '\0'), sections;
  for (const std::string& name : elf.needed) {
    Append(dynamic, Elf64_Dyn{DT_NEEDED, {strings.size()}});
    strings += name + '\0';
  }
  constexpr uint64_t kDynamicAt = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const uint64_t strings_at = kDynamicAt + dynamic.size() + 3 * sizeof(Elf64_Dyn);
  Append(dynamic, Elf64_Dyn{DT_STRTAB, {strings_at}});
  Append(dynamic, Elf64_Dyn{DT_STRSZ, {strings.size()}});
  Append(dynamic, Elf64_Dyn{DT_NULL, {0}});
  const uint64_t sections_at = strings_at + strings.size();
  const size_t section_count = elf.sections.size() + 2;  // the null one and that of the names
  const uint64_t names_at = sections_at + section_count * sizeof(Elf64_Shdr);
  Append(sections, Elf64_Shdr{});
  for (const std::string& name : elf.sections) {
    Elf64_Shdr section{};
    section.sh_name = static_cast<uint32_t>(names.size());
    Append(sections, section);
    names += name + '\0';
  }
  Elf64_Shdr names_section{};
  names_section.sh_offset = names_at;
  names_section.sh_size = names.size();
  Append(sections, names_section);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = elf.type;
  header.e_machine = elf.machine;
  header.e_phoff = sizeof header;
  header.e_phnum = 2;
  header.e_shoff = sections_at;
  header.e_shnum = static_cast<uint16_t>(section_count);
  header.e_shstrndx = static_cast<uint16_t>(section_count - 1);
  const uint64_t size = names_at + names.size();
  std::string bytes;
  Append(bytes, header);
  Append(bytes, Elf64_Phdr{PT_LOAD, 0, 0, 0, 0, size, size, 0});
  Append(bytes, Elf64_Phdr{PT_DYNAMIC, 0, kDynamicAt, kDynamicAt, kDynamicAt, dynamic.size(), dynamic.size(), 0});
  return bytes + dynamic + strings + sections + names;
}

void WriteFile(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace cairn::client::testing
