#include "collector/il/module_signatures.h"

#include "collector/abi/metadata_constants.h"

namespace cairn::collector::il {

namespace {

constexpr uint32_t kTableMask = 0xFF000000;
constexpr uint32_t kImplCodeMask = 0x0007;  // how its code is made, and whether it is managed; 0: by a compiler, yes

}  // namespace

bool ModuleSignatures::Open(abi::ICorProfilerInfo10& info, abi::ModuleID module) {
  abi::ComPtr<abi::IUnknown> unknown;
  const abi::HRESULT hr = info.GetModuleMetaData(module, abi::kOpenRead, abi::IMetaDataImport2::kIid, unknown.Out());
  if (hr != abi::kOk) return false;
  import_ = abi::ComPtr<abi::IMetaDataImport2>::From(unknown.Get());
  return static_cast<bool>(import_);
}

bool ModuleSignatures::SignatureOf(abi::mdToken token, Blob& signature) {
  abi::Signature bytes = nullptr;
  uint32_t size = 0;
  abi::HRESULT hr = abi::kFail;
  switch (token & kTableMask) {
    case abi::kTokenMethodDef:
      hr = import_->GetMethodProps(token, nullptr, nullptr, 0, nullptr, nullptr, &bytes, &size, nullptr, nullptr);
      break;
    case abi::kTokenMemberRef:
      hr = import_->GetMemberRefProps(token, nullptr, nullptr, 0, nullptr, &bytes, &size);
      break;
    case abi::kTokenSignature:
      hr = import_->GetSigFromToken(token, &bytes, &size);
      break;
    case abi::kTokenMethodSpec: {
      abi::mdToken parent = 0;
      hr = import_->GetMethodSpecProps(token, &parent, &bytes, &size);
      const bool plain = (parent & kTableMask) != abi::kTokenMethodSpec;
      return abi::Succeeded(hr) && plain && SignatureOf(parent, signature);
    }
    default:
      break;
  }
  if (abi::Failed(hr) || bytes == nullptr) return false;
  signature = {bytes, size};
  return true;
}

bool ModuleSignatures::HasBody(abi::mdMethodDef method) const {
  uint32_t attributes = 0, rva = 0, implementation = 0;
  const abi::HRESULT hr = import_->GetMethodProps(method, nullptr, nullptr, 0, nullptr, &attributes, nullptr, nullptr,
                                                  &rva, &implementation);
  constexpr uint32_t kNone = abi::kMethodAbstract | abi::kMethodPinvokeImpl;
  return abi::Succeeded(hr) && rva != 0 && (attributes & kNone) == 0 && (implementation & kImplCodeMask) == 0;
}

}  // namespace cairn::collector::il
