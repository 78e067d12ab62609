#include "collector/capture/child_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace cairn::collector::child {

namespace {

constexpr size_t kTextBytes = size_t{64} << 10;
constexpr const char* kMapsFile = "/proc/self/maps";
// A memfd, or in the folder for shared memory where the kernel has none.
constexpr const char* kFileOfTypes = "doublemapper";

struct Mapping {
  uint64_t start, size;
};

// Mappings as they are found, in memory that was set aside.
struct MappingList {
  Mapping* first;
  size_t room;
  size_t count = 0;

  bool Add(const Mapping& mapping) {
    if (count == room) return false;
    first[count++] = mapping;
    return true;
  }
  std::span<const Mapping> All() const { return {first, count}; }
};

uint64_t ReadHex(const char*& text) {
  uint64_t value = 0;
  for (;; ++text) {
    const char digit = *text;
    if (digit >= '0' && digit <= '9') {
      value = value << 4 | static_cast<uint64_t>(digit - '0');
    } else if (digit >= 'a' && digit <= 'f') {
      value = value << 4 | static_cast<uint64_t>(digit - 'a' + 10);
    } else {
      return value;
    }
  }
}

// "7f0000000000-7f0000010000 rw-s 00010000 00:01 4711  /memfd:doublemapper (deleted)"
bool AddLine(const char* line, MappingList& list) {
  const char* at = line;
  const uint64_t start = ReadHex(at);
  if (*at++ != '-') return true;
  const uint64_t end = ReadHex(at);
  const bool is_shared = std::strncmp(at, " rw", 3) == 0 && at[4] == 's';
  if (!is_shared || end <= start || std::strstr(at, kFileOfTypes) == nullptr) return true;
  return list.Add({start, end - start});
}

// Takes the whole lines of `text` and leaves the rest at its beginning. False: no room in the list.
bool TakeLines(char* text, size_t& used, MappingList& list) {
  char* line = text;
  text[used] = 0;
  for (char* end; (end = static_cast<char*>(std::memchr(line, '\n', used - (line - text)))) != nullptr;
       line = end + 1) {
    *end = 0;
    if (!AddLine(line, list)) return false;
  }
  used -= static_cast<size_t>(line - text);
  std::memmove(text, line, used);
  return true;
}

bool ListMappings(char* text, MappingList& list) {
  const long file = syscall(SYS_openat, AT_FDCWD, kMapsFile, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return false;
  bool fits = true;
  size_t used = 0;
  long got = 0;
  while (fits && (got = syscall(SYS_read, file, text + used, kTextBytes - 1 - used)) > 0) {
    used += static_cast<size_t>(got);
    fits = TakeLines(text, used, list);
  }
  syscall(SYS_close, file);
  return fits && got == 0;
}

// The largest size at which all mappings up to it may be copied. Those of unloaded contexts are small; what is large
// belongs to code and types that stay.
uint64_t LargestCopied(std::span<const Mapping> mappings) {
  for (uint64_t size = ~uint64_t{0}; size != 0; size >>= 1) {
    uint64_t sum = 0;
    for (const Mapping& mapping : mappings) sum += mapping.size <= size ? mapping.size : 0;
    if (sum <= kMostOwnPages) return size;
  }
  return 0;
}

bool Own(const Mapping& mapping) {
  void* const there = reinterpret_cast<void*>(static_cast<uintptr_t>(mapping.start));
  void* const copy =
      mmap(nullptr, mapping.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) return false;
  std::memcpy(copy, there, mapping.size);
  return mremap(copy, mapping.size, mapping.size, MREMAP_MAYMOVE | MREMAP_FIXED, there) == there;
}

}  // namespace

bool OwnSharedPages(uint8_t* room, size_t size) {
  if (size <= kTextBytes) return false;
  MappingList list{reinterpret_cast<Mapping*>(room + kTextBytes), (size - kTextBytes) / sizeof(Mapping)};
  if (!ListMappings(reinterpret_cast<char*>(room), list)) return false;
  const uint64_t largest = LargestCopied(list.All());
  return std::ranges::all_of(list.All(),
                             [=](const Mapping& mapping) { return mapping.size > largest || Own(mapping); });
}

}  // namespace cairn::collector::child
