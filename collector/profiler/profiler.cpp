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
  if (beside && (resident_.IsActive() || tracking_.IsActive())) return abi::kErrorProfilerCancelActivation;
  return Guarded([&] {
    protocol::Options options;
    const bool tracks = ReadOptions(data, size, options) && options.track != 0;
    return tracks ? tracking_.Attach(runtime, options, beside) : service_.Attach(runtime, data, size, beside);
  });
}

abi::HRESULT Profiler::ProfilerAttachComplete() {
  if (tracking_.IsActive()) return Guarded([&] { return tracking_.Begin(); });
  return OnCapture(service_, [&](Capture&) { service_.AttachComplete(); });
}

abi::HRESULT Profiler::ProfilerDetachSucceeded() {
  return Guarded([&] {
    service_.DetachSucceeded();
    resident_.OnDetached();
    tracking_.OnDetached();
    return abi::kOk;
  });
}

abi::HRESULT Profiler::Shutdown() {
  resident_.OnShutdown();
  tracking_.OnShutdown();
  return OnCapture(service_, [](Capture& capture) { capture.OnShutdown(); });
}

abi::HRESULT Profiler::ModuleUnloadStarted(abi::ModuleID) {
  return OnCapture(service_, [](Capture& capture) { capture.OnModuleUnload(); });
}

abi::HRESULT Profiler::ThreadCreated(abi::ThreadID) {
  return OnCapture(service_, [](Capture& capture) { capture.OnThreadCreated(); });
}

abi::HRESULT Profiler::RuntimeSuspendStarted(abi::SuspendReason) {
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendStarted(); });
}

abi::HRESULT Profiler::RuntimeSuspendFinished() {
  tracking_.OnSuspendFinished();
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendFinished(); });
}

abi::HRESULT Profiler::RuntimeSuspendAborted() {
  return OnCapture(service_, [](Capture& capture) { capture.OnSuspendAborted(); });
}

abi::HRESULT Profiler::RuntimeResumeStarted() {
  tracking_.OnResumeStarted();
  return OnCapture(service_, [](Capture& capture) { capture.OnResumeStarted(); });
}

abi::HRESULT Profiler::RuntimeResumeFinished() {
  return OnCapture(service_, [](Capture& capture) { capture.OnResumeFinished(); });
}

abi::HRESULT Profiler::GarbageCollectionStarted(int32_t count, abi::Bool* collected, abi::GcReason reason) {
  const size_t size = count > 0 ? static_cast<size_t>(count) : 0;
  tracking_.OnCollectionStarted({collected, size});
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
  return result;
}

abi::HRESULT Profiler::EventPipeEventDelivered(abi::EventPipeProvider, uint32_t id, uint32_t version, uint32_t,
                                               const uint8_t*, uint32_t size, const uint8_t* data, const abi::GUID*,
                                               const abi::GUID*, abi::ThreadID, uint32_t, uintptr_t*) {
  tracking_.OnEvent(id, version, {data, size});
  return OnCapture(service_, [&](Capture& capture) { capture.OnEvent(id, version, {data, size}); });
}

}  // namespace cairn::collector
