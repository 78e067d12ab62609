#include "collector/capture/context_finder.h"

#include <algorithm>

#include "collector/abi/masks.h"
#include "collector/walk/method_table.h"
#include "collector/walk/pages.h"
#include "collector/walk/raw_memory.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kWord = sizeof(uint64_t);
constexpr uint64_t kAuxiliaryData = 32;     // within a MethodTable
constexpr uint64_t kLoaderModule = 8;       // within the auxiliary data
constexpr uint64_t kModuleBytes = 1024;     // where a module's LoaderAllocator is looked for
constexpr uint64_t kAllocatorBytes = 2048;  // where a native LoaderAllocator's handle is looked for
constexpr uint32_t kScoutBytes = 24;        // header, MethodTable, the native pointer
constexpr uint32_t kMostAllocatorBytes = 128;

uint64_t TypeOf(const LayoutPolicy& layout, uint64_t object) {
  return Load<uint64_t>(object) & layout.method_table_mask;
}

MethodTableHead HeadOf(uint64_t method_table) {
  return {Load<uint32_t>(method_table), Load<uint32_t>(method_table + sizeof(uint32_t))};
}

// An object of few fields, whose first one is a reference: those lie together, in front. Asks the system several times.
bool MayBeAllocator(const LayoutPolicy& layout, uint64_t method_table) {
  const MethodTableHead head = HeadOf(method_table);
  if (head.HasComponents() || !head.ContainsPointers() || head.base_size > kMostAllocatorBytes) return false;
  uint32_t offsets[kMostAllocatorBytes / kWord];
  SlotList slots{offsets, kMostAllocatorBytes / kWord, 0};
  if (ReadSlots(layout, method_table, head, slots) != WalkFault::kNone) return false;
  return std::find(offsets, offsets + slots.count, kWord) != offsets + slots.count;
}

bool MayBeScout(uint64_t method_table) {
  const MethodTableHead head = HeadOf(method_table);
  return !head.HasComponents() && !head.ContainsPointers() && head.base_size == kScoutBytes;
}

bool Holds(uint64_t start, uint64_t bytes, uint64_t value) {
  for (uint64_t at = start; at < start + bytes; at += kWord) {
    if (at % pages::kPageBytes < kWord && !pages::IsReadable(at, kWord)) return false;
    if (Load<uint64_t>(at) == value) return true;
  }
  return false;
}

// Nothing is unmapped meanwhile: the application stands still, or this is a child.
bool Read(uint64_t address, uint64_t& word) {
  if (!pages::IsReadable(address, kWord)) return false;
  word = Load<uint64_t>(address);
  return true;
}

bool IsNative(uint64_t address) { return address % kWord == 0 && pages::IsReadable(address, kWord); }

}  // namespace

void ContextFinder::Learn(std::vector<Module> modules) {
  modules_ = std::move(modules);
  std::sort(modules_.begin(), modules_.end(), [](const Module& a, const Module& b) { return a.id < b.id; });
}

bool ContextFinder::Find(const LayoutPolicy& layout, std::span<const RecordedRoot> roots,
                         std::span<const WalkedType> types) {
  count_ = 0;
  allocator_offset_ = 0;
  judged_ = {};
  if (layout.pointer_size != kWord || found_.Capacity() == 0) return false;
  const bool proven = FindAllocators(layout, roots) && LeadToModules(types) && FindAllocatorOffset();
  if (!proven) count_ = 0;
  return proven;
}

bool ContextFinder::FindAllocators(const LayoutPolicy& layout, std::span<const RecordedRoot> roots) {
  constexpr auto kHandle = static_cast<uint32_t>(abi::GcRootKind::kHandle);
  for (const RecordedRoot& root : roots) {
    const bool weak = root.kind == kHandle && (root.flags & abi::kGcRootWeakref) != 0;
    if (weak && root.object != 0 && root.id != 0) Consider(layout, root);
    if (count_ == kMaxContexts) return false;
  }
  std::sort(found_.Data(), found_.Data() + count_, [](const Found& a, const Found& b) { return a.native < b.native; });
  return count_ != 0;
}

