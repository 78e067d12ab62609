#include "collector/profiler/profiler.h"

#include <mutex>
#include <new>
#include <vector>

#include "collector/capture/option_check.h"

namespace cairn::collector {

namespace {

// The edge to the runtime: nothing thrown crosses it.
template <class Body>
abi::HRESULT Guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return abi::kOutOfMemory;
  } catch (...) {
    return abi::kFail;
  }
}

// The same for a callback that concerns the capture under way; without one there is nothing to do.
template <class Body>
abi::HRESULT OnCapture(CaptureService& service, Body&& body) {
  const CaptureService::Visit visit(service);
  Capture* capture = visit.Current();
  if (capture == nullptr) return abi::kOk;
  return Guarded([&] {
    body(*capture);
    return abi::kOk;
  });
}

// The same for an observation.
template <class Body>
abi::HRESULT OnObservation(ObservationSession& observing, Body&& body) {
  return Guarded([&] {
    observing.Tell(body);
    return abi::kOk;
  });
}

}  // namespace

Profiler& Profiler::Take(ProfilerPlace place) {
  static std::mutex& mutex = *new std::mutex;
  static std::vector<Profiler*>& made = *new std::vector<Profiler*>;
  const std::lock_guard lock(mutex);
  for (Profiler* profiler : made)
    if (profiler->place_ == place && !profiler->held_.exchange(true)) return *profiler;
  made.reserve(made.size() + 1);
  made.push_back(new Profiler(place));
  return *made.back();
}

abi::HRESULT Profiler::LoadAsNotificationOnly(abi::Bool* notification_only) {
  if (notification_only == nullptr) return abi::kPointer;
  *notification_only = place_ == ProfilerPlace::kBeside ? 1 : 0;
  return abi::kOk;
}

abi::HRESULT Profiler::Initialize(abi::IUnknown* runtime) {
  if (place_ == ProfilerPlace::kBeside) return abi::kErrorProfilerCancelActivation;
  return Guarded([&] {
    state_ = &StateOf(runtime);
    if (const auto call = StartCallOfProcess()) return state_->observing.AttachAtStart(runtime, *call);
    return state_->resident.Start(runtime);
  });
}

abi::HRESULT Profiler::InitializeForAttach(abi::IUnknown* runtime, void* data, uint32_t size) {
  const bool beside = place_ == ProfilerPlace::kBeside;
  return Guarded([&] {
    state_ = &StateOf(runtime);
    // In both places at once, the library would crash the runtime when it leaves.
    if (beside && (state_->resident.IsActive() || state_->tracking.IsActive() || state_->observing.IsActive()))
      return abi::kErrorProfilerCancelActivation;
    protocol::Options options;
    const bool readable = ReadOptions(data, size, options);
    if (readable && options.observe != protocol::ObserverKind::kNone)
      return state_->observing.Attach(runtime, options, beside);
    const bool tracks = readable && options.track != 0;
    return tracks ? state_->tracking.Attach(runtime, options, beside)
                  : state_->service.Attach(runtime, data, size, beside);
  });
}

abi::HRESULT Profiler::ProfilerAttachComplete() {
  if (state_->tracking.AwaitsBegin()) return Guarded([&] { return state_->tracking.Begin(); });
  if (state_->observing.AwaitsBegin()) return Guarded([&] { return state_->observing.Begin(); });
  return OnCapture(state_->service, [&](Capture&) { state_->service.AttachComplete(); });
}

abi::HRESULT Profiler::ProfilerDetachSucceeded() {
  return Guarded([&] {
    state_->service.DetachSucceeded();
    state_->resident.OnDetached();
    state_->tracking.OnDetached();
    state_->observing.OnDetached();
    return abi::kOk;
  });
}

abi::HRESULT Profiler::Shutdown() {
  state_->resident.OnShutdown();
  state_->tracking.OnShutdown();
  Guarded([&] {
    state_->observing.OnShutdown();
    return abi::kOk;
  });
  return OnCapture(state_->service, [](Capture& capture) { capture.OnShutdown(); });
}

abi::HRESULT Profiler::ModuleUnloadStarted(abi::ModuleID module) {
  Guarded([&] {
    state_->observing.OnModuleUnload(module);
    return abi::kOk;
  });
  return OnCapture(state_->service, [](Capture& capture) { capture.OnModuleUnload(); });
}

// ---- of an observation only ----

abi::HRESULT Profiler::ModuleLoadFinished(abi::ModuleID module, abi::HRESULT status) {
  if (abi::Failed(status)) return abi::kOk;
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnModuleLoaded(module); });
}

abi::HRESULT Profiler::DynamicMethodUnloaded(abi::FunctionID function) {
  return Guarded([&] {
    state_->observing.OnDynamicMethodUnload(function);
    return abi::kOk;
  });
}

abi::HRESULT Profiler::JITCompilationStarted(abi::FunctionID function, abi::Bool safe_to_block) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnJitStarted(function, safe_to_block); });
}

abi::HRESULT Profiler::ReJITCompilationStarted(abi::FunctionID function, abi::ReJITID rejit, abi::Bool) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnRejitStarted(function, rejit); });
}

abi::HRESULT Profiler::GetReJITParameters(abi::ModuleID module, abi::mdMethodDef method,
                                          abi::ICorProfilerFunctionControl* control) {
  abi::HRESULT answer = abi::kOk;
  const abi::HRESULT told = OnObservation(
      state_->observing, [&](Observer& observer) { answer = observer.OnRejitParameters(module, method, control); });
  return abi::Failed(told) ? told : answer;
}

