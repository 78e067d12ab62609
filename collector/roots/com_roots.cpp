#include "collector/roots/com_roots.h"

#include <span>

#include "collector/abi/enumerators.h"
#include "collector/abi/masks.h"
#include "collector/abi/metadata.h"
#include "collector/abi/metadata_constants.h"
#include "collector/abi/profiler_info.h"
#include "collector/runtime/contract_descriptor.h"
#include "collector/runtime/static_slots.h"
#include "collector/types/utf16.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kTextUnits = 512;
constexpr uint32_t kMaxArguments = 32;  // type arguments of one class or method
constexpr uint32_t kMaxVersions = 64;   // compilations of one method
constexpr uint32_t kMaxCodeParts = 8;   // of one compilation

// Appends to a caller's buffer what fits.
class NameBuffer {
 public:
  NameBuffer(char* text, size_t capacity) : text_(text), capacity_(capacity) {}
  // `length` counts the final 0.
  void Add(const abi::WChar* text, uint32_t length) {
    const uint32_t units = length == 0 ? 0 : (length > kTextUnits ? kTextUnits : length) - 1;
    used_ += ToUtf8(text, units, text_ + used_, capacity_ - used_);
  }
  void Add(const char* text) {
    for (; *text != 0 && used_ < capacity_; ++text) text_[used_++] = *text;
  }
  size_t Used() const { return used_; }

 private:
  char* text_;
  size_t capacity_;
  size_t used_ = 0;
};

void AddTypeName(abi::IMetaDataImport2* types, Token type_def, unsigned depth, NameBuffer* name) {
  constexpr unsigned kMaxNesting = 16;
  abi::WChar text[kTextUnits];
  uint32_t length = 0, flags = 0;
  Token enclosing = 0;
  if (depth > kMaxNesting) return;
  if (abi::Failed(types->GetTypeDefProps(type_def, text, kTextUnits, &length, &flags, nullptr))) return;
  const bool nested = (flags & abi::kTypeVisibilityMask) >= abi::kTypeNestedPublic;
  if (nested && abi::Succeeded(types->GetNestedClassProps(type_def, &enclosing))) {
    AddTypeName(types, enclosing, depth + 1, name);
    name->Add("+");
  }
  name->Add(text, length);
}

class ComFunctions final : public FunctionSource {
 public:
  explicit ComFunctions(abi::ICorProfilerInfo10* info) : info_(info) {}

  bool Function(FunctionId id, FunctionRow* row) override;
  size_t UnsafeName(FunctionId id, char* name, size_t capacity) override;
  size_t UnsafeClassName(ClassId id, char* name, size_t capacity) override;
  std::vector<CodeRange> Code(FunctionId id) override;
  FunctionId FunctionAt(uint64_t address) override;
  ClassId LoadedClass(ModuleId module, Token method) override;

 private:
  size_t DynamicName(FunctionId id, NameBuffer* name);
  bool IsCollectible(abi::ModuleID module);
  bool IsCollectibleClass(abi::ClassID id, unsigned depth);
  bool AnyCollectible(std::span<const abi::ClassID> ids, unsigned depth);
  bool IsInstantiatedOverCollectible(FunctionId id);
  void MethodName(abi::ModuleID module, Token method, NameBuffer* name);
  void AddClassName(abi::ClassID id, unsigned depth, NameBuffer* name);

  abi::ICorProfilerInfo10* info_;
};

bool ComFunctions::Function(FunctionId id, FunctionRow* row) {
  abi::ClassID class_id = 0, arguments[kMaxArguments];
  abi::ModuleID module = 0;
  uint32_t count = 0;
  if (abi::Failed(info_->GetFunctionInfo2(id, 0, &class_id, &module, &row->method, kMaxArguments, &count, arguments))) {
    return false;
  }
  row->class_id = class_id;
  row->module = module;
  row->arguments.assign(arguments, arguments + (count < kMaxArguments ? count : kMaxArguments));
  return true;
}

size_t ComFunctions::UnsafeName(FunctionId id, char* text, size_t capacity) {
  NameBuffer name(text, capacity);
  abi::Bool dynamic = 0;
  if (abi::Succeeded(info_->IsFunctionDynamic(id, &dynamic)) && dynamic != 0) return DynamicName(id, &name);
  abi::ModuleID module = 0;
  abi::ClassID class_id = 0;
  Token method = 0;
  uint32_t count = 0;
  if (abi::Failed(info_->GetFunctionInfo2(id, 0, &class_id, &module, &method, 0, &count, nullptr))) return 0;
  if (!IsCollectible(module) && !IsInstantiatedOverCollectible(id)) return 0;
  MethodName(module, method, &name);
  if (name.Used() == 0) name.Add("(collectible method)");
  return name.Used();
}

size_t ComFunctions::DynamicName(FunctionId id, NameBuffer* name) {
  abi::WChar text[kTextUnits];
  abi::ModuleID module = 0;
  abi::Signature signature = nullptr;
  uint32_t size = 0, length = 0;
  name->Add("(dynamic) ");
  if (abi::Succeeded(info_->GetDynamicFunctionInfo(id, &module, &signature, &size, kTextUnits, &length, text))) {
    name->Add(text, length);
  }
  return name->Used();
}

