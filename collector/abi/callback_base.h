#pragma once
// A profiler that does nothing: derive from it and override the callbacks you want.
// Thread rule: AddRef and Release may come from any thread.
// Ownership: nothing deletes itself here; OnLastRelease says that the runtime let go.

#include <atomic>

#include "collector/abi/profiler_callback.h"

namespace cairn::collector::abi {

class CallbackBase : public ICorProfilerCallback11 {
 public:
  CallbackBase() = default;
  CallbackBase(const CallbackBase&) = delete;
  CallbackBase& operator=(const CallbackBase&) = delete;

  HRESULT CAIRN_STDCALL QueryInterface(const GUID& iid, void** object) override;
  uint32_t CAIRN_STDCALL AddRef() override;
  uint32_t CAIRN_STDCALL Release() override;

  HRESULT CAIRN_STDCALL Initialize(IUnknown*) override { return kOk; }
  HRESULT CAIRN_STDCALL Shutdown() override { return kOk; }
  HRESULT CAIRN_STDCALL AppDomainCreationStarted(AppDomainID) override { return kOk; }
  HRESULT CAIRN_STDCALL AppDomainCreationFinished(AppDomainID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL AppDomainShutdownStarted(AppDomainID) override { return kOk; }
  HRESULT CAIRN_STDCALL AppDomainShutdownFinished(AppDomainID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL AssemblyLoadStarted(AssemblyID) override { return kOk; }
  HRESULT CAIRN_STDCALL AssemblyLoadFinished(AssemblyID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL AssemblyUnloadStarted(AssemblyID) override { return kOk; }
  HRESULT CAIRN_STDCALL AssemblyUnloadFinished(AssemblyID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL ModuleLoadStarted(ModuleID) override { return kOk; }
  HRESULT CAIRN_STDCALL ModuleLoadFinished(ModuleID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL ModuleUnloadStarted(ModuleID) override { return kOk; }
  HRESULT CAIRN_STDCALL ModuleUnloadFinished(ModuleID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL ModuleAttachedToAssembly(ModuleID, AssemblyID) override { return kOk; }
  HRESULT CAIRN_STDCALL ClassLoadStarted(ClassID) override { return kOk; }
  HRESULT CAIRN_STDCALL ClassLoadFinished(ClassID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL ClassUnloadStarted(ClassID) override { return kOk; }
  HRESULT CAIRN_STDCALL ClassUnloadFinished(ClassID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL FunctionUnloadStarted(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL JITCompilationStarted(FunctionID, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL JITCompilationFinished(FunctionID, HRESULT, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL JITCachedFunctionSearchStarted(FunctionID, Bool* use_cached_function) override {
    return Answer(use_cached_function, 1);
  }
  HRESULT CAIRN_STDCALL JITCachedFunctionSearchFinished(FunctionID, JitCacheResult) override { return kOk; }
  HRESULT CAIRN_STDCALL JITFunctionPitched(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL JITInlining(FunctionID, FunctionID, Bool* should_inline) override {
    return Answer(should_inline, 1);
  }
  HRESULT CAIRN_STDCALL ThreadCreated(ThreadID) override { return kOk; }
  HRESULT CAIRN_STDCALL ThreadDestroyed(ThreadID) override { return kOk; }
  HRESULT CAIRN_STDCALL ThreadAssignedToOSThread(ThreadID, uint32_t) override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingClientInvocationStarted() override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingClientSendingMessage(GUID*, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingClientReceivingReply(GUID*, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingClientInvocationFinished() override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingServerReceivingMessage(GUID*, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingServerInvocationStarted() override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingServerInvocationReturned() override { return kOk; }
  HRESULT CAIRN_STDCALL RemotingServerSendingReply(GUID*, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL UnmanagedToManagedTransition(FunctionID, TransitionReason) override { return kOk; }
  HRESULT CAIRN_STDCALL ManagedToUnmanagedTransition(FunctionID, TransitionReason) override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeSuspendStarted(SuspendReason) override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeSuspendFinished() override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeSuspendAborted() override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeResumeStarted() override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeResumeFinished() override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeThreadSuspended(ThreadID) override { return kOk; }
  HRESULT CAIRN_STDCALL RuntimeThreadResumed(ThreadID) override { return kOk; }
  HRESULT CAIRN_STDCALL MovedReferences(uint32_t, ObjectID*, ObjectID*, uint32_t*) override { return kOk; }
  HRESULT CAIRN_STDCALL ObjectAllocated(ObjectID, ClassID) override { return kOk; }
  HRESULT CAIRN_STDCALL ObjectsAllocatedByClass(uint32_t, ClassID*, uint32_t*) override { return kOk; }
  HRESULT CAIRN_STDCALL ObjectReferences(ObjectID, ClassID, uint32_t, ObjectID*) override { return kOk; }
  HRESULT CAIRN_STDCALL RootReferences(uint32_t, ObjectID*) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionThrown(ObjectID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionSearchFunctionEnter(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionSearchFunctionLeave() override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionSearchFilterEnter(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionSearchFilterLeave() override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionSearchCatcherFound(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionOSHandlerEnter(uintptr_t) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionOSHandlerLeave(uintptr_t) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionUnwindFunctionEnter(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionUnwindFunctionLeave() override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionUnwindFinallyEnter(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionUnwindFinallyLeave() override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionCatcherEnter(FunctionID, ObjectID) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionCatcherLeave() override { return kOk; }
  HRESULT CAIRN_STDCALL COMClassicVTableCreated(ClassID, const GUID&, void*, uint32_t) override { return kOk; }
  HRESULT CAIRN_STDCALL COMClassicVTableDestroyed(ClassID, const GUID&, void*) override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionCLRCatcherFound() override { return kOk; }
  HRESULT CAIRN_STDCALL ExceptionCLRCatcherExecute() override { return kOk; }
  HRESULT CAIRN_STDCALL ThreadNameChanged(ThreadID, uint32_t, WChar*) override { return kOk; }
  HRESULT CAIRN_STDCALL GarbageCollectionStarted(int32_t, Bool*, GcReason) override { return kOk; }
  HRESULT CAIRN_STDCALL SurvivingReferences(uint32_t, ObjectID*, uint32_t*) override { return kOk; }
  HRESULT CAIRN_STDCALL GarbageCollectionFinished() override { return kOk; }
  HRESULT CAIRN_STDCALL FinalizeableObjectQueued(uint32_t, ObjectID) override { return kOk; }
  HRESULT CAIRN_STDCALL RootReferences2(uint32_t, ObjectID*, GcRootKind*, uint32_t*, uintptr_t*) override {
    return kOk;
  }
  HRESULT CAIRN_STDCALL HandleCreated(GCHandleID, ObjectID) override { return kOk; }
  HRESULT CAIRN_STDCALL HandleDestroyed(GCHandleID) override { return kOk; }
  HRESULT CAIRN_STDCALL InitializeForAttach(IUnknown*, void*, uint32_t) override { return kOk; }
  HRESULT CAIRN_STDCALL ProfilerAttachComplete() override { return kOk; }
  HRESULT CAIRN_STDCALL ProfilerDetachSucceeded() override { return kOk; }
  HRESULT CAIRN_STDCALL ReJITCompilationStarted(FunctionID, ReJITID, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL GetReJITParameters(ModuleID, mdMethodDef, ICorProfilerFunctionControl*) override { return kOk; }
  HRESULT CAIRN_STDCALL ReJITCompilationFinished(FunctionID, ReJITID, HRESULT, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL ReJITError(ModuleID, mdMethodDef, FunctionID, HRESULT) override { return kOk; }
  HRESULT CAIRN_STDCALL MovedReferences2(uint32_t, ObjectID*, ObjectID*, size_t*) override { return kOk; }
  HRESULT CAIRN_STDCALL SurvivingReferences2(uint32_t, ObjectID*, size_t*) override { return kOk; }
  HRESULT CAIRN_STDCALL ConditionalWeakTableElementReferences(uint32_t, ObjectID*, ObjectID*, GCHandleID*) override {
    return kOk;
  }
  HRESULT CAIRN_STDCALL GetAssemblyReferences(const WChar*, ICorProfilerAssemblyReferenceProvider*) override {
    return kOk;
  }
  HRESULT CAIRN_STDCALL ModuleInMemorySymbolsUpdated(ModuleID) override { return kOk; }
  HRESULT CAIRN_STDCALL DynamicMethodJITCompilationStarted(FunctionID, Bool, const uint8_t*, uint32_t) override {
    return kOk;
  }
  HRESULT CAIRN_STDCALL DynamicMethodJITCompilationFinished(FunctionID, HRESULT, Bool) override { return kOk; }
  HRESULT CAIRN_STDCALL DynamicMethodUnloaded(FunctionID) override { return kOk; }
  HRESULT CAIRN_STDCALL EventPipeEventDelivered(EventPipeProvider, uint32_t, uint32_t, uint32_t, const uint8_t*,
                                                uint32_t, const uint8_t*, const GUID*, const GUID*, ThreadID, uint32_t,
                                                uintptr_t*) override {
    return kOk;
  }
  HRESULT CAIRN_STDCALL EventPipeProviderCreated(EventPipeProvider) override { return kOk; }
  HRESULT CAIRN_STDCALL LoadAsNotificationOnly(Bool* notification_only) override {
    return Answer(notification_only, 0);
  }

 protected:
  ~CallbackBase() = default;
  // Declared after every callback, so it takes the first slot behind the interface's.
  virtual void OnLastRelease() {}

 private:
  static HRESULT Answer(Bool* where, Bool answer) {
    if (where != nullptr) *where = answer;
    return kOk;
  }

  std::atomic<uint32_t> references_{0};
};

}  // namespace cairn::collector::abi