abi::HRESULT Profiler::ReJITCompilationFinished(abi::FunctionID function, abi::ReJITID rejit, abi::HRESULT status,
                                                abi::Bool) {
  return OnObservation(state_->observing,
                       [&](Observer& observer) { observer.OnRejitFinished(function, rejit, status); });
}

abi::HRESULT Profiler::ReJITError(abi::ModuleID module, abi::mdMethodDef method, abi::FunctionID function,
                                  abi::HRESULT status) {
  return OnObservation(state_->observing,
                       [&](Observer& observer) { observer.OnRejitError(module, method, function, status); });
}

abi::HRESULT Profiler::ThreadDestroyed(abi::ThreadID thread) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnThreadDestroyed(thread); });
}

abi::HRESULT Profiler::ThreadAssignedToOSThread(abi::ThreadID thread, uint32_t os_id) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnThreadAssigned(thread, os_id); });
}

abi::HRESULT Profiler::ThreadNameChanged(abi::ThreadID thread, uint32_t length, abi::WChar* name) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnThreadNamed(thread, {name, length}); });
}

abi::HRESULT Profiler::ObjectAllocated(abi::ObjectID object, abi::ClassID type) {
  return OnObservation(state_->observing, [&](Observer& observer) { observer.OnObjectAllocated(object, type); });
}

// ---- of all of them ----

abi::HRESULT Profiler::ThreadCreated(abi::ThreadID thread) {
  OnObservation(state_->observing, [&](Observer& observer) { observer.OnThreadCreated(thread); });
  return OnCapture(state_->service, [](Capture& capture) { capture.OnThreadCreated(); });
}

abi::HRESULT Profiler::RuntimeSuspendStarted(abi::SuspendReason) {
  return OnCapture(state_->service, [](Capture& capture) { capture.OnSuspendStarted(); });
}

abi::HRESULT Profiler::RuntimeSuspendFinished() {
  state_->tracking.OnSuspendFinished();
  OnObservation(state_->observing, [](Observer& observer) { observer.OnSuspendFinished(); });
  return OnCapture(state_->service, [](Capture& capture) { capture.OnSuspendFinished(); });
}

abi::HRESULT Profiler::RuntimeSuspendAborted() {
  return OnCapture(state_->service, [](Capture& capture) { capture.OnSuspendAborted(); });
}

abi::HRESULT Profiler::RuntimeResumeStarted() {
  state_->tracking.OnResumeStarted();
  OnObservation(state_->observing, [](Observer& observer) { observer.OnResumeStarted(); });
  return OnCapture(state_->service, [](Capture& capture) { capture.OnResumeStarted(); });
}

abi::HRESULT Profiler::RuntimeResumeFinished() {
  return OnCapture(state_->service, [](Capture& capture) { capture.OnResumeFinished(); });
}

abi::HRESULT Profiler::GarbageCollectionStarted(int32_t count, abi::Bool* collected, abi::GcReason reason) {
  const size_t size = count > 0 ? static_cast<size_t>(count) : 0;
  state_->tracking.OnCollectionStarted({collected, size});
  OnObservation(state_->observing, [&](Observer& observer) {
    observer.OnCollectionStarted({collected, size}, reason);
  });
  return OnCapture(state_->service, [&](Capture& capture) { capture.OnCollectionStarted({collected, size}, reason); });
}

abi::HRESULT Profiler::RootReferences2(uint32_t count, abi::ObjectID* objects, abi::GcRootKind* kinds, uint32_t* flags,
                                       uintptr_t* ids) {
  return OnCapture(state_->service, [&](Capture& capture) { capture.OnRoots(count, objects, kinds, flags, ids); });
}

abi::HRESULT Profiler::ConditionalWeakTableElementReferences(uint32_t count, abi::ObjectID* keys, abi::ObjectID* values,
                                                             abi::GCHandleID*) {
  return OnCapture(state_->service, [&](Capture& capture) { capture.OnDependents(count, keys, values); });
}

// A failure ends the runtime's own walk of the heap at its first object.
abi::HRESULT Profiler::ObjectReferences(abi::ObjectID, abi::ClassID, uint32_t, abi::ObjectID*) { return abi::kFail; }

abi::HRESULT Profiler::GarbageCollectionFinished() {
  uint64_t snapshot = 0;
  const abi::HRESULT result = OnCapture(state_->service, [&](Capture& capture) {
    if (capture.OnCollectionFinished()) snapshot = TrackingSession::MarkerOf(capture.Options());
  });
  state_->tracking.OnCollectionFinished(snapshot);
  OnObservation(state_->observing, [snapshot](Observer& observer) {
    observer.OnCollectionFinished();
    if (snapshot != 0) observer.OnSnapshotTaken(snapshot);
  });
  return result;
}

abi::HRESULT Profiler::EventPipeEventDelivered(abi::EventPipeProvider provider, uint32_t id, uint32_t version, uint32_t,
                                               const uint8_t*, uint32_t size, const uint8_t* data, const abi::GUID*,
                                               const abi::GUID*, abi::ThreadID, uint32_t, uintptr_t*) {
  state_->tracking.OnEvent(id, version, {data, size});
  OnObservation(state_->observing, [&](Observer& observer) {
    observer.OnEvent({provider, id, version, {data, size}});
  });
  return OnCapture(state_->service, [&](Capture& capture) { capture.OnEvent(id, version, {data, size}); });
}

}  // namespace cairn::collector
