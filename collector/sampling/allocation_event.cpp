#include "collector/sampling/allocation_event.h"

#include <cstring>

namespace cairn::collector {

namespace {

constexpr uint32_t kTickVersion = 4;

// Reads on until something is missing; from there on everything is 0.
class PayloadReader {
 public:
  PayloadReader(std::span<const uint8_t> payload, size_t pointer_bytes)
      : payload_(payload), pointer_bytes_(pointer_bytes) {}

  uint64_t Number(size_t bytes) {
    uint64_t value = 0;
    if (!Has(bytes)) return 0;
    std::memcpy(&value, payload_.data() + at_, bytes);
    at_ += bytes;
    return value;
  }
  uint64_t Pointer() { return Number(pointer_bytes_); }

  // Up to its final 0, which is not part of it.
  std::span<const uint8_t> Text() {
    const size_t start = at_;
    while (Has(2)) {
      const bool ends = payload_[at_] == 0 && payload_[at_ + 1] == 0;
      at_ += 2;
      if (ends) return payload_.subspan(start, at_ - 2 - start);
    }
    return {};
  }
  bool Complete() const { return complete_; }

 private:
  bool Has(size_t bytes) {
    complete_ = complete_ && payload_.size() - at_ >= bytes;
    return complete_;
  }

  std::span<const uint8_t> payload_;
  const size_t pointer_bytes_;
  size_t at_ = 0;
  bool complete_ = true;
};

AllocationKind KindOf(uint64_t number) {
  return number <= static_cast<uint64_t>(AllocationKind::kPinned) ? static_cast<AllocationKind>(number)
                                                                  : AllocationKind::kSmall;
}

}  // namespace

// Layout: u32 kind, u16 runtime instance, type, name, address, u64 size, u64 offset of the sampled byte.
std::optional<AllocationEvent> ReadAllocationSampled(uint32_t, std::span<const uint8_t> payload, size_t pointer_bytes) {
  PayloadReader reader(payload, pointer_bytes);
  AllocationEvent event;
  event.kind = KindOf(reader.Number(4));
  reader.Number(2);
  event.type_id = reader.Pointer();
  event.name = reader.Text();
  event.address = reader.Pointer();
  event.size = reader.Number(8);
  reader.Number(8);
  return reader.Complete() ? std::optional(event) : std::nullopt;
}

// Layout: u32 amount, u32 kind, u16 runtime instance, u64 amount, type, name, u32 heap, address, u64 size.
std::optional<AllocationEvent> ReadAllocationTick(uint32_t version, std::span<const uint8_t> payload,
                                                  size_t pointer_bytes) {
  if (version < kTickVersion) return std::nullopt;
  PayloadReader reader(payload, pointer_bytes);
  AllocationEvent event;
  reader.Number(4);
  event.kind = KindOf(reader.Number(4));
  reader.Number(2);
  event.amount = reader.Number(8);
  event.type_id = reader.Pointer();
  event.name = reader.Text();
  reader.Number(4);
  event.address = reader.Pointer();
  event.size = reader.Number(8);
  return reader.Complete() ? std::optional(event) : std::nullopt;
}

}  // namespace cairn::collector
