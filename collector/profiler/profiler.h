#pragma once
// What the runtime sees: one line per callback into the capture under way or the resident collector.
// Ownership: one object for each time that a runtime loads the library, taken again once it let go of the one before,
// and never destroyed, since threads of ours outlive the detach. Those of one runtime share one state: there is one
// capture of it at a time, and never is the library in both places. Thread rule: any thread.

#include <atomic>

#include "collector/abi/callback_base.h"
#include "collector/profiler/runtime_state.h"

namespace cairn::collector {

// The runtime has one main profiler, and room for others that only listen ("notification only"): they can never
// set MONITOR_GC.
enum class ProfilerPlace : uint8_t { kMain, kBeside };

class Profiler final : public abi::CallbackBase {
 public:
  using HRESULT = abi::HRESULT;

  // One that no runtime holds.
  static Profiler& Take(ProfilerPlace place);

  // ---- start, end ----
  HRESULT CAIRN_STDCALL LoadAsNotificationOnly(abi::Bool* notification_only) override;
  HRESULT CAIRN_STDCALL Initialize(abi::IUnknown* runtime) override;
  HRESULT CAIRN_STDCALL InitializeForAttach(abi::IUnknown* runtime, void* data, uint32_t size) override;
  HRESULT CAIRN_STDCALL ProfilerAttachComplete() override;
  HRESULT CAIRN_STDCALL ProfilerDetachSucceeded() override;
  HRESULT CAIRN_STDCALL Shutdown() override;

  // ---- modules, methods ----
  HRESULT CAIRN_STDCALL ModuleLoadFinished(abi::ModuleID module, HRESULT status) override;
  HRESULT CAIRN_STDCALL ModuleUnloadStarted(abi::ModuleID module) override;
  HRESULT CAIRN_STDCALL DynamicMethodUnloaded(abi::FunctionID function) override;
  HRESULT CAIRN_STDCALL JITCompilationStarted(abi::FunctionID function, abi::Bool safe_to_block) override;
  HRESULT CAIRN_STDCALL ReJITCompilationStarted(abi::FunctionID function, abi::ReJITID rejit,
                                                abi::Bool safe_to_block) override;
  HRESULT CAIRN_STDCALL GetReJITParameters(abi::ModuleID module, abi::mdMethodDef method,
                                           abi::ICorProfilerFunctionControl* control) override;
  HRESULT CAIRN_STDCALL ReJITCompilationFinished(abi::FunctionID function, abi::ReJITID rejit, HRESULT status,
                                                 abi::Bool safe_to_block) override;
  HRESULT CAIRN_STDCALL ReJITError(abi::ModuleID module, abi::mdMethodDef method, abi::FunctionID function,
                                   HRESULT status) override;

  // ---- threads ----
  HRESULT CAIRN_STDCALL ThreadCreated(abi::ThreadID thread) override;
  HRESULT CAIRN_STDCALL ThreadDestroyed(abi::ThreadID thread) override;
  HRESULT CAIRN_STDCALL ThreadAssignedToOSThread(abi::ThreadID thread, uint32_t os_id) override;
  HRESULT CAIRN_STDCALL ThreadNameChanged(abi::ThreadID thread, uint32_t length, abi::WChar* name) override;

  // ---- suspension ----
  HRESULT CAIRN_STDCALL RuntimeSuspendStarted(abi::SuspendReason reason) override;
  HRESULT CAIRN_STDCALL RuntimeSuspendFinished() override;
  HRESULT CAIRN_STDCALL RuntimeSuspendAborted() override;
  HRESULT CAIRN_STDCALL RuntimeResumeStarted() override;
  HRESULT CAIRN_STDCALL RuntimeResumeFinished() override;

  // ---- collection, objects ----
  HRESULT CAIRN_STDCALL ObjectAllocated(abi::ObjectID object, abi::ClassID type) override;
  HRESULT CAIRN_STDCALL GarbageCollectionStarted(int32_t count, abi::Bool* collected, abi::GcReason reason) override;
  HRESULT CAIRN_STDCALL RootReferences2(uint32_t count, abi::ObjectID* objects, abi::GcRootKind* kinds, uint32_t* flags,
                                        uintptr_t* ids) override;
  HRESULT CAIRN_STDCALL ConditionalWeakTableElementReferences(uint32_t count, abi::ObjectID* keys,
                                                              abi::ObjectID* values, abi::GCHandleID* ids) override;
  HRESULT CAIRN_STDCALL ObjectReferences(abi::ObjectID object, abi::ClassID type, uint32_t count,
                                         abi::ObjectID* references) override;
  HRESULT CAIRN_STDCALL GarbageCollectionFinished() override;
  HRESULT CAIRN_STDCALL EventPipeEventDelivered(abi::EventPipeProvider provider, uint32_t id, uint32_t version,
                                                uint32_t metadata_size, const uint8_t* metadata, uint32_t size,
                                                const uint8_t* data, const abi::GUID* activity,
                                                const abi::GUID* related, abi::ThreadID thread, uint32_t frames,
                                                uintptr_t* stack) override;

 private:
  explicit Profiler(ProfilerPlace place) : place_(place) {}
  void OnLastRelease() override { held_ = false; }

  const ProfilerPlace place_;
  std::atomic<bool> held_{true};
  // Of no runtime, until one says which it is.
  RuntimeState* state_ = &StateOf(nullptr);
};

}  // namespace cairn::collector
