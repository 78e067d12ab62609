#include "collector/roots/stack_scan.h"

#include <algorithm>

#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr size_t kBlockBytes = 64u << 10;
constexpr uint64_t kMaxStackBytes = 64u << 20;
// Below the stack pointer there may be values of the innermost function.
constexpr uint64_t kRedZone = 128;

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

bool Contains(std::span<const AddressSpan> heap, uint64_t address) {
  const auto after = std::upper_bound(heap.begin(), heap.end(), address,
                                      [](uint64_t value, const AddressSpan& span) { return value < span.start; });
  return after != heap.begin() && address < (after - 1)->end;
}

}  // namespace

bool StackScan::Prepare() {
  candidate_count_ = 0;
  return stacks_.Prepare() && block_.Map(kBlockBytes) && candidates_.Map(kMaxCandidates * sizeof(StackCandidate));
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
  const uint64_t pointer = stacks_.PointerOf(stack.os_id);
  uint64_t at = (pointer != 0 ? pointer - kRedZone : stack.frame) & ~uint64_t{sizeof(Word) - 1};
  if (at == 0) return false;
  const uint64_t end = std::min(stacks_.EndOf(at), at + kMaxStackBytes);
  while (at < end) {
    const size_t size = std::min<uint64_t>(kBlockBytes, end - at);
    if (!ReadSafely(at, block_.data(), size)) break;
    ScanBlock({Records<const Word>(block_), size / sizeof(Word)}, heap, stack.thread);
    at += size;
  }
  partial_ += at < end;
  return end != 0;
}

void StackScan::ScanBlock(std::span<const Word> words, std::span<const AddressSpan> heap, uint32_t thread) {
  const uint64_t low = heap.front().start, high = heap.back().end;
  for (const Word word : words) {
    if (word < low || word >= high || !Contains(heap, word)) continue;
    if (candidate_count_ == kMaxCandidates) {
      ++dropped_;
    } else {
      Records<StackCandidate>(candidates_)[candidate_count_++] = {word, thread};
    }
  }
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
