#pragma once
// The helper interfaces of the profiling API: enumerators, the two that callbacks receive, and the
// allocator of IL bodies.

#include "collector/abi/com.h"
#include "collector/abi/ids.h"
#include "collector/abi/structs.h"

namespace cairn::collector::abi {

// Slots 3 to 7.
class ICorProfilerObjectEnum : public IUnknown {
 public:
  static constexpr GUID kIid = {0x2C6269BD, 0x2D13, 0x4321, {0xAE, 0x12, 0x66, 0x86, 0x36, 0x5F, 0xD6, 0xAF}};

  virtual HRESULT CAIRN_STDCALL Skip(uint32_t count) = 0;
  virtual HRESULT CAIRN_STDCALL Reset() = 0;
  virtual HRESULT CAIRN_STDCALL Clone(ICorProfilerObjectEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetCount(uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL Next(uint32_t count, ObjectID* objects, uint32_t* fetched) = 0;

 protected:
  ~ICorProfilerObjectEnum() = default;
};

// Slots 3 to 7.
class ICorProfilerFunctionEnum : public IUnknown {
 public:
  static constexpr GUID kIid = {0xFF71301A, 0xB994, 0x429D, {0xA1, 0x0B, 0xB3, 0x45, 0xA6, 0x52, 0x80, 0xEF}};

  virtual HRESULT CAIRN_STDCALL Skip(uint32_t count) = 0;
  virtual HRESULT CAIRN_STDCALL Reset() = 0;
  virtual HRESULT CAIRN_STDCALL Clone(ICorProfilerFunctionEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetCount(uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL Next(uint32_t count, JittedFunction* ids, uint32_t* fetched) = 0;

 protected:
  ~ICorProfilerFunctionEnum() = default;
};

// Slots 3 to 7.
class ICorProfilerModuleEnum : public IUnknown {
 public:
  static constexpr GUID kIid = {0xB0266D75, 0x2081, 0x4493, {0xAF, 0x7F, 0x02, 0x8B, 0xA3, 0x4D, 0xB8, 0x91}};

  virtual HRESULT CAIRN_STDCALL Skip(uint32_t count) = 0;
  virtual HRESULT CAIRN_STDCALL Reset() = 0;
  virtual HRESULT CAIRN_STDCALL Clone(ICorProfilerModuleEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetCount(uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL Next(uint32_t count, ModuleID* ids, uint32_t* fetched) = 0;

 protected:
  ~ICorProfilerModuleEnum() = default;
};

// Slots 3 to 7.
class ICorProfilerThreadEnum : public IUnknown {
 public:
  static constexpr GUID kIid = {0x571194F7, 0x25ED, 0x419F, {0xAA, 0x8B, 0x70, 0x16, 0xB3, 0x15, 0x97, 0x01}};

  virtual HRESULT CAIRN_STDCALL Skip(uint32_t count) = 0;
  virtual HRESULT CAIRN_STDCALL Reset() = 0;
  virtual HRESULT CAIRN_STDCALL Clone(ICorProfilerThreadEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetCount(uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL Next(uint32_t count, ThreadID* ids, uint32_t* fetched) = 0;

 protected:
  ~ICorProfilerThreadEnum() = default;
};

// Slots 3 to 7.
class ICorProfilerMethodEnum : public IUnknown {
 public:
  static constexpr GUID kIid = {0xFCCEE788, 0x0088, 0x454B, {0xA8, 0x11, 0xC9, 0x9F, 0x29, 0x8D, 0x19, 0x42}};

  virtual HRESULT CAIRN_STDCALL Skip(uint32_t count) = 0;
  virtual HRESULT CAIRN_STDCALL Reset() = 0;
  virtual HRESULT CAIRN_STDCALL Clone(ICorProfilerMethodEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetCount(uint32_t* count) = 0;
  virtual HRESULT CAIRN_STDCALL Next(uint32_t count, ModuleMethod* elements, uint32_t* fetched) = 0;

 protected:
  ~ICorProfilerMethodEnum() = default;
};

// Slots 3 to 3.
class ICorProfilerAssemblyReferenceProvider : public IUnknown {
 public:
  static constexpr GUID kIid = {0x66A78C24, 0x2EEF, 0x4F65, {0xB4, 0x5F, 0xDD, 0x1D, 0x80, 0x38, 0xBF, 0x3C}};

  virtual HRESULT CAIRN_STDCALL AddAssemblyReference(const AssemblyReferenceInfo* assembly_ref_info) = 0;

 protected:
  ~ICorProfilerAssemblyReferenceProvider() = default;
};

// Slots 3 to 5.
class ICorProfilerFunctionControl : public IUnknown {
 public:
  static constexpr GUID kIid = {0xF0963021, 0xE1EA, 0x4732, {0x85, 0x81, 0xE0, 0x1B, 0x0B, 0xD3, 0xC0, 0xC6}};

  virtual HRESULT CAIRN_STDCALL SetCodegenFlags(uint32_t flags) = 0;
  virtual HRESULT CAIRN_STDCALL SetILFunctionBody(uint32_t method_header_size, const uint8_t* method_header) = 0;
  virtual HRESULT CAIRN_STDCALL SetILInstrumentedCodeMap(uint32_t entry_count, IlMap* entries) = 0;

 protected:
  ~ICorProfilerFunctionControl() = default;
};

// Slots 3 to 3.
class IMethodMalloc : public IUnknown {
 public:
  static constexpr GUID kIid = {0xA0EFB28B, 0x6EE2, 0x4D7B, {0xB9, 0x83, 0xA7, 0x5E, 0xF7, 0xBE, 0xED, 0xB8}};

  virtual void* CAIRN_STDCALL Alloc(uint32_t size) = 0;

 protected:
  ~IMethodMalloc() = default;
};

}  // namespace cairn::collector::abi
