#include "collector/roots/thread_static_recorder.h"

#include <algorithm>
#include <utility>

namespace cairn::collector {
namespace {

// Some versions answer with an offset for a field that has no slot yet.
constexpr uint64_t kLowestAddress = 64 * 1024;

template <class Record>
Record* Records(const FixedBuffer& buffer) {
  return reinterpret_cast<Record*>(buffer.data());
}

}  // namespace

bool ThreadStaticRecorder::Prepare(std::vector<ThreadStaticField> fields) {
  fields_ = std::move(fields);
  found_ = left_out_ = 0;
  if (fields_.empty()) return true;
  return thread_buffer_.Map(kMaxThreads * sizeof(PausedThread)) &&
         found_buffer_.Map(kMaxQuestions * sizeof(RecordedThreadStatic));
}

void ThreadStaticRecorder::Record(ThreadStaticSource& source) {
  found_ = left_out_ = 0;
  if (fields_.empty()) return;
  const size_t count = source.ThreadsInPause({Records<PausedThread>(thread_buffer_), kMaxThreads});
  const size_t asked = std::min(count, kMaxQuestions / fields_.size());
  left_out_ = count - asked;
  for (size_t i = 0; i < asked; ++i) AskAbout(source, Records<PausedThread>(thread_buffer_)[i]);
}

void ThreadStaticRecorder::AskAbout(ThreadStaticSource& source, const PausedThread& thread) {
  for (uint32_t i = 0; i < fields_.size(); ++i) {
    uint64_t address = 0;
    if (!source.AddressInThread(fields_[i].class_id, fields_[i].field, thread.id, &address)) continue;
    if (address < kLowestAddress) continue;
    Records<RecordedThreadStatic>(found_buffer_)[found_++] = {address, i, thread.os_id};
  }
}

std::span<const RecordedThreadStatic> ThreadStaticRecorder::Found() const {
  return {Records<const RecordedThreadStatic>(found_buffer_), found_};
}

}  // namespace cairn::collector
