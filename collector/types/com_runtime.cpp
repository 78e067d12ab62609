#include "collector/types/com_runtime.h"

#include "collector/types/com_metadata.h"

namespace cairn::collector {
namespace {

// The API does not tell T[*] from T[]; the MethodTable's flags do. On .NET 3.1 an array's id is a tagged TypeDesc.
bool HasBounds(ClassId array) {
  constexpr uint32_t kArrayMask = 0x000E0000, kArrayWithBounds = 0x00080000;
  constexpr ClassId kTypeDescTag = 2;
  if ((array & kTypeDescTag) != 0) return false;
  return (*reinterpret_cast<const uint32_t*>(array) & kArrayMask) == kArrayWithBounds;
}

class ComClasses final : public ClassSource {
 public:
  explicit ComClasses(abi::ICorProfilerInfo10* info) : info_(info) {}

  Answer Array(ClassId id, ArrayRow* row) override;
  bool Class(ClassId id, ClassRow* row) override;
  bool Layout(ClassId id, ClassLayout* layout) override;
  uint32_t BoxOffset(ClassId id) override;
  ClassId Find(ModuleId module, Token type_def, std::span<const ClassId> arguments) override;

 private:
  abi::ICorProfilerInfo10* info_;
};

Answer ComClasses::Array(ClassId id, ArrayRow* row) {
  abi::ElementType element{};
  abi::ClassID element_class = 0;
  const abi::HRESULT hr = info_->IsArrayClass(id, &element, &element_class, &row->rank);
  if (abi::Failed(hr)) return Answer::kRefused;
  if (hr != abi::kOk) return Answer::kNo;
  row->element_type = static_cast<uint8_t>(element);
  row->element_class = element_class;
  row->multi_dimensional = row->rank > 1 || HasBounds(id);
  return Answer::kYes;
}

bool ComClasses::Class(ClassId id, ClassRow* row) {
  abi::ModuleID module = 0;
  abi::ClassID parent = 0;
  uint32_t count = 0;
  if (abi::Failed(info_->GetClassIDInfo2(id, &module, &row->token, &parent, 0, &count, nullptr))) return false;
  std::vector<abi::ClassID> arguments(count);
  if (count > 0 &&
      abi::Failed(info_->GetClassIDInfo2(id, &module, &row->token, &parent, count, &count, arguments.data()))) {
    return false;
  }
  row->module = module;
  row->parent = parent;
  row->arguments.assign(arguments.begin(), arguments.end());
  return true;
}

bool ComClasses::Layout(ClassId id, ClassLayout* layout) {
  std::vector<abi::FieldOffset> offsets;
  uint32_t count = 0;
  abi::HRESULT hr = info_->GetClassLayout(id, nullptr, 0, &count, &layout->size);
  if (abi::Failed(hr)) return false;
  offsets.resize(count);
  if (count > 0) hr = info_->GetClassLayout(id, offsets.data(), count, &count, &layout->size);
  if (abi::Failed(hr)) return false;
  layout->fields.clear();
  for (const abi::FieldOffset& field : offsets) layout->fields.push_back({field.field, field.offset});
  return true;
}

uint32_t ComClasses::BoxOffset(ClassId id) {
  uint32_t offset = 0;
  return abi::Succeeded(info_->GetBoxClassLayout(id, &offset)) ? offset : 0;
}

// On a thread that the runtime does not know it would crash.
ClassId ComClasses::Find(ModuleId module, Token type_def, std::span<const ClassId> arguments) {
  abi::ThreadID thread = 0;
  if (abi::Failed(info_->GetCurrentThreadID(&thread))) return 0;
  abi::ClassID id = 0;
  if (arguments.empty()) return abi::Succeeded(info_->GetClassFromToken(module, type_def, &id)) ? id : 0;
  std::vector<abi::ClassID> ids(arguments.begin(), arguments.end());
  const abi::HRESULT hr =
      info_->GetClassFromTokenAndTypeArgs(module, type_def, static_cast<uint32_t>(ids.size()), ids.data(), &id);
  return abi::Succeeded(hr) ? id : 0;
}

}  // namespace

struct ComRuntime::State {
  explicit State(abi::ICorProfilerInfo10* info) : metadata(info), classes(info) {}
  ComMetadata metadata;
  ComClasses classes;
};

ComRuntime::ComRuntime(abi::ICorProfilerInfo10* info) : state_(std::make_unique<State>(info)) {}
ComRuntime::~ComRuntime() = default;
MetadataSource& ComRuntime::Metadata() { return state_->metadata; }
ClassSource& ComRuntime::Classes() { return state_->classes; }

}  // namespace cairn::collector
