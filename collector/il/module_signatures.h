#pragma once
// Signatures of a module, asked of the runtime. Ownership: one importer, given back with this object, which must go
// before the detach. What it hands out lies in the module's metadata. Thread rule: one native thread.

#include "collector/abi/metadata.h"
#include "collector/abi/profiler_info.h"
#include "collector/il/signature_shape.h"

namespace cairn::collector::il {

class ModuleSignatures final : public SignatureSource {
 public:
  // False: a module without metadata.
  bool Open(abi::ICorProfilerInfo10& info, abi::ModuleID module);

  bool SignatureOf(abi::mdToken token, Blob& signature) override;
  // Whether a compiler wrote it in the intermediate language.
  bool HasBody(abi::mdMethodDef method) const;
  abi::IMetaDataImport2& Import() const { return *import_.Get(); }

 private:
  abi::ComPtr<abi::IMetaDataImport2> import_;
};

}  // namespace cairn::collector::il