bool ComFunctions::IsCollectible(abi::ModuleID module) {
  const uint8_t* base = nullptr;
  abi::AssemblyID assembly = 0;
  uint32_t length = 0, flags = 0;
  return abi::Succeeded(info_->GetModuleInfo2(module, &base, 0, &length, nullptr, &assembly, &flags)) &&
         (flags & abi::kModuleCollectible) != 0;
}

// Code for a struct of a collectible module belongs to its context, wherever the generic method is declared.
bool ComFunctions::IsInstantiatedOverCollectible(FunctionId id) {
  abi::ClassID class_id = 0, arguments[kMaxArguments];
  abi::ModuleID module = 0;
  Token method = 0;
  uint32_t count = 0;
  if (abi::Failed(info_->GetFunctionInfo2(id, 0, &class_id, &module, &method, kMaxArguments, &count, arguments))) {
    return true;
  }
  if (count > kMaxArguments) return true;
  return AnyCollectible({arguments, count}, 0) || (class_id != 0 && IsCollectibleClass(class_id, 0));
}

bool ComFunctions::AnyCollectible(std::span<const abi::ClassID> ids, unsigned depth) {
  for (abi::ClassID id : ids) {
    if (id != 0 && IsCollectibleClass(id, depth)) return true;
  }
  return false;
}

// What cannot be looked through counts as collectible: then it is named now, and never asked about again.
bool ComFunctions::IsCollectibleClass(abi::ClassID id, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  abi::ElementType element{};
  abi::ClassID inner = 0, parent = 0, arguments[kMaxArguments];
  abi::ModuleID module = 0;
  Token type_def = 0;
  uint32_t rank = 0, count = 0;
  if (depth > kMaxDepth) return true;
  if (info_->IsArrayClass(id, &element, &inner, &rank) == abi::kOk) {
    return inner != 0 && IsCollectibleClass(inner, depth + 1);
  }
  if (abi::Failed(info_->GetClassIDInfo2(id, &module, &type_def, &parent, kMaxArguments, &count, arguments))) {
    return true;
  }
  return count > kMaxArguments || IsCollectible(module) || AnyCollectible({arguments, count}, depth + 1);
}

void ComFunctions::MethodName(abi::ModuleID module, Token method, NameBuffer* name) {
  abi::ComPtr<abi::IUnknown> unknown;
  abi::WChar text[kTextUnits];
  uint32_t length = 0;
  Token owner = 0;
  if (info_->GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out()) != abi::kOk) return;
  const auto types = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get());
  if (!types || abi::Failed(types->GetMethodProps(method, &owner, text, kTextUnits, &length, nullptr, nullptr, nullptr,
                                                  nullptr, nullptr))) {
    return;
  }
  AddTypeName(types.Get(), owner, 0, name);
  name->Add(".");
  name->Add(text, length);
}

size_t ComFunctions::UnsafeClassName(ClassId id, char* text, size_t capacity) {
  if (!IsCollectibleClass(id, 0)) return 0;
  NameBuffer name(text, capacity);
  AddClassName(id, 0, &name);
  if (name.Used() == 0) name.Add("(collectible type)");
  return name.Used();
}

void ComFunctions::AddClassName(abi::ClassID id, unsigned depth, NameBuffer* name) {
  constexpr unsigned kMaxDepth = 8;
  abi::ElementType element{};
  abi::ClassID inner = 0, parent = 0, arguments[kMaxArguments];
  abi::ModuleID module = 0;
  abi::ComPtr<abi::IUnknown> unknown;
  Token type_def = 0;
  uint32_t rank = 0, count = 0;
  if (depth > kMaxDepth) return name->Add("?");
  if (info_->IsArrayClass(id, &element, &inner, &rank) == abi::kOk) {
    AddClassName(inner, depth + 1, name);
    name->Add("[");
    for (uint32_t i = 1; i < rank; ++i) name->Add(",");
    return name->Add("]");
  }
  if (abi::Failed(info_->GetClassIDInfo2(id, &module, &type_def, &parent, kMaxArguments, &count, arguments)) ||
      info_->GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out()) != abi::kOk) {
    return name->Add("?");
  }
  if (const auto types = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get()))
    AddTypeName(types.Get(), type_def, 0, name);
  for (uint32_t i = 0; i < count && i < kMaxArguments; ++i) {
    name->Add(i == 0 ? "[" : ",");
    AddClassName(arguments[i], depth + 1, name);
  }
  if (count > 0) name->Add("]");
}

