#pragma once
// What the runtime calls: ICorProfilerCallback to ICorProfilerCallback11, implemented by the profiler.
// The slot order is the binary contract with the runtime; tests/collector/abi pins every slot.

#include "collector/abi/com.h"
#include "collector/abi/ids.h"
#include "collector/abi/masks.h"

namespace cairn::collector::abi {

class ICorProfilerAssemblyReferenceProvider;
class ICorProfilerFunctionControl;

// Slots 3 to 71.
class ICorProfilerCallback : public IUnknown {
 public:
  static constexpr GUID kIid = {0x176FBED1, 0xA55C, 0x4796, {0x98, 0xCA, 0xA9, 0xDA, 0x0E, 0xF8, 0x83, 0xE7}};

  virtual HRESULT CAIRN_STDCALL Initialize(IUnknown* profiler_info) = 0;
  virtual HRESULT CAIRN_STDCALL Shutdown() = 0;
  virtual HRESULT CAIRN_STDCALL AppDomainCreationStarted(AppDomainID app_domain_id) = 0;
  virtual HRESULT CAIRN_STDCALL AppDomainCreationFinished(AppDomainID app_domain_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL AppDomainShutdownStarted(AppDomainID app_domain_id) = 0;
  virtual HRESULT CAIRN_STDCALL AppDomainShutdownFinished(AppDomainID app_domain_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL AssemblyLoadStarted(AssemblyID assembly_id) = 0;
  virtual HRESULT CAIRN_STDCALL AssemblyLoadFinished(AssemblyID assembly_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL AssemblyUnloadStarted(AssemblyID assembly_id) = 0;
  virtual HRESULT CAIRN_STDCALL AssemblyUnloadFinished(AssemblyID assembly_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL ModuleLoadStarted(ModuleID module_id) = 0;
  virtual HRESULT CAIRN_STDCALL ModuleLoadFinished(ModuleID module_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL ModuleUnloadStarted(ModuleID module_id) = 0;
  virtual HRESULT CAIRN_STDCALL ModuleUnloadFinished(ModuleID module_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL ModuleAttachedToAssembly(ModuleID module_id, AssemblyID assembly_id) = 0;
  virtual HRESULT CAIRN_STDCALL ClassLoadStarted(ClassID class_id) = 0;
  virtual HRESULT CAIRN_STDCALL ClassLoadFinished(ClassID class_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL ClassUnloadStarted(ClassID class_id) = 0;
  virtual HRESULT CAIRN_STDCALL ClassUnloadFinished(ClassID class_id, HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL FunctionUnloadStarted(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL JITCompilationStarted(FunctionID function_id, Bool is_safe_to_block) = 0;
  virtual HRESULT CAIRN_STDCALL JITCompilationFinished(FunctionID function_id, HRESULT status,
                                                       Bool is_safe_to_block) = 0;
  virtual HRESULT CAIRN_STDCALL JITCachedFunctionSearchStarted(FunctionID function_id, Bool* use_cached_function) = 0;
  virtual HRESULT CAIRN_STDCALL JITCachedFunctionSearchFinished(FunctionID function_id, JitCacheResult result) = 0;
  virtual HRESULT CAIRN_STDCALL JITFunctionPitched(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL JITInlining(FunctionID caller_id, FunctionID callee_id, Bool* should_inline) = 0;
  virtual HRESULT CAIRN_STDCALL ThreadCreated(ThreadID thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL ThreadDestroyed(ThreadID thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL ThreadAssignedToOSThread(ThreadID managed_thread_id, uint32_t os_thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL RemotingClientInvocationStarted() = 0;
  virtual HRESULT CAIRN_STDCALL RemotingClientSendingMessage(GUID* cookie, Bool is_async) = 0;
  virtual HRESULT CAIRN_STDCALL RemotingClientReceivingReply(GUID* cookie, Bool is_async) = 0;
  virtual HRESULT CAIRN_STDCALL RemotingClientInvocationFinished() = 0;
  virtual HRESULT CAIRN_STDCALL RemotingServerReceivingMessage(GUID* cookie, Bool is_async) = 0;
  virtual HRESULT CAIRN_STDCALL RemotingServerInvocationStarted() = 0;
  virtual HRESULT CAIRN_STDCALL RemotingServerInvocationReturned() = 0;
  virtual HRESULT CAIRN_STDCALL RemotingServerSendingReply(GUID* cookie, Bool is_async) = 0;
  virtual HRESULT CAIRN_STDCALL UnmanagedToManagedTransition(FunctionID function_id, TransitionReason reason) = 0;
  virtual HRESULT CAIRN_STDCALL ManagedToUnmanagedTransition(FunctionID function_id, TransitionReason reason) = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeSuspendStarted(SuspendReason suspend_reason) = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeSuspendFinished() = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeSuspendAborted() = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeResumeStarted() = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeResumeFinished() = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeThreadSuspended(ThreadID thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL RuntimeThreadResumed(ThreadID thread_id) = 0;
  virtual HRESULT CAIRN_STDCALL MovedReferences(uint32_t range_count, ObjectID* old_starts, ObjectID* new_starts,
                                                uint32_t* lengths) = 0;
  virtual HRESULT CAIRN_STDCALL ObjectAllocated(ObjectID object_id, ClassID class_id) = 0;
  virtual HRESULT CAIRN_STDCALL ObjectsAllocatedByClass(uint32_t class_count, ClassID* class_ids,
                                                        uint32_t* object_counts) = 0;
  virtual HRESULT CAIRN_STDCALL ObjectReferences(ObjectID object_id, ClassID class_id, uint32_t reference_count,
                                                 ObjectID* references) = 0;
  virtual HRESULT CAIRN_STDCALL RootReferences(uint32_t root_count, ObjectID* root_objects) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionThrown(ObjectID thrown_object_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionSearchFunctionEnter(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionSearchFunctionLeave() = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionSearchFilterEnter(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionSearchFilterLeave() = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionSearchCatcherFound(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionOSHandlerEnter(uintptr_t unused) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionOSHandlerLeave(uintptr_t unused) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionUnwindFunctionEnter(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionUnwindFunctionLeave() = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionUnwindFinallyEnter(FunctionID function_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionUnwindFinallyLeave() = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionCatcherEnter(FunctionID function_id, ObjectID object_id) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionCatcherLeave() = 0;
  virtual HRESULT CAIRN_STDCALL COMClassicVTableCreated(ClassID wrapped_class_id, const GUID& implemented_iid,
                                                        void* vtable, uint32_t slot_count) = 0;
  virtual HRESULT CAIRN_STDCALL COMClassicVTableDestroyed(ClassID wrapped_class_id, const GUID& implemented_iid,
                                                          void* vtable) = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionCLRCatcherFound() = 0;
  virtual HRESULT CAIRN_STDCALL ExceptionCLRCatcherExecute() = 0;

 protected:
  ~ICorProfilerCallback() = default;
};

// Slots 72 to 79.
class ICorProfilerCallback2 : public ICorProfilerCallback {
 public:
  static constexpr GUID kIid = {0x8A8CC829, 0xCCF2, 0x49FE, {0xBB, 0xAE, 0x0F, 0x02, 0x22, 0x28, 0x07, 0x1A}};

  virtual HRESULT CAIRN_STDCALL ThreadNameChanged(ThreadID thread_id, uint32_t name_capacity, WChar* name) = 0;
  virtual HRESULT CAIRN_STDCALL GarbageCollectionStarted(int32_t generation_count, Bool* collected,
                                                         GcReason reason) = 0;
  virtual HRESULT CAIRN_STDCALL SurvivingReferences(uint32_t range_count, ObjectID* starts, uint32_t* lengths) = 0;
  virtual HRESULT CAIRN_STDCALL GarbageCollectionFinished() = 0;
  virtual HRESULT CAIRN_STDCALL FinalizeableObjectQueued(uint32_t finalizer_flags, ObjectID object_id) = 0;
  virtual HRESULT CAIRN_STDCALL RootReferences2(uint32_t root_count, ObjectID* root_objects, GcRootKind* root_kinds,
                                                uint32_t* root_flags, uintptr_t* root_ids) = 0;
  virtual HRESULT CAIRN_STDCALL HandleCreated(GCHandleID handle_id, ObjectID initial_object_id) = 0;
  virtual HRESULT CAIRN_STDCALL HandleDestroyed(GCHandleID handle_id) = 0;

 protected:
  ~ICorProfilerCallback2() = default;
};

// Slots 80 to 82.
class ICorProfilerCallback3 : public ICorProfilerCallback2 {
 public:
  static constexpr GUID kIid = {0x4FD2ED52, 0x7731, 0x4B8D, {0x94, 0x69, 0x03, 0xD2, 0xCC, 0x30, 0x86, 0xC5}};

  virtual HRESULT CAIRN_STDCALL InitializeForAttach(IUnknown* profiler_info, void* client_data,
                                                    uint32_t client_data_size) = 0;
  virtual HRESULT CAIRN_STDCALL ProfilerAttachComplete() = 0;
  virtual HRESULT CAIRN_STDCALL ProfilerDetachSucceeded() = 0;

 protected:
  ~ICorProfilerCallback3() = default;
};

// Slots 83 to 88.
class ICorProfilerCallback4 : public ICorProfilerCallback3 {
 public:
  static constexpr GUID kIid = {0x7B63B2E3, 0x107D, 0x4D48, {0xB2, 0xF6, 0xF6, 0x1E, 0x22, 0x94, 0x70, 0xD2}};

  virtual HRESULT CAIRN_STDCALL ReJITCompilationStarted(FunctionID function_id, ReJITID rejit_id,
                                                        Bool is_safe_to_block) = 0;
  virtual HRESULT CAIRN_STDCALL GetReJITParameters(ModuleID module_id, mdMethodDef method_id,
                                                   ICorProfilerFunctionControl* function_control) = 0;
  virtual HRESULT CAIRN_STDCALL ReJITCompilationFinished(FunctionID function_id, ReJITID rejit_id, HRESULT status,
                                                         Bool is_safe_to_block) = 0;
  virtual HRESULT CAIRN_STDCALL ReJITError(ModuleID module_id, mdMethodDef method_id, FunctionID function_id,
                                           HRESULT status) = 0;
  virtual HRESULT CAIRN_STDCALL MovedReferences2(uint32_t range_count, ObjectID* old_starts, ObjectID* new_starts,
                                                 size_t* lengths) = 0;
  virtual HRESULT CAIRN_STDCALL SurvivingReferences2(uint32_t range_count, ObjectID* starts, size_t* lengths) = 0;

 protected:
  ~ICorProfilerCallback4() = default;
};

// Slots 89 to 89.
class ICorProfilerCallback5 : public ICorProfilerCallback4 {
 public:
  static constexpr GUID kIid = {0x8DFBA405, 0x8C9F, 0x45F8, {0xBF, 0xFA, 0x83, 0xB1, 0x4C, 0xEF, 0x78, 0xB5}};

  virtual HRESULT CAIRN_STDCALL ConditionalWeakTableElementReferences(uint32_t root_count, ObjectID* keys,
                                                                      ObjectID* values, GCHandleID* root_ids) = 0;

 protected:
  ~ICorProfilerCallback5() = default;
};

// Slots 90 to 90.
class ICorProfilerCallback6 : public ICorProfilerCallback5 {
 public:
  static constexpr GUID kIid = {0xFC13DF4B, 0x4448, 0x4F4F, {0x95, 0x0C, 0xBA, 0x8D, 0x19, 0xD0, 0x0C, 0x36}};

  virtual HRESULT CAIRN_STDCALL GetAssemblyReferences(const WChar* assembly_path,
                                                      ICorProfilerAssemblyReferenceProvider* provider) = 0;

 protected:
  ~ICorProfilerCallback6() = default;
};

// Slots 91 to 91.
class ICorProfilerCallback7 : public ICorProfilerCallback6 {
 public:
  static constexpr GUID kIid = {0xF76A2DBA, 0x1D52, 0x4539, {0x86, 0x6C, 0x2A, 0xA5, 0x18, 0xF9, 0xEF, 0xC3}};

  virtual HRESULT CAIRN_STDCALL ModuleInMemorySymbolsUpdated(ModuleID module_id) = 0;

 protected:
  ~ICorProfilerCallback7() = default;
};

// Slots 92 to 93.
class ICorProfilerCallback8 : public ICorProfilerCallback7 {
 public:
  static constexpr GUID kIid = {0x5BED9B15, 0xC079, 0x4D47, {0xBF, 0xE2, 0x21, 0x5A, 0x14, 0x0C, 0x07, 0xE0}};

  virtual HRESULT CAIRN_STDCALL DynamicMethodJITCompilationStarted(FunctionID function_id, Bool is_safe_to_block,
                                                                   const uint8_t* il_header,
                                                                   uint32_t il_header_size) = 0;
  virtual HRESULT CAIRN_STDCALL DynamicMethodJITCompilationFinished(FunctionID function_id, HRESULT status,
                                                                    Bool is_safe_to_block) = 0;

 protected:
  ~ICorProfilerCallback8() = default;
};

// Slots 94 to 94.
class ICorProfilerCallback9 : public ICorProfilerCallback8 {
 public:
  static constexpr GUID kIid = {0x27583EC3, 0xC8F5, 0x482F, {0x80, 0x52, 0x19, 0x4B, 0x8C, 0xE4, 0x70, 0x5A}};

  virtual HRESULT CAIRN_STDCALL DynamicMethodUnloaded(FunctionID function_id) = 0;

 protected:
  ~ICorProfilerCallback9() = default;
};

// Slots 95 to 96. Since .NET 5.
class ICorProfilerCallback10 : public ICorProfilerCallback9 {
 public:
  static constexpr GUID kIid = {0xCEC5B60E, 0xC69C, 0x495F, {0x87, 0xF6, 0x84, 0xD2, 0x8E, 0xE1, 0x6F, 0xFB}};

  virtual HRESULT CAIRN_STDCALL EventPipeEventDelivered(EventPipeProvider provider, uint32_t event_id,
                                                        uint32_t event_version, uint32_t metadata_size,
                                                        const uint8_t* metadata, uint32_t event_data_size,
                                                        const uint8_t* event_data, const GUID* activity_id,
                                                        const GUID* related_activity_id, ThreadID event_thread,
                                                        uint32_t frame_count, uintptr_t* stack_frames) = 0;
  virtual HRESULT CAIRN_STDCALL EventPipeProviderCreated(EventPipeProvider provider) = 0;

 protected:
  ~ICorProfilerCallback10() = default;
};

// Slots 97 to 97. Since .NET 6.
class ICorProfilerCallback11 : public ICorProfilerCallback10 {
 public:
  static constexpr GUID kIid = {0x42350846, 0xAAED, 0x47F7, {0xB1, 0x28, 0xFD, 0x0C, 0x98, 0x88, 0x1C, 0xDE}};

  virtual HRESULT CAIRN_STDCALL LoadAsNotificationOnly(Bool* notification_only) = 0;

 protected:
  ~ICorProfilerCallback11() = default;
};

}  // namespace cairn::collector::abi
