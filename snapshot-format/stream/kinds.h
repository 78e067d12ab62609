#pragma once
// The kinds that the collector sends and the file stores. On disk: do not renumber any of these.
// Freestanding.

#include <cstdint>

namespace cairn::stream {

enum class Generation : uint8_t { kGen0 = 0, kGen1 = 1, kGen2 = 2, kLoh = 3, kPoh = 4, kFrozen = 5 };
inline constexpr unsigned kGenerationCount = 6;

enum class TypeKind : uint8_t { kClass = 0, kBoxedStruct = 1, kArray = 2, kString = 3, kUnknown = 4 };

enum class FieldKind : uint8_t {
  kReference = 0,  // a slot
  kPrimitive = 1,  // bool, char, integers, floats, native pointers, enums
  kOther = 2,      // a struct without fields of its own, a by-ref-like part
};

// In the contract's order.
enum class RootKind : uint8_t {
  kStatic = 0,
  kThreadStatic = 1,
  kLocal = 2,
  kHandleStrong = 3,
  kHandlePinned = 4,
  kHandleRefcounted = 5,
  kFinalizer = 6,
  kFrozen = 7,
  kOther = 8,
  kHandleWeak = 9,  // recorded, never followed
};
inline constexpr unsigned kRootKindCount = 10;

}  // namespace cairn::stream
