#include "collector/client/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "collector/client/posix.h"

namespace cairn::client {
namespace {

constexpr uint64_t kMaxTable = 16u << 20;  // bytes of one table; real ones have a few kilobytes

std::optional<std::string> ReadAt(int fd, uint64_t offset, uint64_t size) {
  if (size > kMaxTable || offset > INT64_MAX) return std::nullopt;
  std::string bytes(size, '\0');
  const ssize_t got = pread(fd, bytes.data(), size, static_cast<off_t>(offset));
  if (got < 0 || static_cast<uint64_t>(got) != size) return std::nullopt;
  return bytes;
}

template <class T>
std::optional<std::vector<T>> ReadTable(int fd, uint64_t offset, uint64_t count) {
  const auto bytes = ReadAt(fd, offset, count * sizeof(T));
  if (!bytes) return std::nullopt;
  std::vector<T> table(count);
  std::memcpy(table.data(), bytes->data(), bytes->size());
  return table;
}

std::string TextAt(const std::string& strings, uint64_t offset) {
  if (offset >= strings.size()) return {};
  return strings.c_str() + offset;
}

struct Bits64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  using Section = Elf64_Shdr;
  using Dynamic = Elf64_Dyn;
};
struct Bits32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  using Section = Elf32_Shdr;
  using Dynamic = Elf32_Dyn;
};

template <class Segment>
std::optional<uint64_t> FileOffset(const std::vector<Segment>& segments, uint64_t address) {
  for (const Segment& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

template <class Bits>
bool ReadNeeded(int fd, const std::vector<typename Bits::Segment>& segments, ElfFile& elf) {
  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto entries =
        ReadTable<typename Bits::Dynamic>(fd, segment.p_offset, segment.p_filesz / sizeof(typename Bits::Dynamic));
    if (!entries) return false;
    uint64_t strings_address = 0, strings_size = 0;
    for (const auto& entry : *entries) {
      if (entry.d_tag == DT_STRTAB) strings_address = entry.d_un.d_ptr;
      if (entry.d_tag == DT_STRSZ) strings_size = entry.d_un.d_val;
    }
    const auto offset = FileOffset(segments, strings_address);
    const auto strings = offset ? ReadAt(fd, *offset, strings_size) : std::nullopt;
    if (!strings) return false;
    for (const auto& entry : *entries)
      if (entry.d_tag == DT_NEEDED) elf.needed.push_back(TextAt(*strings, entry.d_un.d_val));
  }
  return true;
}

template <class Bits>
bool ReadSections(int fd, const typename Bits::Header& header, ElfFile& elf) {
  if (header.e_shnum == 0) return true;  // stripped of them
  const auto sections = ReadTable<typename Bits::Section>(fd, header.e_shoff, header.e_shnum);
  if (!sections || header.e_shstrndx >= sections->size()) return false;
  const auto& names = (*sections)[header.e_shstrndx];
  const auto strings = ReadAt(fd, names.sh_offset, names.sh_size);
  if (!strings) return false;
  for (const auto& section : *sections) elf.sections.push_back(TextAt(*strings, section.sh_name));
  return true;
}

template <class Bits>
bool ReadBody(int fd, ElfFile& elf) {
  const auto header = ReadTable<typename Bits::Header>(fd, 0, 1);
  if (!header) return false;
  elf.type = header->front().e_type;
  elf.machine = header->front().e_machine;
  const auto segments = ReadTable<typename Bits::Segment>(fd, header->front().e_phoff, header->front().e_phnum);
  if (!segments) return false;
  for (const auto& segment : *segments)
    if (segment.p_type == PT_INTERP) elf.interpreter = ReadAt(fd, segment.p_offset, segment.p_filesz).value_or("");
  elf.interpreter.resize(std::strlen(elf.interpreter.c_str()));
  return ReadNeeded<Bits>(fd, *segments, elf) && ReadSections<Bits>(fd, header->front(), elf);
}

}  // namespace

bool ElfFile::HasSection(const std::string& name) const {
  return std::find(sections.begin(), sections.end(), name) != sections.end();
}

Result<ElfFile> ReadElf(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe is not waited for
  if (!fd) return Fail(ErrorKind::kFailed, "elf.unreadable", path + ": " + ErrnoText(errno) + ".");
  struct stat info {};
  if (fstat(fd.Get(), &info) != 0 || !S_ISREG(info.st_mode))
    return Fail(ErrorKind::kFailed, "elf.unreadable", path + " is no plain file.");
  const auto ident = ReadAt(fd.Get(), 0, EI_NIDENT);
  if (!ident || std::memcmp(ident->data(), ELFMAG, SELFMAG) != 0)
    return Fail(ErrorKind::kFailed, "elf.not_elf", path + " is not an ELF file.");
  ElfFile elf;
  elf.pointer_size = (*ident)[EI_CLASS] == ELFCLASS32 ? 4 : 8;
  const bool read = elf.pointer_size == 4 ? ReadBody<Bits32>(fd.Get(), elf) : ReadBody<Bits64>(fd.Get(), elf);
  if (!read)
    return Fail(ErrorKind::kFailed, "elf.cut", path + " is cut or damaged: its ELF tables do not fit the file.");
  return elf;
}

std::string ArchitectureName(uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x64";
    case EM_AARCH64:
      return "arm64";
    case EM_386:
      return "x86";
    case EM_ARM:
      return "arm32";
    default:
      return "machine " + std::to_string(machine);
  }
}

}  // namespace cairn::client
