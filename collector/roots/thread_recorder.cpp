#include "collector/roots/thread_recorder.h"

#include <cstring>

#include "collector/roots/root_kind.h"

namespace cairn::collector {
namespace {

// Of an array on 64 bits.
constexpr uint64_t kArrayLength = 8, kArrayElements = 16;
constexpr uint32_t kMaxTypesWithThreadStatics = 1u << 20;
constexpr unsigned kTries = 5;
// Each costs some 50 us of the pause.
constexpr size_t kMaxUncertain = 48;
constexpr AddressSpan kAnywhere[] = {{64 * 1024, uint64_t{1} << 47}};

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

template <class T>
T Load(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), sizeof value);
  return value;
}

// A suspended thread with managed frames has a transition on its stack, from which the runtime begins to look at them.
bool MayHaveRoots(const RecordedThread& thread) {
  return thread.thread.locals != 0 && (thread.thread.frame != 0 || thread.marker != kUncertainThread);
}

}  // namespace

bool ThreadRecorder::Prepare(ThreadSource& source) {
  list_ = nullptr;
  threads_ = arrays_ = 0;
  const ManagedThreads* list = source.List();
  if (list == nullptr || !list->Available()) return true;
  if (!list_buffer_.Map(kMaxThreads * sizeof(ManagedThread)) ||
      !thread_buffer_.Map(kMaxThreads * sizeof(RecordedThread)) ||
      !array_buffer_.Map(kMaxSlotArrays * sizeof(RecordedSlotArray)) || !code_.Prepare()) {
    return false;
  }
  for (unsigned i = 0; i < kTries && list_ == nullptr; ++i) {
    if (list->Matches(source.OsThreadIds())) list_ = list;
  }
  return true;
}

void ThreadRecorder::Record(std::span<const RecordedRoot> roots) {
  threads_ = arrays_ = 0;
  dropped_ = 0;
  if (list_ == nullptr) return;
  threads_ = list_->List({Records<ManagedThread>(list_buffer_), kMaxThreads});
  const std::span<RecordedThread> threads{Records<RecordedThread>(thread_buffer_), threads_};
  for (size_t i = 0; i < threads_; ++i) threads[i] = {Records<ManagedThread>(list_buffer_)[i], kNoMarker};
  FindMarkers(threads, roots);
  // Only an array that the runtime itself has just reported is read.
  for (uint32_t i = 0; i < threads_; ++i) {
    if (threads[i].marker != kNoMarker) RecordSlotArrays(i, threads[i].thread.slot_arrays);
  }
  ScanUncertainStacks();
}

// Those without a marker, and the one with the marker behind them.
void ThreadRecorder::ScanUncertainStacks() {
  StackToScan stacks[kMaxUncertain];
  size_t count = 0;
  bool uncertain = false;
  for (uint32_t i = 0; i < threads_; ++i) {
    const RecordedThread& thread = Threads()[i];
    const bool marked = thread.marker != kNoMarker;
    uncertain = uncertain || (!marked && MayHaveRoots(thread));
    if (uncertain && MayHaveRoots(thread)) {
      if (count == kMaxUncertain) return code_.Scan({}, {});  // too many: nothing is said of any
      stacks[count++] = {thread.thread.os_id, i, thread.thread.cooperative ? 0 : thread.thread.frame};
    }
    if (marked) uncertain = false;
  }
  code_.Scan({stacks, count}, kAnywhere);
}

// In order, so that the search goes on where the last one ended.
void ThreadRecorder::FindMarkers(std::span<RecordedThread> threads, std::span<const RecordedRoot> roots) {
  size_t from = 0;
  for (RecordedThread& thread : threads) {
    if (thread.thread.slot_arrays == 0) continue;
    for (size_t i = from; i < roots.size(); ++i) {
      if (!IsStack(roots[i]) || roots[i].id != 0 || roots[i].object != thread.thread.slot_arrays) continue;
      thread.marker = static_cast<uint32_t>(i);
      from = i + 1;
      break;
    }
  }
}

void ThreadRecorder::RecordSlotArrays(uint32_t thread, uint64_t arrays) {
  const auto length = Load<uint32_t>(arrays + kArrayLength);
  if (length > kMaxTypesWithThreadStatics) return;
  for (uint32_t i = 0; i < length; ++i) {
    const auto object = Load<uint64_t>(arrays + kArrayElements + uint64_t{i} * sizeof(uint64_t));
    if (object == 0) continue;
    if (arrays_ == kMaxSlotArrays) {
      ++dropped_;
    } else {
      Records<RecordedSlotArray>(array_buffer_)[arrays_++] = {object, thread, list_->IndexOf(i),
                                                              Load<uint32_t>(object + kArrayLength)};
    }
  }
}

std::span<const RecordedThread> ThreadRecorder::Threads() const {
  return {Records<const RecordedThread>(thread_buffer_), threads_};
}

std::span<const RecordedSlotArray> ThreadRecorder::SlotArrays() const {
  return {Records<const RecordedSlotArray>(array_buffer_), arrays_};
}

// A stack that was read holds some address at least.
RootBlock ThreadRecorder::Describe(uint32_t thread, const CodeMap& code) const {
  RootBlock block{thread, false, {}};
  for (const StackCandidate& word : code_.Candidates()) {
    if (word.thread != thread) continue;
    block.known = code_.Partial() == 0 && code_.Dropped() == 0;
    code.ForEachAt(word.address, [&block](FunctionId function) { block.functions.insert(function); });
  }
  block.functions.insert(code.WithoutCode().begin(), code.WithoutCode().end());
  return block;
}

std::vector<uint32_t> ThreadRecorder::ThreadsOfRoots(std::span<const RecordedRoot> roots, const CodeMap& code) const {
  std::vector<uint32_t> threads(roots.size(), kUncertainThread);
  std::vector<RootBlock> blocks;
  size_t begin = 0;
  const auto assign = [&](size_t end) {
    const std::vector<uint32_t> assigned = AssignThreads(roots.subspan(begin, end - begin), blocks);
    for (size_t i = begin; i < end; ++i) threads[i] = assigned[i - begin];
    blocks.clear();
  };
  for (uint32_t t = 0; t < threads_; ++t) {
    if (MayHaveRoots(Threads()[t])) blocks.push_back(Describe(t, code));
    const uint32_t marker = Threads()[t].marker;
    if (marker == kNoMarker) continue;
    assign(marker);
    threads[marker] = t;
    begin = marker + size_t{1};
  }
  assign(roots.size());
  return threads;
}

}  // namespace cairn::collector
