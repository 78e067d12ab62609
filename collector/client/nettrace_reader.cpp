#include "collector/client/nettrace_reader.h"

#include <string_view>

#include "collector/client/byte_cursor.h"

namespace cairn::client {
namespace {

constexpr std::string_view kMagic = "Nettrace", kFormat = "!FastSerialization.1";
constexpr uint8_t kNull = 1, kBeginObject = 5, kEndObject = 6;
constexpr size_t kTraceBytes = 48;             // the payload of the one object that is no block
constexpr uint32_t kMaxBlockBytes = 16 << 20;  // the runtime's are about 100 KB
constexpr size_t kMaxKinds = 65536;
constexpr uint32_t kMaxTypeName = 256;

class Cursor : public ByteCursor {
 public:
  using ByteCursor::ByteCursor;

  // Seven bits a byte, the lowest first.
  uint64_t Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Number<uint8_t>();
      value |= uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    Break();
    return 0;
  }
  // UTF-16 up to its final 0; what is not ASCII becomes '?': providers and events have plain names.
  std::string Name() {
    std::string name;
    for (uint16_t unit = Number<uint16_t>(); unit != 0; unit = Number<uint16_t>())
      name += unit < 0x80 ? static_cast<char>(unit) : '?';
    return name;
  }
};

struct Blob {
  uint32_t metadata = 0;
  std::span<const uint8_t> payload;
};

// What an event does not say is as in the event before it, in the same block.
class CompressedBlobs {
 public:
  bool Next(Cursor& in, Blob& blob) {
    enum : uint8_t { kMetadata = 1, kThreadAndSequence = 2, kThread = 4, kStack = 8, kActivity = 16, kRelated = 32 };
    constexpr uint8_t kLength = 128;
    const uint8_t says = in.Number<uint8_t>();
    if (says & kMetadata) metadata_ = static_cast<uint32_t>(in.Varint());
    if (says & kThreadAndSequence)
      for (int i = 0; i < 3; ++i) in.Varint();  // sequence, capturing thread, processor
    if (says & kThread) in.Varint();
    if (says & kStack) in.Varint();
    in.Varint();  // time
    if (says & kActivity) in.Bytes(16);
    if (says & kRelated) in.Bytes(16);
    if (says & kLength) length_ = in.Varint();
    blob = {metadata_, in.Bytes(length_)};
    return in.Ok();
  }

 private:
  uint32_t metadata_ = 0;
  uint64_t length_ = 0;
};

bool NextPlain(Cursor& in, Blob& blob) {
  const uint32_t size = in.Number<uint32_t>();
  // sequence, two threads, processor, stack, time, two activities
  constexpr size_t kSkipped = 4 + 8 + 8 + 4 + 4 + 8 + 16 + 16;
  Cursor event(in.Bytes(size));
  blob.metadata = event.Number<uint32_t>() & 0x7FFFFFFF;  // the highest bit says whether it is sorted
  event.Bytes(kSkipped);
  const uint32_t length = event.Number<uint32_t>();
  blob.payload = event.Bytes(length);
  if (size % 4 != 0) in.Bytes(4 - size % 4);
  return in.Ok() && event.Ok();
}

}  // namespace

Status NettraceReader::Feed(std::span<const uint8_t> bytes) {
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  Step step = Step::kDone;
  while (step == Step::kDone && !ended_) step = started_ ? ReadOne() : ReadStart();
  if (step != Step::kBad) return {};
  return Fail(ErrorKind::kFailed, "stream.nettrace", "The runtime sends events in a form that cairn does not know.",
              "Use --every, which needs none.");
}

void NettraceReader::Consume(size_t bytes) {
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(bytes));
  position_ += bytes;
}

NettraceReader::Step NettraceReader::ReadStart() {
  constexpr size_t kStart = kMagic.size() + 4 + kFormat.size();
  if (pending_.size() < kStart) return Step::kWantsMore;
  const std::string_view text(reinterpret_cast<const char*>(pending_.data()), kStart);
  if (!text.starts_with(kMagic) || !text.ends_with(kFormat)) return Step::kBad;
  Consume(kStart);
  started_ = true;
  return Step::kDone;
}

NettraceReader::Step NettraceReader::ReadOne() {
  if (pending_.empty()) return Step::kWantsMore;
  if (pending_[0] == kBeginObject) return ReadObject();
  ended_ = pending_[0] == kNull;
  return ended_ ? Step::kDone : Step::kBad;
}

// begin, begin type, null, version, oldest reader, name, end of type; then the payload and an end.
NettraceReader::Step NettraceReader::ReadObject() {
  constexpr size_t kBeforeName = 3 + 3 * 4;
  if (pending_.size() < kBeforeName) return Step::kWantsMore;
  uint32_t name_size = 0;
  std::memcpy(&name_size, pending_.data() + kBeforeName - 4, sizeof name_size);
  if (pending_[1] != kBeginObject || pending_[2] != kNull || name_size > kMaxTypeName) return Step::kBad;
  size_t at = kBeforeName + name_size + 1;
  if (pending_.size() < at + 4) return Step::kWantsMore;
  if (pending_[at - 1] != kEndObject) return Step::kBad;
  const std::string name(reinterpret_cast<const char*>(pending_.data()) + kBeforeName, name_size);
  uint32_t size = kTraceBytes;
  if (name != "Trace") {
    std::memcpy(&size, pending_.data() + at, sizeof size);
    at += 4;
    at += (4 - (position_ + at) % 4) % 4;
    if (size > kMaxBlockBytes) return Step::kBad;
  }
  if (pending_.size() < at + size + 1) return Step::kWantsMore;
  if (pending_[at + size] != kEndObject) return Step::kBad;
  if (!ReadBlock(name, std::span(pending_).subspan(at, size))) return Step::kBad;
  Consume(at + size + 1);
  return Step::kDone;
}

bool NettraceReader::ReadBlock(const std::string& type, std::span<const uint8_t> block) {
  const bool of_metadata = type == "MetadataBlock";
  if (!of_metadata && type != "EventBlock") return true;
  Cursor in(block);
  const uint16_t header = in.Number<uint16_t>(), flags = in.Number<uint16_t>();
  if (header < 4) return false;
  in.Bytes(header - 4u);
  CompressedBlobs compressed;
  while (in.Ok() && !in.AtEnd()) {
    Blob blob;
    if (!((flags & 1) != 0 ? compressed.Next(in, blob) : NextPlain(in, blob))) return false;
    if (!TakeEvent(of_metadata, blob.metadata, blob.payload)) return false;
  }
  return in.Ok();
}

bool NettraceReader::TakeEvent(bool of_metadata, uint32_t metadata, std::span<const uint8_t> payload) {
  if (of_metadata) return TakeMetadata(payload);
  const auto kind = kinds_.find(metadata);
  if (kind != kinds_.end()) on_event_({kind->second.provider, kind->second.id, payload});
  return true;
}

bool NettraceReader::TakeMetadata(std::span<const uint8_t> payload) {
  Cursor in(payload);
  const uint32_t number = in.Number<uint32_t>();
  Kind kind;
  kind.provider = in.Name();
  kind.id = in.Number<uint32_t>();
  if (!in.Ok() || kinds_.size() >= kMaxKinds) return false;
  kinds_[number] = std::move(kind);
  return true;
}

}  // namespace cairn::client
