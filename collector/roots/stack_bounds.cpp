#include "collector/roots/stack_bounds.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string_view>

namespace cairn::collector {
namespace {

constexpr size_t kMaxMappings = 1u << 16;
constexpr size_t kBlockBytes = 64u << 10;

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

// Calls Line(text) for each line of a file of any length. Allocates nothing.
template <class Line>
void ForEachLine(const char* path, char* buffer, size_t capacity, Line line) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  size_t used = 0;
  for (ssize_t got; (got = read(file, buffer + used, capacity - used)) > 0;) {
    used += static_cast<size_t>(got);
    std::string_view text(buffer, used);
    for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) line(text.substr(0, end));
    std::copy(text.begin(), text.end(), buffer);
    used = text.size() < capacity ? text.size() : 0;
  }
  close(file);
}

uint64_t TakeHex(std::string_view* text) {
  uint64_t value = 0;
  for (; !text->empty(); text->remove_prefix(1)) {
    const char c = text->front();
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) break;
    value = value * 16 + static_cast<uint64_t>(digit);
  }
  return value;
}

}  // namespace

bool StackBounds::Prepare() {
  if (!mappings_.Map(kMaxMappings * sizeof(AddressSpan)) || !block_.Map(kBlockBytes)) return false;
  ReadMappings();
  return true;
}

// The line of /proc/…/syscall ends with the stack pointer and the instruction pointer; of a thread that runs it is
// one word only. 0: not known.
uint64_t StackBounds::PointerOf(uint32_t os_id) {
  char path[64], buffer[512];
  std::snprintf(path, sizeof path, "/proc/self/task/%u/syscall", os_id);
  uint64_t pointer = 0;
  ForEachLine(path, buffer, sizeof buffer, [&](std::string_view line) {
    const size_t last = line.rfind(" 0x");
    const size_t before = last == line.npos || last == 0 ? line.npos : line.rfind(" 0x", last - 1);
    if (before == line.npos) return;
    std::string_view digits = line.substr(before + 3);
    pointer = TakeHex(&digits);
  });
  return pointer;
}

uint64_t StackBounds::EndOf(uint64_t address) {
  const uint64_t end = EndOfMapping(address);
  if (end != 0) return end;
  ReadMappings();  // a stack that is newer than Prepare
  return EndOfMapping(address);
}

// Lines begin with "start-end ".
void StackBounds::ReadMappings() {
  mapping_count_ = 0;
  ForEachLine("/proc/self/maps", reinterpret_cast<char*>(block_.data()), kBlockBytes, [this](std::string_view line) {
    AddressSpan span;
    span.start = TakeHex(&line);
    if (line.empty() || line.front() != '-' || mapping_count_ == kMaxMappings) return;
    line.remove_prefix(1);
    span.end = TakeHex(&line);
    Records<AddressSpan>(mappings_)[mapping_count_++] = span;
  });
}

uint64_t StackBounds::EndOfMapping(uint64_t address) const {
  const std::span<const AddressSpan> mappings{Records<const AddressSpan>(mappings_), mapping_count_};
  const auto after = std::upper_bound(mappings.begin(), mappings.end(), address,
                                      [](uint64_t value, const AddressSpan& span) { return value < span.start; });
  return after != mappings.begin() && address < (after - 1)->end ? (after - 1)->end : 0;
}

}  // namespace cairn::collector
