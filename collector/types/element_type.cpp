#include "collector/types/element_type.h"

namespace cairn::collector::element {
namespace {

struct Known {
  uint8_t type;
  std::string_view name;
};
constexpr Known kKnown[] = {
    {kVoid, "System.Void"},
    {kBoolean, "System.Boolean"},
    {kChar, "System.Char"},
    {Byte(abi::ElementType::kInt8), "System.SByte"},
    {Byte(abi::ElementType::kUInt8), "System.Byte"},
    {Byte(abi::ElementType::kInt16), "System.Int16"},
    {Byte(abi::ElementType::kUInt16), "System.UInt16"},
    {kI4, "System.Int32"},
    {Byte(abi::ElementType::kUInt32), "System.UInt32"},
    {Byte(abi::ElementType::kInt64), "System.Int64"},
    {Byte(abi::ElementType::kUInt64), "System.UInt64"},
    {Byte(abi::ElementType::kFloat), "System.Single"},
    {kR8, "System.Double"},
    {kI, "System.IntPtr"},
    {kU, "System.UIntPtr"},
    {kString, "System.String"},
    {kObject, "System.Object"},
    {kTypedByRef, "System.TypedReference"},
};

}  // namespace

std::string_view WellKnownName(uint8_t type) {
  for (const Known& known : kKnown) {
    if (known.type == type) return known.name;
  }
  return {};
}

uint8_t PrimitiveOf(std::string_view name) {
  if (!name.starts_with("System.")) return kEnd;
  for (const Known& known : kKnown) {
    if (known.name == name && IsPrimitive(known.type)) return known.type;
  }
  return kEnd;
}

}  // namespace cairn::collector::element
