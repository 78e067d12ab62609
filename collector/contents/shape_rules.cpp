#include "collector/contents/shape_rules.h"

#include <algorithm>
#include <span>

#include "collector/abi/element_types.h"

namespace cairn::collector {
namespace {

constexpr std::string_view kDisposed[] = {"_disposed",
                                          "disposed",
                                          "_isDisposed",
                                          "isDisposed",
                                          "m_disposed",
                                          "m_isDisposed",
                                          "_disposedValue",
                                          "disposedValue",
                                          "<IsDisposed>k__BackingField",
                                          "<Disposed>k__BackingField",
                                          "_closed",
                                          "_isClosed",
                                          "_isOpen"};

// Of collections, builders, tasks and timers.
constexpr std::string_view kCounts[] = {"_size",         "_count",       "count",      "m_count",  "_freeCount",
                                        "_head",         "_tail",        "_occupancy", "_budget",  "m_ChunkLength",
                                        "m_ChunkOffset", "m_stateFlags", "_state",     "_dueTime", "_period",
                                        "_canceled",     "_length",      "_capacity",  "_position"};

constexpr std::string_view kCode[] = {"_methodPtr", "_methodPtrAux"};
constexpr std::string_view kInvocationCount = "_invocationCount";

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

uint32_t BytesOf(abi::ElementType type) {
  switch (type) {
    case abi::ElementType::kBoolean:
      return 1;
    case abi::ElementType::kInt32:
    case abi::ElementType::kUInt32:
      return 4;
    case abi::ElementType::kInt64:
    case abi::ElementType::kUInt64:
      return 8;
    case abi::ElementType::kIntPtr:
    case abi::ElementType::kUIntPtr:
      return sizeof(void*);
    default:
      return 0;
  }
}

}  // namespace

ShapeRule RuleFor(std::string_view field, uint8_t element_type, bool of_framework) {
  const auto type = static_cast<abi::ElementType>(element_type);
  const uint32_t bytes = BytesOf(type);
  if (bytes == 0) return {};
  if (type == abi::ElementType::kIntPtr || type == abi::ElementType::kUIntPtr) {
    const bool is_code = of_framework && Has(kCode, field);
    return {is_code || (of_framework && field == kInvocationCount), bytes, is_code};
  }
  // A flag may be a number, where it is changed by an interlocked operation.
  const bool is_flag = bytes <= 4 && Has(kDisposed, field);
  const bool is_state = bytes == 4 && field == kAsyncState;
  const bool is_count = of_framework && Has(kCounts, field);
  return {is_flag || is_state || is_count, bytes, false};
}

bool IsFramework(std::string_view module) { return module.starts_with("System.") || module.starts_with("Microsoft."); }

}  // namespace cairn::collector
