#pragma once
// What the runtime's two events about allocations say. Pure: reads only the payload, never the object, whose memory is
// still zero when the event comes.
// Thread rule: any thread; nothing is allocated.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cairn::collector {

inline constexpr uint32_t kAllocationTickEvent = 10;
inline constexpr uint32_t kAllocationSampledEvent = 303;
inline constexpr uint64_t kAllocationTickKeyword = 0x1;               // level 5
inline constexpr uint64_t kAllocationSampledKeyword = 0x80000000000;  // level 4, .NET 10
inline constexpr uint64_t kAllocationMeanBytes = 102400;              // between two of either

enum class AllocationKind : uint8_t { kSmall = 0, kLarge = 1, kPinned = 2 };

struct AllocationEvent {
  AllocationKind kind{};
  uint64_t type_id = 0;  // MethodTable, which is the ClassID
  uint64_t address = 0;  // where the object will start
  uint64_t size = 0;     // of the object
  uint64_t amount = 0;   // of a tick: bytes allocated since the one before; of a sample: 0
  // The type's name: UTF-16, without the final 0, in the payload.
  std::span<const uint8_t> name;
};

// None: another version, or cut.
std::optional<AllocationEvent> ReadAllocationSampled(uint32_t version, std::span<const uint8_t> payload,
                                                     size_t pointer_bytes = sizeof(void*));
std::optional<AllocationEvent> ReadAllocationTick(uint32_t version, std::span<const uint8_t> payload,
                                                  size_t pointer_bytes = sizeof(void*));

}  // namespace cairn::collector