// There may be many thousands of weak handles, to objects of a few types.
bool ContextFinder::IsLikeAllocator(const LayoutPolicy& layout, uint64_t method_table) {
  Judged& judged = judged_[method_table / kWord % kJudged];
  if (judged.method_table != method_table) judged = {method_table, MayBeAllocator(layout, method_table)};
  return judged.may_be_allocator;
}

// What the runtime reported is an object, so what lies in it may be read; what it points to outside the heap may not.
void ContextFinder::Consider(const LayoutPolicy& layout, const RecordedRoot& root) {
  if (!IsLikeAllocator(layout, TypeOf(layout, root.object))) return;
  const uint64_t scout = Load<uint64_t>(root.object + kWord);
  if (scout == 0 || !MayBeScout(TypeOf(layout, scout))) return;
  const uint64_t native = Load<uint64_t>(scout + kWord);
  if (native != 0 && IsNative(native) && Holds(native, kAllocatorBytes, root.id)) {
    found_[count_++] = {root.object, native};
  }
}

bool ContextFinder::LeadToModules(std::span<const WalkedType> types) const {
  bool any = false;
  for (const WalkedType& type : types) {
    if (type.is_free || type.collectible) continue;
    any = true;
    uint64_t auxiliary = 0, module = 0;
    const bool read = Read(type.method_table + kAuxiliaryData, auxiliary) && Read(auxiliary + kLoaderModule, module);
    const auto at = std::lower_bound(modules_.begin(), modules_.end(), module,
                                     [](const Module& known, uint64_t id) { return known.id < id; });
    if (!read || at == modules_.end() || at->id != module) return false;
  }
  return any;
}

bool ContextFinder::LeadsToAllocator(uint64_t module, uint64_t offset) const {
  return OfNative(Load<uint64_t>(module + offset)) != nullptr;
}

// A context that died in this collection is not among the found ones. What is left of it is of the same class as they,
// which its first word tells.
bool ContextFinder::LeadsToGoingOne(uint64_t module, uint64_t offset) const {
  const uint64_t native = Load<uint64_t>(module + offset);
  const uint64_t kind = Load<uint64_t>(found_[0].native);
  return kind != 0 && native != 0 && IsNative(native) && Load<uint64_t>(native) == kind;
}

// The one place in which every collectible module names its LoaderAllocator.
bool ContextFinder::FindAllocatorOffset() {
  for (const Module& module : modules_) {
    if (module.collectible && !pages::IsReadable(module.id, kModuleBytes)) return false;
  }
  for (uint64_t offset = 0; offset < kModuleBytes; offset += kWord) {
    const auto leads = [&](const Module& module) { return module.collectible && LeadsToAllocator(module.id, offset); };
    const auto may_go = [&](const Module& module) {
      return !module.collectible || leads(module) || LeadsToGoingOne(module.id, offset);
    };
    if (!std::ranges::any_of(modules_, leads) || !std::ranges::all_of(modules_, may_go)) continue;
    allocator_offset_ = offset;
    return true;
  }
  return false;
}

const ContextFinder::Found* ContextFinder::OfNative(uint64_t native) const {
  const Found* const begin = found_.Data();
  const Found* const end = begin + count_;
  const Found* const at =
      std::lower_bound(begin, end, native, [](const Found& found, uint64_t value) { return found.native < value; });
  return at != end && at->native == native ? at : nullptr;
}

uint64_t ContextFinder::ObjectOf(uint64_t method_table) const {
  uint64_t auxiliary = 0, module = 0, native = 0;
  if (!Read(method_table + kAuxiliaryData, auxiliary) || !Read(auxiliary + kLoaderModule, module) ||
      !Read(module + allocator_offset_, native)) {
    return 0;
  }
  const Found* found = OfNative(native);
  return found == nullptr ? 0 : found->object;
}

}  // namespace cairn::collector
