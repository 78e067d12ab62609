#pragma once
// abi::ElementType as the single byte that it is in signatures, with what naming needs to know of each.

#include <cstdint>
#include <string_view>

#include "collector/abi/element_types.h"

namespace cairn::collector::element {

constexpr uint8_t Byte(abi::ElementType type) { return static_cast<uint8_t>(type); }

inline constexpr uint8_t kEnd = Byte(abi::ElementType::kEnd);
inline constexpr uint8_t kVoid = Byte(abi::ElementType::kVoid);
inline constexpr uint8_t kBoolean = Byte(abi::ElementType::kBoolean);
inline constexpr uint8_t kChar = Byte(abi::ElementType::kChar);
inline constexpr uint8_t kI4 = Byte(abi::ElementType::kInt32);
inline constexpr uint8_t kR8 = Byte(abi::ElementType::kDouble);
inline constexpr uint8_t kString = Byte(abi::ElementType::kString);
inline constexpr uint8_t kPtr = Byte(abi::ElementType::kPointer);
inline constexpr uint8_t kByRef = Byte(abi::ElementType::kByRef);
inline constexpr uint8_t kValueType = Byte(abi::ElementType::kValueType);
inline constexpr uint8_t kClass = Byte(abi::ElementType::kClass);
inline constexpr uint8_t kVar = Byte(abi::ElementType::kVar);
inline constexpr uint8_t kArray = Byte(abi::ElementType::kArray);
inline constexpr uint8_t kGenericInst = Byte(abi::ElementType::kGenericInst);
inline constexpr uint8_t kTypedByRef = Byte(abi::ElementType::kTypedByRef);
inline constexpr uint8_t kI = Byte(abi::ElementType::kIntPtr);
inline constexpr uint8_t kU = Byte(abi::ElementType::kUIntPtr);
inline constexpr uint8_t kFnPtr = Byte(abi::ElementType::kFnPtr);
inline constexpr uint8_t kObject = Byte(abi::ElementType::kObject);
inline constexpr uint8_t kSzArray = Byte(abi::ElementType::kSzArray);
inline constexpr uint8_t kMVar = Byte(abi::ElementType::kMVar);
inline constexpr uint8_t kModReqd = Byte(abi::ElementType::kModifierRequired);
inline constexpr uint8_t kModOpt = Byte(abi::ElementType::kModifierOptional);

// Full name of a type that has an encoding of its own ("System.Int32"); empty for others.
std::string_view WellKnownName(uint8_t type);
// The reverse, for primitives only; kEnd for other names.
uint8_t PrimitiveOf(std::string_view name);

constexpr bool IsPrimitive(uint8_t type) {
  return (type >= kBoolean && type <= kR8) || type == kI || type == kU || type == kPtr || type == kFnPtr;
}
constexpr bool IsReference(uint8_t type) {
  return type == kString || type == kClass || type == kArray || type == kObject || type == kSzArray;
}

}  // namespace cairn::collector::element