std::vector<CodeRange> ComFunctions::Code(FunctionId id) {
  uintptr_t versions[kMaxVersions];
  uint32_t count = 0;
  std::vector<CodeRange> code;
  // More versions than fit: which of them runs is not known.
  if (info_->GetNativeCodeStartAddresses(id, 0, kMaxVersions, &count, versions) != abi::kOk || count > kMaxVersions) {
    return code;
  }
  for (const uintptr_t version : std::span(versions, count)) {
    abi::CodeInfo parts[kMaxCodeParts];
    uint32_t number = 0;
    if (info_->GetCodeInfo4(version, kMaxCodeParts, &number, parts) != abi::kOk || number > kMaxCodeParts) return {};
    for (const abi::CodeInfo& part : std::span(parts, number)) code.push_back({part.start, part.size});
  }
  return code;
}

FunctionId ComFunctions::FunctionAt(uint64_t address) {
  abi::FunctionID function = 0;
  const auto* code = reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(address));
  return abi::Succeeded(info_->GetFunctionFromIP(code, &function)) ? function : 0;
}

ClassId ComFunctions::LoadedClass(ModuleId module, Token method) {
  abi::FunctionID function = 0;
  abi::ClassID class_id = 0;
  abi::ModuleID owner = 0;
  Token token = 0;
  if (abi::Failed(info_->GetFunctionFromToken(module, method, &function)) || function == 0) return 0;
  return abi::Succeeded(info_->GetFunctionInfo(function, &class_id, &owner, &token)) ? class_id : 0;
}

class ComStatics final : public StaticSource {
 public:
  ComStatics(abi::ICorProfilerInfo10* info, const ContractDescriptor& contract) : info_(info), tables_(contract.text) {}
  bool Address(ClassId id, Token field, uint64_t* address) override;
  bool HasTables() override { return tables_.Available(); }
  void TrustTables() override { tables_.Trust(); }
  std::vector<ClassId> LoadedClasses(ModuleId module) override {
    return tables_.WithStatics(tables_.MethodTables(module));
  }
  std::vector<ClassId> WithStatics(const std::vector<ClassId>& ids) override { return tables_.WithStatics(ids); }
  std::vector<StaticSlot> Slots(ClassId id) override { return tables_.SlotsOf(id); }
  ThreadStaticFields ThreadStatics(ClassId id) override { return tables_.ThreadStaticsOf(id); }

 private:
  abi::AppDomainID AppDomain();

  abi::ICorProfilerInfo10* info_;
  abi::AppDomainID app_domain_ = 0;
  StaticSlots tables_;
};

// There is one AppDomain in a process; any thread of the runtime knows it.
abi::AppDomainID ComStatics::AppDomain() {
  abi::ComPtr<abi::ICorProfilerThreadEnum> threads;
  if (app_domain_ != 0 || abi::Failed(info_->EnumThreads(threads.Out())) || !threads) return app_domain_;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; app_domain_ == 0 && abi::Succeeded(threads->Next(1, &thread, &fetched)) && fetched == 1;) {
    if (abi::Failed(info_->GetThreadAppDomain(thread, &app_domain_))) app_domain_ = 0;
  }
  return app_domain_;
}

bool ComStatics::Address(ClassId id, Token field, uint64_t* address) {
  uint32_t kind = 0;
  void* slot = nullptr;
  if (abi::Failed(info_->GetStaticFieldInfo(id, field, &kind)) || kind != abi::kFieldAppDomainStatic) return false;
  if (abi::Failed(info_->GetAppDomainStaticAddress(id, field, AppDomain(), &slot))) return false;
  *address = reinterpret_cast<uintptr_t>(slot);
  return slot != nullptr;
}

class ComThreads final : public ThreadSource {
 public:
  ComThreads(abi::ICorProfilerInfo10* info, const ContractDescriptor& contract) : info_(info), list_(contract) {}
  std::vector<uint32_t> OsThreadIds() override;
  const ManagedThreads* List() override { return &list_; }

 private:
  abi::ICorProfilerInfo10* info_;
  ManagedThreads list_;
};

std::vector<uint32_t> ComThreads::OsThreadIds() {
  std::vector<uint32_t> ids;
  abi::ComPtr<abi::ICorProfilerThreadEnum> threads;
  if (abi::Failed(info_->EnumThreads(threads.Out())) || !threads) return ids;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; abi::Succeeded(threads->Next(1, &thread, &fetched)) && fetched == 1;) {
    uint32_t os_id = 0;
    if (abi::Failed(info_->GetThreadInfo(thread, &os_id))) os_id = 0;
    ids.push_back(os_id);
  }
  return ids;
}

}  // namespace

struct ComRoots::State {
  State(abi::ICorProfilerInfo10* info, const ContractDescriptor& contract)
      : functions(info), statics(info, contract), threads(info, contract) {}
  ComFunctions functions;
  ComStatics statics;
  ComThreads threads;
};

ComRoots::ComRoots(abi::ICorProfilerInfo10* info) : state_(std::make_unique<State>(info, ReadContractDescriptor())) {}
ComRoots::~ComRoots() = default;
FunctionSource& ComRoots::Functions() { return state_->functions; }
StaticSource& ComRoots::Statics() { return state_->statics; }
ThreadSource& ComRoots::Threads() { return state_->threads; }

}  // namespace cairn::collector
