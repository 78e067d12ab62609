#include "collector/il/module_editor.h"

#include <string>

#include "collector/abi/element_types.h"
#include "collector/abi/metadata_constants.h"
#include "collector/types/com_text.h"
#include "collector/types/type_resolver.h"

namespace cairn::collector::il {

namespace {

constexpr uint8_t kInstance = abi::kSignatureHasThis;
constexpr const abi::WChar* kObject = CAIRN_WIDE("System.Object");
constexpr const abi::WChar* kType = CAIRN_WIDE("System.Type");
constexpr const abi::WChar* kHandle = CAIRN_WIDE("System.RuntimeTypeHandle");

// The runtime says so where the signature was there before.
constexpr abi::HRESULT kDuplicate = 0x00131197;

std::vector<uint8_t> GetterOf(abi::ElementType element, abi::mdToken type) {
  std::vector<uint8_t> signature = {kInstance, 0, static_cast<uint8_t>(element)};
  if (type != 0) PutTypeToken(type, signature);
  return signature;
}

}  // namespace

bool ModuleEditor::Open(abi::ICorProfilerInfo10& info, abi::ModuleID module, abi::ModuleID core) {
  info_ = &info;
  module_ = module;
  core_ = core;
  abi::ComPtr<abi::IUnknown> unknown;
  if (info.GetModuleMetaData(module, abi::kOpenWrite, abi::IMetaDataEmit::kIid, unknown.Out()) != abi::kOk)
    return false;
  emit_ = abi::ComPtr<abi::IMetaDataEmit>::From(unknown.Get());
  return emit_ && signatures_.Open(info, module) && core_signatures_.Open(info, core);
}

bool ModuleEditor::Prepare(Wrapping& wrapping) {
  if (!TokenOf(kEnterSignature, wrapping.enter_signature)) return false;
  if (!TokenOf(kLeaveSignature, wrapping.leave_signature)) return false;
  wrapping.naming = module_ == core_ ? NamingInCore() : NamingElsewhere();
  return true;
}

bool ModuleEditor::TokenOf(Blob signature, abi::mdSignature& token) {
  const abi::HRESULT hr = emit_->GetTokenFromSig(signature.data(), static_cast<uint32_t>(signature.size()), &token);
  return hr == abi::kOk || hr == kDuplicate;
}

// The method of that name without parameters; a trimmed core library may lack it.
abi::mdToken ModuleEditor::MemberOfCore(const abi::WChar* type, const abi::WChar* method, abi::mdTypeDef& type_def) {
  abi::IMetaDataImport2& import = core_signatures_.Import();
  if (abi::Failed(import.FindTypeDefByName(type, 0, &type_def))) return 0;
  abi::MetaDataEnum handle = nullptr;
  abi::mdMethodDef candidates[8];
  uint32_t count = 0;
  import.EnumMethodsWithName(&handle, type_def, method, candidates, 8, &count);
  import.CloseEnum(handle);
  for (uint32_t i = 0; i < count; ++i) {
    Blob signature;
    CallShape shape;
    if (!core_signatures_.SignatureOf(candidates[i], signature) || !ReadCallShape(signature, shape)) continue;
    if (shape.has_this && shape.arguments == 1 && shape.returns) return candidates[i];
  }
  return 0;
}

TypeNaming ModuleEditor::NamingInCore() {
  abi::mdTypeDef object = 0, type = 0, handle = 0;
  TypeNaming naming;
  naming.object_get_type = MemberOfCore(kObject, CAIRN_WIDE("GetType"), object);
  naming.type_get_handle = MemberOfCore(kType, CAIRN_WIDE("get_TypeHandle"), type);
  naming.handle_get_value = MemberOfCore(kHandle, CAIRN_WIDE("get_Value"), handle);
  const bool all = naming.object_get_type != 0 && naming.type_get_handle != 0 && naming.handle_get_value != 0;
  naming.handle_type = all ? handle : 0;
  return naming;
}

// Each reference must lead to the core library's type of that name, or the application would fail where it compiles
// the method.
TypeNaming ModuleEditor::NamingElsewhere() {
  if (!NamingInCore().IsKnown()) return {};
  const abi::mdToken scope = ScopeOfFramework();
  if (scope == 0) return {};
  const abi::mdTypeRef object = Refer(scope, kObject), type = Refer(scope, kType), handle = Refer(scope, kHandle);
  const bool found = LeadsToCore(object, "System.Object") && LeadsToCore(type, "System.Type") &&
                     LeadsToCore(handle, "System.RuntimeTypeHandle");
  if (!found) return {};
  TypeNaming naming;
  naming.object_get_type = Refer(object, CAIRN_WIDE("GetType"), GetterOf(abi::ElementType::kClass, type));
  naming.type_get_handle = Refer(type, CAIRN_WIDE("get_TypeHandle"), GetterOf(abi::ElementType::kValueType, handle));
  naming.handle_get_value = Refer(handle, CAIRN_WIDE("get_Value"), GetterOf(abi::ElementType::kIntPtr, 0));
  const bool all = naming.object_get_type != 0 && naming.type_get_handle != 0 && naming.handle_get_value != 0;
  naming.handle_type = all ? handle : 0;
  return naming;
}

// What the module's own System.Object is referred to by.
abi::mdToken ModuleEditor::ScopeOfFramework() {
  abi::IMetaDataImport2& import = signatures_.Import();
  abi::MetaDataEnum handle = nullptr;
  abi::mdToken found = 0, reference = 0;
  for (uint32_t count = 0; found == 0; count = 0) {
    if (abi::Failed(import.EnumTypeRefs(&handle, &reference, 1, &count)) || count == 0) break;
    abi::mdToken scope = 0;
    std::string name;
    const bool known = ReadText(&name, [&](abi::WChar* text, uint32_t capacity, uint32_t* length) {
      return import.GetTypeRefProps(reference, &scope, text, capacity, length);
    });
    if (known && name == "System.Object") found = scope;
  }
  import.CloseEnum(handle);
  return found;
}

abi::mdTypeRef ModuleEditor::Refer(abi::mdToken scope, const abi::WChar* type) {
  abi::mdTypeRef reference = 0;
  if (abi::Succeeded(signatures_.Import().FindTypeRef(scope, type, &reference))) return reference;
  return abi::Succeeded(emit_->DefineTypeRefByName(scope, type, &reference)) ? reference : 0;
}

abi::mdMemberRef ModuleEditor::Refer(abi::mdTypeRef type, const abi::WChar* method,
                                     const std::vector<uint8_t>& signature) {
  abi::mdMemberRef reference = 0;
  const auto size = static_cast<uint32_t>(signature.size());
  if (abi::Succeeded(signatures_.Import().FindMemberRef(type, method, signature.data(), size, &reference))) {
    return reference;
  }
  return abi::Succeeded(emit_->DefineMemberRef(type, method, signature.data(), size, &reference)) ? reference : 0;
}

bool ModuleEditor::LeadsToCore(abi::mdTypeRef reference, const char* type) {
  if (reference == 0) return false;
  ComMetadata metadata(info_);
  TypeResolver resolver(metadata);
  const TypeLocation location = resolver.Resolve(module_, reference);
  return location && location.module == core_ && metadata.FindTypeDef(core_, type, 0) == location.type_def;
}

}  // namespace cairn::collector::il
