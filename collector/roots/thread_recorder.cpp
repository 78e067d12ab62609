#include "collector/roots/thread_recorder.h"

#include <algorithm>
#include <cstring>

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

// Of an array on 64 bits.
constexpr uint64_t kArrayLength = 8, kArrayElements = 16;
constexpr uint32_t kMaxTypesWithThreadStatics = 1u << 20;
constexpr unsigned kTries = 5;

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

bool IsStack(const RecordedRoot& root) { return root.kind == static_cast<uint32_t>(abi::GcRootKind::kStack); }

template <class T>
T Load(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), sizeof value);
  return value;
}

// A thread whose roots have no marker behind them.
bool IsUnmarked(const RecordedThread& thread) {
  return thread.thread.locals != 0 && thread.marker == ThreadRecorder::kNoMarker;
}

}  // namespace

bool ThreadRecorder::Prepare(ThreadSource& source) {
  list_ = nullptr;
  threads_ = arrays_ = 0;
  const ManagedThreads* list = source.List();
  if (list == nullptr || !list->Available()) return true;
  if (!list_buffer_.Map(kMaxThreads * sizeof(ManagedThread)) ||
      !thread_buffer_.Map(kMaxThreads * sizeof(RecordedThread)) ||
      !array_buffer_.Map(kMaxSlotArrays * sizeof(RecordedSlotArray))) {
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
      Records<RecordedSlotArray>(array_buffer_)[arrays_++] = {object, thread, list_->IndexOf(i)};
    }
  }
}

std::span<const RecordedThread> ThreadRecorder::Threads() const {
  return {Records<const RecordedThread>(thread_buffer_), threads_};
}

std::span<const RecordedSlotArray> ThreadRecorder::SlotArrays() const {
  return {Records<const RecordedSlotArray>(array_buffer_), arrays_};
}

std::vector<uint32_t> ThreadRecorder::ThreadsOfRoots(std::span<const RecordedRoot> roots) const {
  std::vector<uint32_t> threads(roots.size(), kNoMarker);
  size_t begin = 0;
  bool unmarked = false;
  for (uint32_t t = 0; t < threads_; ++t) {
    const RecordedThread& thread = Threads()[t];
    unmarked = unmarked || IsUnmarked(thread);
    if (thread.marker == kNoMarker) continue;
    for (size_t i = begin; i <= thread.marker; ++i) {
      const bool certain = IsStack(roots[i]) && (!unmarked || i == thread.marker);
      if (certain) threads[i] = t;
    }
    begin = thread.marker + size_t{1};
    unmarked = false;
  }
  return threads;
}

}  // namespace cairn::collector
