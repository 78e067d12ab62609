#include "collector/events/type_text.h"

#include "collector/abi/metadata.h"
#include "collector/abi/metadata_constants.h"
#include "collector/types/utf16.h"

namespace cairn::collector {

namespace {

constexpr uint32_t kTextUnits = 512;
constexpr unsigned kMaxDepth = 8;

size_t Append(const char* what, char* text, size_t capacity) {
  size_t used = 0;
  for (; what[used] != 0 && used < capacity; ++used) text[used] = what[used];
  return used;
}

size_t DefinitionText(abi::IMetaDataImport2& types, abi::mdToken token, unsigned depth, char* text, size_t capacity) {
  abi::WChar name[kTextUnits];
  uint32_t length = 0, flags = 0;
  abi::mdToken enclosing = 0;
  if (depth > kMaxDepth || abi::Failed(types.GetTypeDefProps(token, name, kTextUnits, &length, &flags, nullptr)))
    return 0;
  size_t used = 0;
  const bool nested = (flags & abi::kTypeVisibilityMask) >= abi::kTypeNestedPublic;
  if (nested && abi::Succeeded(types.GetNestedClassProps(token, &enclosing))) {
    used = DefinitionText(types, enclosing, depth + 1, text, capacity);
    used += Append("+", text + used, capacity - used);
  }
  const uint32_t units = length == 0 ? 0 : (length > kTextUnits ? kTextUnits : length) - 1;
  return used + ToUtf8(name, units, text + used, capacity - used);
}

size_t NamedText(abi::ICorProfilerInfo10& info, abi::ClassID id, unsigned depth, char* text, size_t capacity) {
  abi::ElementType element{};
  abi::ClassID inner = 0;
  uint32_t rank = 0;
  if (depth < kMaxDepth && info.IsArrayClass(id, &element, &inner, &rank) == abi::kOk) {
    const size_t used = inner != 0 ? NamedText(info, inner, depth + 1, text, capacity) : 0;
    return used + Append("[]", text + used, capacity - used);
  }
  abi::ModuleID module = 0;
  abi::mdTypeDef token = 0;
  abi::ComPtr<abi::IUnknown> unknown;
  if (abi::Failed(info.GetClassIDInfo(id, &module, &token)) || token == 0) return 0;
  if (info.GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out()) != abi::kOk) return 0;
  const auto types = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get());
  return types ? DefinitionText(*types.Get(), token, 0, text, capacity) : 0;
}

}  // namespace

size_t ClassText(abi::ICorProfilerInfo10& info, abi::ClassID id, char* text, size_t capacity) {
  return NamedText(info, id, 0, text, capacity);
}

size_t ModulePath(abi::ICorProfilerInfo10& info, abi::ModuleID id, char* text, size_t capacity) {
  abi::WChar path[kTextUnits];
  const uint8_t* base = nullptr;
  abi::AssemblyID assembly = 0;
  uint32_t length = 0;
  if (abi::Failed(info.GetModuleInfo(id, &base, kTextUnits, &length, path, &assembly))) return 0;
  const uint32_t units = length == 0 ? 0 : (length > kTextUnits ? kTextUnits : length) - 1;
  return ToUtf8(path, units, text, capacity);
}

}  // namespace cairn::collector
