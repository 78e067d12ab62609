#include "collector/events/module_path.h"

#include "collector/types/utf16.h"

namespace cairn::collector {

size_t ModulePath(abi::ICorProfilerInfo10& info, abi::ModuleID id, char* text, size_t capacity) {
  constexpr uint32_t kPathUnits = 512;
  abi::WChar path[kPathUnits];
  const uint8_t* base = nullptr;
  abi::AssemblyID assembly = 0;
  uint32_t length = 0;
  if (abi::Failed(info.GetModuleInfo(id, &base, kPathUnits, &length, path, &assembly))) return 0;
  const uint32_t units = length == 0 ? 0 : (length > kPathUnits ? kPathUnits : length) - 1;
  return ToUtf8(path, units, text, capacity);
}

}  // namespace cairn::collector
