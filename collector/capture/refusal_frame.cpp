#include "collector/capture/refusal_frame.h"

#include <cstring>
#include <new>

namespace cairn::collector {

// As stream::RecordWriter writes a protocol::Refused: each text behind its length.
RefusalFrame::RefusalFrame(const Refusal& refusal, std::string_view detail) {
  size_t begin = BeginText();
  Append(refusal.code);
  EndText(begin);
  begin = BeginText();
  Append(refusal.message);
  if (!detail.empty()) {
    Append(" (");
    Append(detail.substr(0, kMostDetail));
    Append(")");
  }
  EndText(begin);
  begin = BeginText();
  Append(refusal.hint);
  EndText(begin);
}

size_t RefusalFrame::BeginText() {
  size_ += sizeof(uint32_t);
  return size_;
}

void RefusalFrame::Append(std::string_view text) {
  const size_t room = sizeof bytes_ - size_;
  const size_t size = text.size() < room ? text.size() : room;
  std::memcpy(bytes_ + size_, text.data(), size);
  size_ += size;
}

void RefusalFrame::EndText(size_t begin) {
  const auto length = static_cast<uint32_t>(size_ - begin);
  std::memcpy(bytes_ + begin - sizeof length, &length, sizeof length);
}

const Refusal& RefusalOfThrown() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return kMemoryRefused;
  } catch (...) {
    return kInternal;
  }
}

}  // namespace cairn::collector
