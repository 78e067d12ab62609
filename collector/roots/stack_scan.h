#pragma once
// Addresses on the stacks of threads that point into the heap, found by looking at every word: in a young collection
// the runtime does not report pointers into the middle of older objects (a Span, a ref). Which of them are real is
// not known: what comes of it is marked as not certain.
//
//   StackScan scan;  scan.Prepare();        // before the pause
//   scan.Scan(stacks, heap);                 // in the pause
//   scan.Candidates();                       // ascending by address, each once per thread
//
// Call-site rule: Scan only while the threads cannot run managed code. It allocates nothing and takes no lock; stacks
// are read by the system, so that a thread that ends meanwhile does no harm. Costs about 50 us per thread.
// Thread rule: one thread at a time.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/roots/root_recorder.h"
#include "collector/roots/stack_bounds.h"

namespace cairn::collector {

struct StackToScan {
  uint32_t os_id = 0;
  uint32_t thread = 0;  // what its candidates are labelled with
  uint64_t frame = 0;   // where its managed frames are known to begin, for a thread whose stack pointer is not known
};

struct StackCandidate {
  uint64_t address = 0;
  uint32_t thread = 0;
};

class StackScan {
 public:
  static constexpr size_t kMaxCandidates = 1u << 18;

  // Makes room. False: no memory.
  bool Prepare();
  // `heap` in address order, without overlap.
  void Scan(std::span<const StackToScan> stacks, std::span<const AddressSpan> heap);

  std::span<const StackCandidate> Candidates() const;
  uint64_t Dropped() const { return dropped_; }      // candidates that did not fit
  uint32_t Partial() const { return partial_; }      // stacks of which only a part could be read
  uint32_t Unscanned() const { return unscanned_; }  // threads that were running, so that their stack is not known

 private:
  using Word = uintptr_t;

  bool ScanOne(const StackToScan& stack, std::span<const AddressSpan> heap);
  void ScanBlock(std::span<const Word> words, std::span<const AddressSpan> heap, uint32_t thread);
  void SortCandidates();

  StackBounds stacks_;
  FixedBuffer block_, candidates_;
  size_t candidate_count_ = 0;
  uint64_t dropped_ = 0;
  uint32_t unscanned_ = 0, partial_ = 0;
};

}  // namespace cairn::collector
