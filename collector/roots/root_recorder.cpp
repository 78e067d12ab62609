#include "collector/roots/root_recorder.h"

#include <algorithm>

#include "collector/walk/pages.h"

namespace cairn::collector {
namespace {

constexpr size_t kPage = 4096;

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

// Writing, since reading would only map the zero page.
void Touch(const FixedBuffer& buffer, size_t bytes) {
  for (size_t at = 0; at < std::min(bytes, buffer.size()); at += kPage) {
    *static_cast<volatile uint8_t*>(buffer.data() + at) = 0;
  }
}

}  // namespace

FixedBuffer::~FixedBuffer() {
  if (data_ != nullptr) pages::Unmap(data_, size_);
}

bool FixedBuffer::Map(size_t bytes) {
  if (data_ != nullptr) return size_ >= bytes;
  data_ = pages::Map(bytes);
  if (data_ == nullptr) return false;
  size_ = bytes;
  return true;
}

bool RootRecorder::Map(size_t capacity, size_t touched) {
  if (!root_buffer_.Map(capacity * sizeof(RecordedRoot))) return false;
  if (!dependent_buffer_.Map(capacity * sizeof(RecordedDependent))) return false;
  Touch(root_buffer_, touched * sizeof(RecordedRoot));
  Touch(dependent_buffer_, touched * sizeof(RecordedDependent));
  return true;
}

void RootRecorder::Reset() {
  ResetRoots();
  ResetDependents();
}

void RootRecorder::ResetRoots() { root_count_ = dropped_roots_ = 0; }

void RootRecorder::ResetDependents() { dependent_count_ = dropped_dependents_ = 0; }

void RootRecorder::AddRoot(const RecordedRoot& root) {
  if ((root_count_ + 1) * sizeof root > root_buffer_.size()) {
    ++dropped_roots_;
    return;
  }
  Records<RecordedRoot>(root_buffer_)[root_count_++] = root;
}

void RootRecorder::AddDependent(const RecordedDependent& dependent) {
  if ((dependent_count_ + 1) * sizeof dependent > dependent_buffer_.size()) {
    ++dropped_dependents_;
    return;
  }
  Records<RecordedDependent>(dependent_buffer_)[dependent_count_++] = dependent;
}

std::span<const RecordedRoot> RootRecorder::Roots() const {
  return {Records<const RecordedRoot>(root_buffer_), root_count_};
}

std::span<const RecordedDependent> RootRecorder::Dependents() const {
  return {Records<const RecordedDependent>(dependent_buffer_), dependent_count_};
}

}  // namespace cairn::collector
