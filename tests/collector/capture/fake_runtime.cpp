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
  PutModuleSlots();
  PutAllocationSlots();
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

void FakeRuntime::PutModuleSlots() {
  for (auto& slot : module_list_.slots) slot = reinterpret_cast<Slot>(&NotImplemented);
  module_list_.slots[7] =
      reinterpret_cast<Slot>(+[](void* self, uint32_t capacity, abi::ModuleID* ids, uint32_t* got) -> HRESULT {  // Next
        auto& list = *static_cast<ModuleList*>(static_cast<FakeInterface*>(self));
        for (*got = 0; *got < capacity && list.next < list.modules->size();)
          ids[(*got)++] = (*list.modules)[list.next++].id;
        return *got == capacity ? abi::kOk : abi::kFalse;
      });
  Put(
      66, +[](void* self, void** modules) -> HRESULT {  // EnumModules
        FakeRuntime& runtime = Of(self);
        runtime.module_list_.modules = &runtime.modules;
        runtime.module_list_.next = 0;
        *modules = static_cast<FakeInterface*>(&runtime.module_list_);
        return abi::kOk;
      });
  Put(
      70,
      +[](void* self, abi::ModuleID id, const uint8_t**, uint32_t capacity, uint32_t* length, abi::WChar* path,
          abi::AssemblyID* assembly, uint32_t* flags) -> HRESULT {  // GetModuleInfo2
        const auto& modules = Of(self).modules;
        const auto found =
            std::find_if(modules.begin(), modules.end(), [&](const Module& one) { return one.id == id; });
        if (found == modules.end()) return abi::kInvalidArgument;
        const size_t copied = found->path.copy(path, capacity - 1);
        path[copied] = 0;
        *length = static_cast<uint32_t>(found->path.size() + 1);
        *assembly = id + 1;
        *flags = found->flags;
        return abi::kOk;
      });
  Put(
      21, +[](void* self, abi::ModuleID id, uint32_t, const GUID&, abi::IUnknown**) -> HRESULT {  // GetModuleMetaData
        Of(self).metadata_asked.push_back(id);
        return abi::kFalse;
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

void FakeRuntime::PutAllocationSlots() {
  Put(
      36,
      +[](void* self, abi::ThreadID, abi::StackSnapshotCallback* callback, uint32_t, void* client, uint8_t*,
          uint32_t) -> HRESULT {  // DoStackSnapshot
        if (Of(self).frames.empty()) return abi::kErrorStackSnapshotUnsafe;
        for (const abi::FunctionID frame : Of(self).frames)
          if (abi::Failed(callback(frame, 1, 0, 0, nullptr, client))) return abi::kErrorStackSnapshotAborted;
        return abi::kOk;
      });
  Put(
      80, +[](void* self, abi::ObjectID object, size_t* size) -> HRESULT {  // GetObjectSize2
        *size = Of(self).size_of(object);
        return abi::kOk;
      });
}

}  // namespace cairn::collector
