#include "collector/capture/context_keeper.h"

#include "collector/abi/enumerators.h"
#include "collector/abi/masks.h"

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
  found_all_ = false;
  return finder_.Prepare() && entries_.Map(kSlots);  // zero pages: empty entries
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
    if (type.loader_allocator != 0) KeepOne(type.loader_allocator, handles);
  }
}

void ContextKeeper::KeepOne(uint64_t loader_allocator, abi::ICorProfilerInfo13* handles) {
  Entry* entry = Find(loader_allocator);
  if (handles == nullptr || entry->handle != nullptr || count_ == kMaxContexts) return;
  abi::ObjectHandleID handle = nullptr;
  if (!abi::Succeeded(handles->CreateHandle(loader_allocator, abi::HandleType::kStrong, &handle))) return;
  *entry = {loader_allocator, handle};
  ++count_;
}

void ContextKeeper::LearnModules(abi::ICorProfilerInfo10* info) {
  abi::ComPtr<abi::ICorProfilerModuleEnum> modules;
  if (!abi::Succeeded(info->EnumModules(modules.Out()))) return;
  std::vector<ContextFinder::Module> known;
  abi::ModuleID module = 0;
  uint32_t got = 0;
  while (modules->Next(1, &module, &got) == abi::kOk && got == 1) {
    uint32_t flags = 0;
    if (abi::Failed(info->GetModuleInfo2(module, nullptr, 0, nullptr, nullptr, nullptr, &flags))) return;
    known.push_back({module, (flags & abi::kModuleCollectible) != 0});
  }
  finder_.Learn(std::move(known));
}

bool ContextKeeper::FindAll(const LayoutPolicy& layout, std::span<const RecordedRoot> roots,
                            std::span<const WalkedType> types) {
  return found_all_ = finder_.Find(layout, roots, types);
}

void ContextKeeper::KeepFound(abi::ICorProfilerInfo13* handles) {
  for (const ContextFinder::Found& context : finder_.Contexts()) KeepOne(context.object, handles);
}

void ContextKeeper::Assign(std::span<WalkedType> types) const {
  for (WalkedType& type : types) {
    if (type.collectible && !type.is_free) type.loader_allocator = finder_.ObjectOf(type.method_table);
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
