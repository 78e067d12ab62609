#pragma once
// Tokens that wrapped bodies need in a module: signatures of the calls, of locals, and the framework's members that
// tell the type of an exception. They are added to the module's metadata in memory, where they stay and mean nothing
// to anybody else. Ownership: one emitter, given back with this object. Thread rule: one native thread.

#include "collector/abi/metadata_emit.h"
#include "collector/il/body_wrapper.h"
#include "collector/il/module_signatures.h"
#include "collector/types/com_metadata.h"

namespace cairn::collector::il {

class ModuleEditor {
 public:
  // False: the runtime does not open the module's metadata for writing.
  bool Open(abi::ICorProfilerInfo10& info, abi::ModuleID module, abi::ModuleID core);

  // The signatures and naming of a wrapping in this module. False: refused.
  bool Prepare(Wrapping& wrapping);
  bool TokenOf(Blob signature, abi::mdSignature& token);
  // Sees what was added.
  ModuleSignatures& Signatures() { return signatures_; }

 private:
  TypeNaming NamingInCore();
  TypeNaming NamingElsewhere();
  abi::mdToken MemberOfCore(const abi::WChar* type, const abi::WChar* method, abi::mdTypeDef& type_def);
  abi::mdToken ScopeOfFramework();
  abi::mdTypeRef Refer(abi::mdToken scope, const abi::WChar* type);
  abi::mdMemberRef Refer(abi::mdTypeRef type, const abi::WChar* method, const std::vector<uint8_t>& signature);
  bool LeadsToCore(abi::mdTypeRef reference, const char* type);

  abi::ICorProfilerInfo10* info_ = nullptr;
  abi::ModuleID module_ = 0, core_ = 0;
  abi::ComPtr<abi::IMetaDataEmit> emit_;
  ModuleSignatures signatures_, core_signatures_;
};

}  // namespace cairn::collector::il
