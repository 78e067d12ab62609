#pragma once
// What the profiler may ask of the runtime: ICorProfilerInfo to ICorProfilerInfo15.
// The slot order is the binary contract with the runtime; tests/collector/abi pins every slot.
//
// The comment above a group of methods is the check that the runtime makes at entry:
//   synchronous        only in a callback of the same thread, or on a thread unknown to the runtime
//   any thread         at any time
//   may trigger a GC   besides, never inside a callback of a collection
//   start-up only      refused to a profiler that attached

#include "collector/abi/com.h"
#include "collector/abi/enumerators.h"
#include "collector/abi/ids.h"
#include "collector/abi/masks.h"
#include "collector/abi/structs.h"

namespace cairn::collector::abi {

// Slots 3 to 35.
class ICorProfilerInfo : public IUnknown {
 public:
  static constexpr GUID kIid = {0x28B5557D, 0x3F3F, 0x48B4, {0x90, 0xB2, 0x5F, 0x9E, 0xEA, 0x2F, 0x6C, 0x48}};

  // synchronous
  virtual HRESULT CAIRN_STDCALL GetClassFromObject(ObjectID object_id, ClassID* class_id) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetClassFromToken(ModuleID module_id, mdTypeDef type_def, ClassID* class_id) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetCodeInfo(FunctionID function_id, const uint8_t** start, uint32_t* size) = 0;
  virtual HRESULT CAIRN_STDCALL GetEventMask(uint32_t* mask) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionFromIP(const uint8_t* ip, FunctionID* function_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetFunctionFromToken(ModuleID module_id, mdToken token, FunctionID* function_id) = 0;
  virtual HRESULT CAIRN_STDCALL GetHandleFromThread(ThreadID thread_id, void** thread) = 0;
  virtual HRESULT CAIRN_STDCALL GetObjectSize(ObjectID object_id, uint32_t* size) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL IsArrayClass(ClassID class_id, ElementType* base_elem_type, ClassID* base_class_id,
                                             uint32_t* rank) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetThreadInfo(ThreadID thread_id, uint32_t* os_thread_id) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetCurrentThreadID(ThreadID* thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL GetClassIDInfo(ClassID class_id, ModuleID* module_id, mdTypeDef* type_def_token) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionInfo(FunctionID function_id, ClassID* class_id, ModuleID* module_id,
                                                mdToken* token) = 0;
  virtual HRESULT CAIRN_STDCALL SetEventMask(uint32_t mask) = 0;
  // only in Initialize
  virtual HRESULT CAIRN_STDCALL SetEnterLeaveFunctionHooks(FunctionEnter* func_enter, FunctionLeave* func_leave,
                                                           FunctionTailcall* func_tailcall) = 0;
  // any thread, start-up only
  virtual HRESULT CAIRN_STDCALL SetFunctionIDMapper(FunctionIDMapper* func) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetTokenAndMetaDataFromFunction(FunctionID function_id, const GUID& iid,
                                                                IUnknown** import, mdToken* token) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetModuleInfo(ModuleID module_id, const uint8_t** base_load_address,
                                              uint32_t name_capacity, uint32_t* name_length, WChar* name,
                                              AssemblyID* assembly_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetModuleMetaData(ModuleID module_id, uint32_t open_flags, const GUID& iid,
                                                  IUnknown** result) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetILFunctionBody(ModuleID module_id, mdMethodDef method_id,
                                                  const uint8_t** method_header, uint32_t* method_size) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetILFunctionBodyAllocator(ModuleID module_id, IMethodMalloc** malloc) = 0;
  virtual HRESULT CAIRN_STDCALL SetILFunctionBody(ModuleID module_id, mdMethodDef method,
                                                  const uint8_t* method_header) = 0;
  virtual HRESULT CAIRN_STDCALL GetAppDomainInfo(AppDomainID app_domain_id, uint32_t name_capacity,
                                                 uint32_t* name_length, WChar* name, ProcessID* process_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetAssemblyInfo(AssemblyID assembly_id, uint32_t name_capacity, uint32_t* name_length,
                                                WChar* name, AppDomainID* app_domain_id, ModuleID* module_id) = 0;
  // not implemented by the runtime
  virtual HRESULT CAIRN_STDCALL SetFunctionReJIT(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ForceGC() = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL SetILInstrumentedCodeMap(FunctionID function_id, Bool start_jit, uint32_t entry_count,
                                                         IlMap* entries) = 0;
  // not implemented by the runtime
  virtual HRESULT CAIRN_STDCALL GetInprocInspectionInterface(IUnknown** result) = 0;
  virtual HRESULT CAIRN_STDCALL GetInprocInspectionIThisThread(IUnknown** result) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetThreadContext(ThreadID thread_id, ContextID* context_id) = 0;
  // not implemented by the runtime
  virtual HRESULT CAIRN_STDCALL BeginInprocDebugging(Bool this_thread_only, uint32_t* profiler_context) = 0;
  virtual HRESULT CAIRN_STDCALL EndInprocDebugging(uint32_t profiler_context) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetILToNativeMapping(FunctionID function_id, uint32_t map_capacity, uint32_t* map_count,
                                                     IlToNativeMap* map) = 0;

 protected:
  ~ICorProfilerInfo() = default;
};

// Slots 36 to 56.
class ICorProfilerInfo2 : public ICorProfilerInfo {
 public:
  static constexpr GUID kIid = {0xCC0935CD, 0xA518, 0x487D, {0xB0, 0xBB, 0xA9, 0x32, 0x14, 0xE6, 0x54, 0x78}};

  // any thread
  virtual HRESULT CAIRN_STDCALL DoStackSnapshot(ThreadID thread, StackSnapshotCallback* callback, uint32_t info_flags,
                                                void* client_data, uint8_t* context, uint32_t context_size) = 0;
  // only in Initialize
  virtual HRESULT CAIRN_STDCALL SetEnterLeaveFunctionHooks2(FunctionEnter2* func_enter, FunctionLeave2* func_leave,
                                                            FunctionTailcall2* func_tailcall) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetFunctionInfo2(FunctionID func_id, FrameInfo frame_info, ClassID* class_id,
                                                 ModuleID* module_id, mdToken* token, uint32_t type_arg_capacity,
                                                 uint32_t* type_arg_count, ClassID* type_args) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetStringLayout(uint32_t* buffer_length_offset, uint32_t* string_length_offset,
                                                uint32_t* buffer_offset) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetClassLayout(ClassID class_id, FieldOffset* fields, uint32_t field_capacity,
                                               uint32_t* field_count, uint32_t* class_size) = 0;
  virtual HRESULT CAIRN_STDCALL GetClassIDInfo2(ClassID class_id, ModuleID* module_id, mdTypeDef* type_def_token,
                                                ClassID* parent_class_id, uint32_t type_arg_capacity,
                                                uint32_t* type_arg_count, ClassID* type_args) = 0;
  virtual HRESULT CAIRN_STDCALL GetCodeInfo2(FunctionID function_id, uint32_t code_info_capacity,
                                             uint32_t* code_info_count, CodeInfo* code_infos) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetClassFromTokenAndTypeArgs(ModuleID module_id, mdTypeDef type_def,
                                                             uint32_t type_arg_capacity, ClassID* type_args,
                                                             ClassID* class_id) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionFromTokenAndTypeArgs(ModuleID module_id, mdMethodDef func_def,
                                                                ClassID class_id, uint32_t type_arg_capacity,
                                                                ClassID* type_args, FunctionID* function_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL EnumModuleFrozenObjects(ModuleID module_id, ICorProfilerObjectEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetArrayObjectInfo(ObjectID object_id, uint32_t dimension_count,
                                                   uint32_t* dimension_sizes, int32_t* lower_bounds,
                                                   uint8_t** data) = 0;
  virtual HRESULT CAIRN_STDCALL GetBoxClassLayout(ClassID class_id, uint32_t* buffer_offset) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetThreadAppDomain(ThreadID thread_id, AppDomainID* app_domain_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetRVAStaticAddress(ClassID class_id, mdFieldDef field_token, void** address) = 0;
  virtual HRESULT CAIRN_STDCALL GetAppDomainStaticAddress(ClassID class_id, mdFieldDef field_token,
                                                          AppDomainID app_domain_id, void** address) = 0;
  virtual HRESULT CAIRN_STDCALL GetThreadStaticAddress(ClassID class_id, mdFieldDef field_token, ThreadID thread_id,
                                                       void** address) = 0;
  virtual HRESULT CAIRN_STDCALL GetContextStaticAddress(ClassID class_id, mdFieldDef field_token, ContextID context_id,
                                                        void** address) = 0;
  virtual HRESULT CAIRN_STDCALL GetStaticFieldInfo(ClassID class_id, mdFieldDef field_token, uint32_t* field_info) = 0;
  virtual HRESULT CAIRN_STDCALL GetGenerationBounds(uint32_t range_capacity, uint32_t* range_count,
                                                    GcGenerationRange* ranges) = 0;
  virtual HRESULT CAIRN_STDCALL GetObjectGeneration(ObjectID object_id, GcGenerationRange* range) = 0;
  // synchronous, start-up only
  virtual HRESULT CAIRN_STDCALL GetNotifiedExceptionClauseInfo(ExceptionClauseInfo* info) = 0;

 protected:
  ~ICorProfilerInfo2() = default;
};

// Slots 57 to 70.
class ICorProfilerInfo3 : public ICorProfilerInfo2 {
 public:
  static constexpr GUID kIid = {0xB555ED4F, 0x452A, 0x4E54, {0x8B, 0x39, 0xB5, 0x36, 0x0B, 0xAD, 0x32, 0xA0}};

  // synchronous
  virtual HRESULT CAIRN_STDCALL EnumJITedFunctions(ICorProfilerFunctionEnum** enumerator) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL RequestProfilerDetach(uint32_t expected_ms) = 0;
  // any thread, start-up only
  virtual HRESULT CAIRN_STDCALL SetFunctionIDMapper2(FunctionIDMapper2* func, void* client_data) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetStringLayout2(uint32_t* string_length_offset, uint32_t* buffer_offset) = 0;
  // only in Initialize
  virtual HRESULT CAIRN_STDCALL SetEnterLeaveFunctionHooks3(FunctionEnter3* func_enter3, FunctionLeave3* func_leave3,
                                                            FunctionTailcall3* func_tailcall3) = 0;
  virtual HRESULT CAIRN_STDCALL SetEnterLeaveFunctionHooks3WithInfo(
      FunctionEnter3WithInfo* func_enter3_with_info, FunctionLeave3WithInfo* func_leave3_with_info,
      FunctionTailcall3WithInfo* func_tailcall3_with_info) = 0;
  // synchronous, start-up only
  virtual HRESULT CAIRN_STDCALL GetFunctionEnter3Info(FunctionID function_id, HookInfo elt_info, FrameInfo* frame_info,
                                                      uint32_t* argument_info_size, ArgumentInfo* argument_info) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionLeave3Info(FunctionID function_id, HookInfo elt_info, FrameInfo* frame_info,
                                                      ArgumentRange* retval_range) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionTailcall3Info(FunctionID function_id, HookInfo elt_info,
                                                         FrameInfo* frame_info) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL EnumModules(ICorProfilerModuleEnum** enumerator) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetRuntimeInformation(uint16_t* clr_instance_id, RuntimeType* runtime_type,
                                                      uint16_t* major_version, uint16_t* minor_version,
                                                      uint16_t* build_number, uint16_t* qfe, uint32_t version_capacity,
                                                      uint32_t* version_length, WChar* version) = 0;
  virtual HRESULT CAIRN_STDCALL GetThreadStaticAddress2(ClassID class_id, mdFieldDef field_token,
                                                        AppDomainID app_domain_id, ThreadID thread_id,
                                                        void** address) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetAppDomainsContainingModule(ModuleID module_id, uint32_t app_domain_capacity,
                                                              uint32_t* app_domain_count,
                                                              AppDomainID* app_domain_ids) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetModuleInfo2(ModuleID module_id, const uint8_t** base_load_address,
                                               uint32_t name_capacity, uint32_t* name_length, WChar* name,
                                               AssemblyID* assembly_id, uint32_t* module_flags) = 0;

 protected:
  ~ICorProfilerInfo3() = default;
};

// Slots 71 to 80.
class ICorProfilerInfo4 : public ICorProfilerInfo3 {
 public:
  static constexpr GUID kIid = {0x0D8FDCAA, 0x6257, 0x47BF, {0xB1, 0xBF, 0x94, 0xDA, 0xC8, 0x84, 0x66, 0xEE}};

  // synchronous
  virtual HRESULT CAIRN_STDCALL EnumThreads(ICorProfilerThreadEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL InitializeCurrentThread() = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL RequestReJIT(uint32_t function_count, ModuleID* module_ids,
                                             mdMethodDef* method_ids) = 0;
  virtual HRESULT CAIRN_STDCALL RequestRevert(uint32_t function_count, ModuleID* module_ids, mdMethodDef* method_ids,
                                              HRESULT* status) = 0;
  virtual HRESULT CAIRN_STDCALL GetCodeInfo3(FunctionID function_id, ReJITID rejit_id, uint32_t code_info_capacity,
                                             uint32_t* code_info_count, CodeInfo* code_infos) = 0;
  virtual HRESULT CAIRN_STDCALL GetFunctionFromIP2(const uint8_t* ip, FunctionID* function_id, ReJITID* rejit_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetReJITIDs(FunctionID function_id, uint32_t rejit_capacity, uint32_t* rejit_count,
                                            ReJITID* rejit_ids) = 0;
  virtual HRESULT CAIRN_STDCALL GetILToNativeMapping2(FunctionID function_id, ReJITID rejit_id, uint32_t map_capacity,
                                                      uint32_t* map_count, IlToNativeMap* map) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL EnumJITedFunctions2(ICorProfilerFunctionEnum** enumerator) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetObjectSize2(ObjectID object_id, size_t* size) = 0;

 protected:
  ~ICorProfilerInfo4() = default;
};

// Slots 81 to 82.
class ICorProfilerInfo5 : public ICorProfilerInfo4 {
 public:
  static constexpr GUID kIid = {0x07602928, 0xCE38, 0x4B83, {0x81, 0xE7, 0x74, 0xAD, 0xAF, 0x78, 0x12, 0x14}};

  // any thread
  virtual HRESULT CAIRN_STDCALL GetEventMask2(uint32_t* low, uint32_t* high) = 0;
  virtual HRESULT CAIRN_STDCALL SetEventMask2(uint32_t low, uint32_t high) = 0;

 protected:
  ~ICorProfilerInfo5() = default;
};

// Slots 83 to 83.
class ICorProfilerInfo6 : public ICorProfilerInfo5 {
 public:
  static constexpr GUID kIid = {0xF30A070D, 0xBFFB, 0x46A7, {0xB1, 0xD8, 0x87, 0x81, 0xEF, 0x7B, 0x69, 0x8A}};

  // synchronous, may trigger a GC, start-up only
  virtual HRESULT CAIRN_STDCALL EnumNgenModuleMethodsInliningThisMethod(ModuleID inliners_module_id,
                                                                        ModuleID inlinee_module_id,
                                                                        mdMethodDef inlinee_method_id,
                                                                        Bool* incomplete_data,
                                                                        ICorProfilerMethodEnum** enumerator) = 0;

 protected:
  ~ICorProfilerInfo6() = default;
};

// Slots 84 to 86.
class ICorProfilerInfo7 : public ICorProfilerInfo6 {
 public:
  static constexpr GUID kIid = {0x9AEECC0D, 0x63E0, 0x4187, {0x8C, 0x00, 0xE3, 0x12, 0xF5, 0x03, 0xF6, 0x63}};

  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL ApplyMetaData(ModuleID module_id) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetInMemorySymbolsLength(ModuleID module_id, uint32_t* count_symbol_bytes) = 0;
  virtual HRESULT CAIRN_STDCALL ReadInMemorySymbols(ModuleID module_id, uint32_t symbols_read_offset,
                                                    uint8_t* symbol_bytes, uint32_t count_symbol_bytes,
                                                    uint32_t* count_symbol_bytes_read) = 0;

 protected:
  ~ICorProfilerInfo7() = default;
};

// Slots 87 to 89.
class ICorProfilerInfo8 : public ICorProfilerInfo7 {
 public:
  static constexpr GUID kIid = {0xC5AC80A6, 0x782E, 0x4716, {0x80, 0x44, 0x39, 0x59, 0x8C, 0x60, 0xCF, 0xBF}};

  // any thread
  virtual HRESULT CAIRN_STDCALL IsFunctionDynamic(FunctionID function_id, Bool* is_dynamic) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetFunctionFromIP3(const uint8_t* ip, FunctionID* function_id, ReJITID* rejit_id) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL GetDynamicFunctionInfo(FunctionID function_id, ModuleID* module_id,
                                                       Signature* signature, uint32_t* signature_size,
                                                       uint32_t name_capacity, uint32_t* name_length, WChar* name) = 0;

 protected:
  ~ICorProfilerInfo8() = default;
};

// Slots 90 to 92.
class ICorProfilerInfo9 : public ICorProfilerInfo8 {
 public:
  static constexpr GUID kIid = {0x008170DB, 0xF8CC, 0x4796, {0x9A, 0x51, 0xDC, 0x8A, 0xA0, 0xB4, 0x70, 0x12}};

  // any thread
  virtual HRESULT CAIRN_STDCALL GetNativeCodeStartAddresses(FunctionID function_id, ReJITID rejit_id,
                                                            uint32_t address_capacity, uint32_t* address_count,
                                                            uintptr_t* addresses) = 0;
  // synchronous
  virtual HRESULT CAIRN_STDCALL GetILToNativeMapping3(uintptr_t native_code_start_address, uint32_t map_capacity,
                                                      uint32_t* map_count, IlToNativeMap* map) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL GetCodeInfo4(uintptr_t native_code_start_address, uint32_t code_info_capacity,
                                             uint32_t* code_info_count, CodeInfo* code_infos) = 0;

 protected:
  ~ICorProfilerInfo9() = default;
};

// Slots 93 to 98.
class ICorProfilerInfo10 : public ICorProfilerInfo9 {
 public:
  static constexpr GUID kIid = {0x2F1B5152, 0xC869, 0x40C9, {0xAA, 0x5F, 0x3A, 0xBE, 0x02, 0x6B, 0xD7, 0x20}};

  // synchronous
  virtual HRESULT CAIRN_STDCALL EnumerateObjectReferences(ObjectID object_id, ObjectReferenceCallback callback,
                                                          void* client_data) = 0;
  virtual HRESULT CAIRN_STDCALL IsFrozenObject(ObjectID object_id, Bool* frozen) = 0;
  virtual HRESULT CAIRN_STDCALL GetLOHObjectSizeThreshold(uint32_t* threshold) = 0;
  // synchronous, may trigger a GC
  virtual HRESULT CAIRN_STDCALL RequestReJITWithInliners(uint32_t rejit_flags, uint32_t function_count,
                                                         ModuleID* module_ids, mdMethodDef* method_ids) = 0;
  virtual HRESULT CAIRN_STDCALL SuspendRuntime() = 0;
  virtual HRESULT CAIRN_STDCALL ResumeRuntime() = 0;

 protected:
  ~ICorProfilerInfo10() = default;
};

// Slots 99 to 100.
class ICorProfilerInfo11 : public ICorProfilerInfo10 {
 public:
  static constexpr GUID kIid = {0x06398876, 0x8987, 0x4154, {0xB6, 0x21, 0x40, 0xA0, 0x0D, 0x6E, 0x4D, 0x04}};

  // any thread
  virtual HRESULT CAIRN_STDCALL GetEnvironmentVariable(const WChar* name, uint32_t value_capacity,
                                                       uint32_t* constant_length, WChar* value) = 0;
  virtual HRESULT CAIRN_STDCALL SetEnvironmentVariable(const WChar* name, const WChar* value) = 0;

 protected:
  ~ICorProfilerInfo11() = default;
};

// Slots 101 to 107. Since .NET 5.
class ICorProfilerInfo12 : public ICorProfilerInfo11 {
 public:
  static constexpr GUID kIid = {0x27B24CCD, 0x1CB1, 0x47C5, {0x96, 0xEE, 0x98, 0x19, 0x0D, 0xC3, 0x09, 0x59}};

  // any thread, may trigger a GC
  virtual HRESULT CAIRN_STDCALL EventPipeStartSession(uint32_t config_count, EventPipeProviderConfig* configs,
                                                      Bool request_rundown, EventPipeSession* session) = 0;
  virtual HRESULT CAIRN_STDCALL EventPipeAddProviderToSession(EventPipeSession session,
                                                              EventPipeProviderConfig provider_config) = 0;
  virtual HRESULT CAIRN_STDCALL EventPipeStopSession(EventPipeSession session) = 0;
  virtual HRESULT CAIRN_STDCALL EventPipeCreateProvider(const WChar* provider_name, EventPipeProvider* provider) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL EventPipeGetProviderInfo(EventPipeProvider provider, uint32_t name_capacity,
                                                         uint32_t* name_length, WChar* provider_name) = 0;
  // any thread, may trigger a GC
  virtual HRESULT CAIRN_STDCALL EventPipeDefineEvent(EventPipeProvider provider, const WChar* event_name,
                                                     uint32_t event_id, uint64_t keywords, uint32_t event_version,
                                                     uint32_t level, uint8_t opcode, Bool need_stack,
                                                     uint32_t parameter_count, EventPipeParameter* parameters,
                                                     EventPipeEvent* event) = 0;
  // any thread
  virtual HRESULT CAIRN_STDCALL EventPipeWriteEvent(EventPipeEvent event_id, uint32_t data_count, EventData* data,
                                                    const GUID* activity_id, const GUID* related_activity_id) = 0;

 protected:
  ~ICorProfilerInfo12() = default;
};

// Slots 108 to 110. Since .NET 7.
class ICorProfilerInfo13 : public ICorProfilerInfo12 {
 public:
  static constexpr GUID kIid = {0x6E6C7EE2, 0x0701, 0x4EC2, {0x9D, 0x29, 0x2E, 0x87, 0x33, 0xB6, 0x69, 0x34}};

  virtual HRESULT CAIRN_STDCALL CreateHandle(ObjectID object, HandleType type, ObjectHandleID* handle) = 0;
  virtual HRESULT CAIRN_STDCALL DestroyHandle(ObjectHandleID handle) = 0;
  virtual HRESULT CAIRN_STDCALL GetObjectIDFromHandle(ObjectHandleID handle, ObjectID* object) = 0;

 protected:
  ~ICorProfilerInfo13() = default;
};

// Slots 111 to 113. Since .NET 8.
class ICorProfilerInfo14 : public ICorProfilerInfo13 {
 public:
  static constexpr GUID kIid = {0xF460E352, 0xD76D, 0x4FE9, {0x83, 0x5F, 0xF6, 0xAF, 0x9D, 0x6E, 0x86, 0x2D}};

  virtual HRESULT CAIRN_STDCALL EnumerateNonGCObjects(ICorProfilerObjectEnum** enumerator) = 0;
  virtual HRESULT CAIRN_STDCALL GetNonGCHeapBounds(uint32_t range_capacity, uint32_t* range_count,
                                                   NonGcHeapRange* ranges) = 0;
  virtual HRESULT CAIRN_STDCALL EventPipeCreateProvider2(const WChar* provider_name,
                                                         EventPipeProviderCallback* callback,
                                                         EventPipeProvider* provider) = 0;

 protected:
  ~ICorProfilerInfo14() = default;
};

// Slots 114 to 114. Since .NET 9.
class ICorProfilerInfo15 : public ICorProfilerInfo14 {
 public:
  static constexpr GUID kIid = {0xB446462D, 0xBD22, 0x41DD, {0x87, 0x2D, 0xDC, 0x71, 0x4C, 0x49, 0xEB, 0x56}};

  virtual HRESULT CAIRN_STDCALL EnumerateGCHeapObjects(ObjectCallback callback, void* callback_state) = 0;

 protected:
  ~ICorProfilerInfo15() = default;
};

}  // namespace cairn::collector::abi
