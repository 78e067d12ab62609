#include "collector/capture/context_keeper.h"

namespace cairn::collector {

namespace {

void TakeFirstOutsideSlot(void* found, ObjectInspector::Reference reference) {
  auto* object = static_cast<uint64_t*>(found);
  if (*object == 0 && reference.offset == ObjectInspector::kNoOffset) *object = reference.target;
}

uint64_t LoaderAllocatorOf(uint64_t exemplar, ObjectInspector& inspector) {
  uint64_t object = 0;
  inspector.References(exemplar, TakeFirstOutsideSlot, &object);
  return object;
}

}  // namespace

bool ContextKeeper::Prepare() {
  count_ = 0;
  return entries_.Map(kSlots);  // zero pages: empty entries
}

// The entry of that LoaderAllocator, or the empty one where it belongs.
ContextKeeper::Entry* ContextKeeper::Find(uint64_t loader_allocator) const {
  size_t at = (loader_allocator >> 3) % kSlots;
  while (entries_[at].loader_allocator != 0 && entries_[at].loader_allocator != loader_allocator) {
    at = (at + 1) % kSlots;
  }
  return &entries_[at];
}

void ContextKeeper::Keep(std::span<WalkedType> types, ObjectInspector& inspector, abi::ICorProfilerInfo13* handles) {
  for (WalkedType& type : types) {
    if (!type.collectible || type.is_free || type.objects == 0) continue;
    type.loader_allocator = LoaderAllocatorOf(type.exemplar, inspector);
    if (type.loader_allocator == 0 || handles == nullptr) continue;
    Entry* entry = Find(type.loader_allocator);
    if (entry->handle != nullptr || count_ == kMaxContexts) continue;
    abi::ObjectHandleID handle = nullptr;
    if (!abi::Succeeded(handles->CreateHandle(type.loader_allocator, abi::HandleType::kStrong, &handle))) continue;
    *entry = {type.loader_allocator, handle};
    ++count_;
  }
}

bool ContextKeeper::IsSafe(const WalkedType& type) const {
  if (!type.collectible) return true;
  return type.loader_allocator != 0 && Find(type.loader_allocator)->handle != nullptr;
}

void ContextKeeper::LetGo(abi::ICorProfilerInfo13* handles) {
  if (count_ == 0 || handles == nullptr) return;
  for (Entry& entry : entries_.First(kSlots)) {
    if (entry.handle != nullptr) handles->DestroyHandle(entry.handle);
    entry = {};
  }
  count_ = 0;
}

}  // namespace cairn::collector
