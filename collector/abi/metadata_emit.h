#pragma once
// Adding to the metadata of a module: IMetaDataEmit, as far as it is called. The slots between are there for their
// place only and have no signature of their own; calling one is a mistake.

#include "collector/abi/com.h"
#include "collector/abi/ids.h"

namespace cairn::collector::abi {

// Slots 3 to 51, of which 12, 14 and 23 may be called.
class IMetaDataEmit : public IUnknown {
 public:
  static constexpr GUID kIid = {0xBA3FEE4C, 0xECB9, 0x4E41, {0x83, 0xB7, 0x18, 0x3F, 0xA4, 0x1C, 0xD8, 0x59}};

  virtual void CAIRN_STDCALL Slot3() = 0;
  virtual void CAIRN_STDCALL Slot4() = 0;
  virtual void CAIRN_STDCALL Slot5() = 0;
  virtual void CAIRN_STDCALL Slot6() = 0;
  virtual void CAIRN_STDCALL Slot7() = 0;
  virtual void CAIRN_STDCALL Slot8() = 0;
  virtual void CAIRN_STDCALL Slot9() = 0;
  virtual void CAIRN_STDCALL Slot10() = 0;
  virtual void CAIRN_STDCALL Slot11() = 0;
  virtual HRESULT CAIRN_STDCALL DefineTypeRefByName(mdToken resolution_scope, const WChar* name,
                                                    mdTypeRef* type_ref) = 0;
  virtual void CAIRN_STDCALL Slot13() = 0;
  virtual HRESULT CAIRN_STDCALL DefineMemberRef(mdToken parent, const WChar* name, Signature signature,
                                                uint32_t signature_size, mdMemberRef* member_ref) = 0;
  virtual void CAIRN_STDCALL Slot15() = 0;
  virtual void CAIRN_STDCALL Slot16() = 0;
  virtual void CAIRN_STDCALL Slot17() = 0;
  virtual void CAIRN_STDCALL Slot18() = 0;
  virtual void CAIRN_STDCALL Slot19() = 0;
  virtual void CAIRN_STDCALL Slot20() = 0;
  virtual void CAIRN_STDCALL Slot21() = 0;
  virtual void CAIRN_STDCALL Slot22() = 0;
  virtual HRESULT CAIRN_STDCALL GetTokenFromSig(Signature signature, uint32_t signature_size, mdSignature* token) = 0;

 protected:
  ~IMetaDataEmit() = default;
};

}  // namespace cairn::collector::abi
