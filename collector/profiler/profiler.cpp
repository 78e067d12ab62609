#include "collector/profiler/profiler.h"

#include "collector/capture/option_check.h"

namespace cairn::collector {

namespace {

// The edge to the runtime: nothing thrown crosses it.
template <class Body>
abi::HRESULT Guarded(Body&& body) {
  try {
    return body();
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

Profiler::Library& Profiler::TheLibrary() {
  static Library& library = *new Library;
  return library;
}

Profiler& Profiler::Instance(ProfilerPlace place) {
  static Profiler& main = *new Profiler(ProfilerPlace::kMain);
  static Profiler& beside = *new Profiler(ProfilerPlace::kBeside);
  return place == ProfilerPlace::kMain ? main : beside;
}

abi::HRESULT Profiler::LoadAsNotificationOnly(abi::Bool* notification_only) {
  if (notification_only == nullptr) return abi::kPointer;
  *notification_only = place_ == ProfilerPlace::kBeside ? 1 : 0;
  return abi::kOk;
}

abi::HRESULT Profiler::Initialize(abi::IUnknown* runtime) {
  if (place_ == ProfilerPlace::kBeside) return abi::kErrorProfilerCancelActivation;
  return Guarded([&] { return resident_.Start(runtime); });
}

abi::HRESULT Profiler::InitializeForAttach(abi::IUnknown* runtime, void* data, uint32_t size) {
  const bool beside = place_ == ProfilerPlace::kBeside;
  // In both places at once, the library would crash the runtime when it leaves.
  if (beside && (resident_.IsActive() || tracking_.IsActive() || observing_.IsActive()))
    return abi::kErrorProfilerCancelActivation;
  return Guarded([&] {
    protocol::Options options;
    const bool readable = ReadOptions(data, size, options);
    if (readable && options.observe != protocol::ObserverKind::kNone)
      return observing_.Attach(runtime, options, beside);
    const bool tracks = readable && options.track != 0;
    return tracks ? tracking_.Attach(runtime, options, beside) : service_.Attach(runtime, data, size, beside);
  });
}

abi::HRESULT Profiler::ProfilerAttachComplete() {
  if (tracking_.IsActive()) return Guarded([&] { return tracking_.Begin(); });
  if (observing_.IsActive()) return Guarded([&] { return observing_.Begin(); });
  return OnCapture(service_, [&](Capture&) { service_.AttachComplete(); });
}

abi::HRESULT Profiler::ProfilerDetachSucceeded() {
  return Guarded([&] {
    service_.DetachSucceeded();
    resident_.OnDetached();
    tracking_.OnDetached();
    observing_.OnDetached();
    return abi::kOk;
  });
}

abi::HRESULT Profiler::Shutdown() {
  resident_.OnShutdown();
  tracking_.OnShutdown();
  Guarded([&] {
    observing_.OnShutdown();
    return abi::kOk;
  });
  return OnCapture(service_, [](Capture& capture) { capture.OnShutdown(); });
}

abi::HRESULT Profiler::ModuleUnloadStarted(abi::ModuleID module) {
  OnObservation(observing_, [&](Observer& observer) { observer.OnModuleUnloadStarted(module); });
  return OnCapture(service_, [](Capture& capture) { capture.OnModuleUnload(); });
}

// ---- of an observation only ----

abi::HRESULT Profiler::DynamicMethodUnloaded(abi::FunctionID function) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnDynamicMethodUnloaded(function); });
}

abi::HRESULT Profiler::JITCompilationStarted(abi::FunctionID function, abi::Bool safe_to_block) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnJitStarted(function, safe_to_block); });
}

abi::HRESULT Profiler::ReJITCompilationStarted(abi::FunctionID function, abi::ReJITID rejit, abi::Bool) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnRejitStarted(function, rejit); });
}

abi::HRESULT Profiler::GetReJITParameters(abi::ModuleID module, abi::mdMethodDef method,
                                          abi::ICorProfilerFunctionControl* control) {
  abi::HRESULT answer = abi::kOk;
  const abi::HRESULT told = OnObservation(
      observing_, [&](Observer& observer) { answer = observer.OnRejitParameters(module, method, control); });
  return abi::Failed(told) ? told : answer;
}

abi::HRESULT Profiler::ReJITCompilationFinished(abi::FunctionID function, abi::ReJITID rejit, abi::HRESULT status,
                                                abi::Bool) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnRejitFinished(function, rejit, status); });
}

abi::HRESULT Profiler::ReJITError(abi::ModuleID module, abi::mdMethodDef method, abi::FunctionID function,
                                  abi::HRESULT status) {
  return OnObservation(observing_,
                       [&](Observer& observer) { observer.OnRejitError(module, method, function, status); });
}

