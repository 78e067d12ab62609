#pragma once
// Element types and the other bytes of signatures (ECMA-335, II.23.2).

#include <cstdint>

namespace cairn::collector::abi {

// CorElementType. One byte in signatures, a word in calls.
enum class ElementType : uint32_t {
  kEnd = 0x00,
  kVoid = 0x01,
  kBoolean = 0x02,
  kChar = 0x03,
  kInt8 = 0x04,
  kUInt8 = 0x05,
  kInt16 = 0x06,
  kUInt16 = 0x07,
  kInt32 = 0x08,
  kUInt32 = 0x09,
  kInt64 = 0x0A,
  kUInt64 = 0x0B,
  kFloat = 0x0C,
  kDouble = 0x0D,
  kString = 0x0E,
  kPointer = 0x0F,
  kByRef = 0x10,
  kValueType = 0x11,
  kClass = 0x12,
  kVar = 0x13,
  kArray = 0x14,
  kGenericInst = 0x15,
  kTypedByRef = 0x16,
  kIntPtr = 0x18,
  kUIntPtr = 0x19,
  kFnPtr = 0x1B,
  kObject = 0x1C,
  kSzArray = 0x1D,
  kMVar = 0x1E,
  kModifierRequired = 0x1F,
  kModifierOptional = 0x20,
  kInternal = 0x21,
  kMax = 0x22,
  kModifier = 0x40,
  kSentinel = 0x41,
  kPinned = 0x45,
};

// First byte of a signature: calling convention in the low bits.
inline constexpr uint8_t kSignatureKindMask = 0x0F;
inline constexpr uint8_t kSignatureDefault = 0x00;
inline constexpr uint8_t kSignatureVarArg = 0x05;
inline constexpr uint8_t kSignatureField = 0x06;
inline constexpr uint8_t kSignatureLocals = 0x07;
inline constexpr uint8_t kSignatureProperty = 0x08;
inline constexpr uint8_t kSignatureUnmanaged = 0x09;
inline constexpr uint8_t kSignatureGenericInst = 0x0A;
inline constexpr uint8_t kSignatureGeneric = 0x10;  // a compressed generic arity follows
inline constexpr uint8_t kSignatureHasThis = 0x20;
inline constexpr uint8_t kSignatureExplicitThis = 0x40;

// Low two bits of a compressed TypeDefOrRef.
inline constexpr uint32_t kCodedTypeDef = 0;
inline constexpr uint32_t kCodedTypeRef = 1;
inline constexpr uint32_t kCodedTypeSpec = 2;

}  // namespace cairn::collector::abi
