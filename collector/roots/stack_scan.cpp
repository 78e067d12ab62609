#include "collector/roots/stack_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr size_t kMaxMappings = 1u << 16;
constexpr size_t kBlockBytes = 64u << 10;
constexpr uint64_t kMaxStackBytes = 64u << 20;
// Below the stack pointer there may be values of the innermost function.
constexpr uint64_t kRedZone = 128;

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

// The line of /proc/…/syscall ends with the stack pointer and the instruction pointer; of a thread that runs it is
// one word only. 0: not known.
uint64_t StackPointer(uint32_t os_id) {
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

bool Contains(std::span<const AddressSpan> heap, uint64_t address) {
  const auto after = std::upper_bound(heap.begin(), heap.end(), address,
                                      [](uint64_t value, const AddressSpan& span) { return value < span.start; });
  return after != heap.begin() && address < (after - 1)->end;
}

}  // namespace

bool StackScan::Prepare() {
  candidate_count_ = 0;
  if (!mappings_.Map(kMaxMappings * sizeof(AddressSpan)) || !block_.Map(kBlockBytes) ||
      !candidates_.Map(kMaxCandidates * sizeof(StackCandidate))) {
    return false;
  }
  ReadMappings();
  return true;
}

void StackScan::Scan(std::span<const StackToScan> stacks, std::span<const AddressSpan> heap) {
  candidate_count_ = 0;
  dropped_ = 0;
  unscanned_ = partial_ = 0;
  if (candidates_.data() == nullptr || heap.empty()) return;
  for (const StackToScan& stack : stacks) {
    if (stack.os_id != 0 && !ScanOne(stack, heap)) ++unscanned_;
  }
  SortCandidates();
}

bool StackScan::ScanOne(const StackToScan& stack, std::span<const AddressSpan> heap) {
  const uint64_t pointer = StackPointer(stack.os_id);
  uint64_t at = (pointer != 0 ? pointer - kRedZone : stack.frame) & ~uint64_t{7};
  if (at == 0) return false;
  uint64_t end = EndOfMapping(at);
  if (end == 0) {  // a stack that is newer than Prepare
    ReadMappings();
    end = EndOfMapping(at);
  }
  end = std::min(end, at + kMaxStackBytes);
  while (at < end) {
    const size_t size = std::min<uint64_t>(kBlockBytes, end - at);
    if (!ReadSafely(at, block_.data(), size)) break;
    ScanBlock({Records<const uint64_t>(block_), size / sizeof(uint64_t)}, heap, stack.thread);
    at += size;
  }
  partial_ += at < end;
  return end != 0;
}

void StackScan::ScanBlock(std::span<const uint64_t> words, std::span<const AddressSpan> heap, uint32_t thread) {
  const uint64_t low = heap.front().start, high = heap.back().end;
  for (const uint64_t word : words) {
    if (word < low || word >= high || !Contains(heap, word)) continue;
    if (candidate_count_ == kMaxCandidates) {
      ++dropped_;
    } else {
      Records<StackCandidate>(candidates_)[candidate_count_++] = {word, thread};
    }
  }
}

// Lines begin with "start-end ".
void StackScan::ReadMappings() {
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

uint64_t StackScan::EndOfMapping(uint64_t address) const {
  const std::span<const AddressSpan> mappings{Records<const AddressSpan>(mappings_), mapping_count_};
  const auto after = std::upper_bound(mappings.begin(), mappings.end(), address,
                                      [](uint64_t value, const AddressSpan& span) { return value < span.start; });
  return after != mappings.begin() && address < (after - 1)->end ? (after - 1)->end : 0;
}

void StackScan::SortCandidates() {
  const std::span<StackCandidate> all{Records<StackCandidate>(candidates_), candidate_count_};
  std::sort(all.begin(), all.end(), [](const StackCandidate& a, const StackCandidate& b) {
    return a.address != b.address ? a.address < b.address : a.thread < b.thread;
  });
  const auto same = [](const StackCandidate& a, const StackCandidate& b) {
    return a.address == b.address && a.thread == b.thread;
  };
  candidate_count_ = static_cast<size_t>(std::unique(all.begin(), all.end(), same) - all.begin());
}

std::span<const StackCandidate> StackScan::Candidates() const {
  return {Records<const StackCandidate>(candidates_), candidate_count_};
}

}  // namespace cairn::collector
