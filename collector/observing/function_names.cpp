#include "collector/observing/function_names.h"

#include "collector/observing/sighted_names.h"
#include "collector/roots/com_roots.h"
#include "collector/types/file_name.h"
#include "collector/types/live_types.h"

namespace cairn::collector {

struct FunctionNames::State final : SightedNames, LiveTypes {
  explicit State(abi::ICorProfilerInfo10* info) : LiveTypes(info), roots(info) {}

  size_t NameOfUnsafe(uint64_t function, char* name, size_t capacity) override {
    return roots.Functions().UnsafeName(function, name, capacity);
  }
  void NameOrdinary(Entry& entry) override;

  ComRoots roots;
};

// Not collectible, so that it cannot go.
void FunctionNames::State::NameOrdinary(Entry& entry) {
  FunctionRow function;
  MethodRow method;
  if (!roots.Functions().Function(entry.id, &function)) return;
  ModuleRow module;
  if (runtime.Metadata().Module(function.module, &module)) entry.module = FileNameOf(module.path);
  if (!runtime.Metadata().Method(function.module, function.method, &method)) return;
  entry.name =
      function.class_id != 0 ? types.ClassName(function.class_id) : types.DefinitionName(function.module, method.owner);
  entry.name += "." + method.name;
  for (size_t i = 0; i < function.arguments.size(); ++i)
    entry.name += (i == 0 ? "<" : ", ") + types.ClassName(function.arguments[i]);
  if (!function.arguments.empty()) entry.name += ">";
}

FunctionNames::FunctionNames() = default;
FunctionNames::~FunctionNames() = default;

bool FunctionNames::Open(abi::ICorProfilerInfo10* info) {
  state_ = std::make_unique<State>(info);
  return state_->Map();
}

uint32_t FunctionNames::Sight(abi::FunctionID function) { return state_->Sight(function); }

void FunctionNames::Forget(abi::ModuleID) {
  if (state_) state_->Forget();
}

void FunctionNames::ForgetMethod(abi::FunctionID function) {
  if (state_) state_->ForgetOne(function);
}

void FunctionNames::Take() { state_->Take(); }
const std::string& FunctionNames::Name(uint32_t serial) { return state_->Name(serial); }
const std::string& FunctionNames::Module(uint32_t serial) { return state_->Module(serial); }
uint64_t FunctionNames::NotNamed() const { return state_ ? state_->NotNamed() : 0; }

}  // namespace cairn::collector