abi::HRESULT Profiler::ThreadDestroyed(abi::ThreadID thread) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnThreadDestroyed(thread); });
}

abi::HRESULT Profiler::ThreadAssignedToOSThread(abi::ThreadID thread, uint32_t os_id) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnThreadAssigned(thread, os_id); });
}

abi::HRESULT Profiler::ThreadNameChanged(abi::ThreadID thread, uint32_t length, abi::WChar* name) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnThreadNamed(thread, {name, length}); });
}

abi::HRESULT Profiler::ObjectAllocated(abi::ObjectID object, abi::ClassID type) {
  return OnObservation(observing_, [&](Observer& observer) { observer.OnObjectAllocated(object, type); });
}

// ---- of all of them ----

abi::HRESULT Profiler::ThreadCreated(abi::ThreadID thread) {
  OnObservation(observing_, [&](Observer& observer) { observer.OnThreadCreated(thread); });
  return OnCapture(service_, [](Capture& capture) { capture.OnThreadCreated(); });
}

abi::HRESULT Profiler::RuntimeSuspendStarted(abi::SuspendReason) {
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendStarted(); });
}

abi::HRESULT Profiler::RuntimeSuspendFinished() {
  tracking_.OnSuspendFinished();
  OnObservation(observing_, [](Observer& observer) { observer.OnSuspendFinished(); });
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendFinished(); });
}

abi::HRESULT Profiler::RuntimeSuspendAborted() {
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendAborted(); });
}

abi::HRESULT Profiler::RuntimeResumeStarted() {
  tracking_.OnResumeStarted();
  OnObservation(observing_, [](Observer& observer) { observer.OnResumeStarted(); });
  return OnCapture(service_, [](Capture& capture) { capture.OnResumeStarted(); });
}

abi::HRESULT Profiler::RuntimeResumeFinished() {
  return OnCapture(service_, [](Capture& capture) { capture.OnResumeFinished(); });
}

abi::HRESULT Profiler::GarbageCollectionStarted(int32_t count, abi::Bool* collected, abi::GcReason reason) {
  const size_t size = count > 0 ? static_cast<size_t>(count) : 0;
  tracking_.OnCollectionStarted({collected, size});
  OnObservation(observing_, [&](Observer& observer) { observer.OnCollectionStarted({collected, size}, reason); });
  return OnCapture(service_, [&](Capture& capture) { capture.OnCollectionStarted({collected, size}, reason); });
}

abi::HRESULT Profiler::RootReferences2(uint32_t count, abi::ObjectID* objects, abi::GcRootKind* kinds, uint32_t* flags,
                                       uintptr_t* ids) {
  return OnCapture(service_, [&](Capture& capture) { capture.OnRoots(count, objects, kinds, flags, ids); });
}

abi::HRESULT Profiler::ConditionalWeakTableElementReferences(uint32_t count, abi::ObjectID* keys, abi::ObjectID* values,
                                                             abi::GCHandleID*) {
  return OnCapture(service_, [&](Capture& capture) { capture.OnDependents(count, keys, values); });
}

// A failure ends the runtime's own walk of the heap at its first object.
abi::HRESULT Profiler::ObjectReferences(abi::ObjectID, abi::ClassID, uint32_t, abi::ObjectID*) { return abi::kFail; }

abi::HRESULT Profiler::GarbageCollectionFinished() {
  uint64_t snapshot = 0;
  const abi::HRESULT result = OnCapture(service_, [&](Capture& capture) {
    if (capture.OnCollectionFinished()) snapshot = TrackingSession::MarkerOf(capture.Options());
  });
  tracking_.OnCollectionFinished(snapshot);
  OnObservation(observing_, [snapshot](Observer& observer) {
    observer.OnCollectionFinished();
    if (snapshot != 0) observer.OnSnapshotTaken(snapshot);
  });
  return result;
}

abi::HRESULT Profiler::EventPipeEventDelivered(abi::EventPipeProvider provider, uint32_t id, uint32_t version, uint32_t,
                                               const uint8_t*, uint32_t size, const uint8_t* data, const abi::GUID*,
                                               const abi::GUID*, abi::ThreadID, uint32_t, uintptr_t*) {
  tracking_.OnEvent(id, version, {data, size});
  OnObservation(observing_, [&](Observer& observer) { observer.OnEvent({provider, id, version, {data, size}}); });
  return OnCapture(service_, [&](Capture& capture) { capture.OnEvent(id, version, {data, size}); });
}

}  // namespace cairn::collector
