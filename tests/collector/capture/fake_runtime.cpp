#include "tests/collector/capture/fake_runtime.h"

#include <algorithm>
#include <cstring>

namespace cairn::collector {

namespace {

using abi::GUID;
using abi::HRESULT;

// The arguments stay unread, so one function does for every signature.
HRESULT NotImplemented() { return abi::kNotImplemented; }

template <class Range>
HRESULT CopyRanges(const std::vector<Range>& from, uint32_t capacity, uint32_t* count, Range* to) {
  const size_t copied = std::min<size_t>(capacity, from.size());
  if (copied > 0) std::memcpy(to, from.data(), copied * sizeof(Range));
  *count = static_cast<uint32_t>(from.size());
  return abi::kOk;
}

// An enumeration that is over from the start.
FakeInterface* NoModules() {
  static FakeInterface enumeration;
  for (auto& slot : enumeration.slots) slot = reinterpret_cast<FakeInterface::Slot>(&NotImplemented);
  enumeration.slots[7] =
      reinterpret_cast<FakeInterface::Slot>(+[](void*, uint32_t, uint64_t*, uint32_t* got) -> HRESULT {
        *got = 0;
        return abi::kFalse;
      });
  return &enumeration;
}

unsigned InfoNumber(const GUID& iid) {
  if (iid == abi::ICorProfilerInfo15::kIid) return 15;
  if (iid == abi::ICorProfilerInfo14::kIid) return 14;
  if (iid == abi::ICorProfilerInfo13::kIid) return 13;
  if (iid == abi::ICorProfilerInfo12::kIid) return 12;
  if (iid == abi::ICorProfilerInfo10::kIid) return 10;
  return iid == abi::ICorProfilerInfo5::kIid || iid == abi::ICorProfilerInfo3::kIid ? 3 : 99;
}

}  // namespace

FakeRuntime::FakeRuntime() {
  for (auto& slot : slots) slot = reinterpret_cast<Slot>(&NotImplemented);
  PutAttachSlots();
  PutHeapSlots();
}

void FakeRuntime::PutAttachSlots() {
  Put(
      0, +[](void* self, const GUID& iid, void** object) -> HRESULT {
        if (InfoNumber(iid) > Of(self).highest_info) return abi::kNoInterface;
        *object = self;
        ++Of(self).references;
        return abi::kOk;
      });
  Put(
      1, +[](void* self) -> uint32_t { return static_cast<uint32_t>(++Of(self).references); });
  Put(
      2, +[](void* self) -> uint32_t { return static_cast<uint32_t>(--Of(self).references); });
  Put(
      28, +[](void* self) -> HRESULT {  // ForceGC
        ++Of(self).forced;
        if (Of(self).on_force) Of(self).on_force();
        return Of(self).force_answer;
      });
  Put(
      58, +[](void* self, uint32_t) -> HRESULT {  // RequestProfilerDetach
        ++Of(self).detaches;
        if (Of(self).on_detach_request) Of(self).on_detach_request();
        return Of(self).detach_answer;
      });
  Put(
      67,
      +[](void*, uint16_t*, abi::RuntimeType*, uint16_t* major, uint16_t* minor, uint16_t* build, uint16_t*, uint32_t,
          uint32_t*, abi::WChar*) -> HRESULT {  // GetRuntimeInformation
        *major = 10;
        *minor = 0;
        *build = 12;
        return abi::kOk;
      });
  Put(
      82, +[](void* self, uint32_t low, uint32_t high) -> HRESULT {  // SetEventMask2
        Of(self).low_masks.push_back(low);
        Of(self).high_masks.push_back(high);
        return Of(self).mask_answer;
      });
  Put(
      66, +[](void*, void** modules) -> HRESULT {  // EnumModules
        *modules = NoModules();
        return abi::kOk;
      });
  Put(
      97, +[](void* self) -> HRESULT {  // SuspendRuntime
        ++Of(self).suspended;
        if (Of(self).on_suspend) Of(self).on_suspend();
        return abi::kOk;
      });
  Put(
      98, +[](void* self) -> HRESULT {  // ResumeRuntime
        ++Of(self).resumed;
        return abi::kOk;
      });
  Put(
      101,
      +[](void* self, uint32_t, abi::EventPipeProviderConfig*, abi::Bool,
          abi::EventPipeSession* session) -> HRESULT {  // EventPipeStartSession
        *session = static_cast<abi::EventPipeSession>(++Of(self).sessions_started);
        return abi::kOk;
      });
  Put(
      103, +[](void* self, abi::EventPipeSession) -> HRESULT {  // EventPipeStopSession
        ++Of(self).sessions_stopped;
        return abi::kOk;
      });
}

void FakeRuntime::PutHeapSlots() {
  Put(
      54, +[](void* self, uint32_t capacity, uint32_t* count, abi::GcGenerationRange* to) -> HRESULT {
        return CopyRanges(Of(self).ranges, capacity, count, to);  // GetGenerationBounds
      });
  Put(
      112, +[](void* self, uint32_t capacity, uint32_t* count, abi::NonGcHeapRange* to) -> HRESULT {
        return CopyRanges(Of(self).frozen, capacity, count, to);  // GetNonGCHeapBounds
      });
  Put(
      80, +[](void*, abi::ObjectID, size_t* size) -> HRESULT {  // GetObjectSize2: all objects here have 24 bytes
        *size = 24;
        return abi::kOk;
      });
  Put(
      3, +[](void*, abi::ObjectID object, abi::ClassID* id) -> HRESULT {  // GetClassFromObject
        *id = *reinterpret_cast<abi::ClassID*>(object);
        return abi::kOk;
      });
  Put(
      93, +[](void* self, abi::ObjectID object, abi::ObjectReferenceCallback callback, void* context) -> HRESULT {
        for (const auto& [owner, loader_allocator] : Of(self).loader_allocators) {  // EnumerateObjectReferences
          abi::ObjectID target = loader_allocator;
          if (owner == object) callback(object, &target, context);
        }
        return abi::kOk;
      });
  Put(
      108, +[](void* self, abi::ObjectID object, abi::HandleType, abi::ObjectHandleID* handle) -> HRESULT {
        Of(self).handles_made.push_back(object);  // CreateHandle
        *handle = reinterpret_cast<abi::ObjectHandleID>(Of(self).handles_made.size());
        return abi::kOk;
      });
  Put(
      109, +[](void* self, abi::ObjectHandleID) -> HRESULT {  // DestroyHandle
        ++Of(self).handles_destroyed;
        return abi::kOk;
      });
}

}  // namespace cairn::collector
