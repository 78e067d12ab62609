#include "collector/sampling/class_names.h"

#include "collector/roots/com_roots.h"
#include "collector/sampling/runtime_type_name.h"
#include "collector/types/live_types.h"

namespace cairn::collector {

struct ClassNames::Tools : LiveTypes {
  explicit Tools(abi::ICorProfilerInfo10* info) : LiveTypes(info), roots(info) {}
  ComRoots roots;
};

ClassNames::ClassNames() = default;
ClassNames::~ClassNames() = default;

bool ClassNames::Open(abi::ICorProfilerInfo10* info) {
  tools_ = std::make_unique<Tools>(info);
  return Map();
}

size_t ClassNames::NameOfUnsafe(uint64_t id, char* name, size_t capacity) {
  return tools_->roots.Functions().UnsafeClassName(id, name, capacity);
}

void ClassNames::NameOrdinary(Entry& entry) { entry.name = tools_->types.ClassName(entry.id); }

std::string ClassNames::Readable(std::string name) const { return FromRuntimeTypeName(name); }

}  // namespace cairn::collector
