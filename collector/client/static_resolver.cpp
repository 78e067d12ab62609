#include "collector/client/static_resolver.h"

#include <algorithm>

namespace cairn::client {
namespace {

using snapshot::RootKind;

int64_t IndexOf(const std::vector<uint32_t>& offsets, uint64_t offset) {
  const auto found = std::find(offsets.begin(), offsets.end(), offset);
  return found == offsets.end() ? -1 : found - offsets.begin();
}

// An array of references, as the runtime's slot arrays are.
bool IsReferenceArray(const snapshot::Type& type) {
  const bool one_reference = type.element_slots.size() == 1 && type.element_slots[0] == 0;
  return one_reference && (type.layout.component_size == 8 || type.layout.component_size == 4);
}

bool IsHandle(const snapshot::Root& root) {
  return root.kind == RootKind::kHandleStrong || root.kind == RootKind::kHandlePinned;
}

// Behind the word that names its type, of 64 bits or of 32.
bool IsContentOf(uint64_t object, uint64_t address) { return address == object + 8 || address == object + 4; }

bool IsBox(const protocol::Static& field) { return !field.boxed_type.empty(); }

bool IsInSlotArray(const protocol::Static& field) { return field.kind != RootKind::kLocal && !IsBox(field); }

bool Has(const std::vector<uint64_t>& sorted, uint64_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

int64_t SlotNumber(const snapshot::Type& type, uint64_t offset) {
  if (type.layout.explicit_slots) return -1;  // their offsets are not known
  if (type.layout.component_size == 0) return IndexOf(type.fixed_slots, offset);
  if (offset < type.elements_offset) return -1;
  const uint64_t element = (offset - type.elements_offset) / type.layout.component_size;
  const int64_t within = IndexOf(type.element_slots, (offset - type.elements_offset) % type.layout.component_size);
  return within < 0 ? -1 : static_cast<int64_t>(element * type.element_slots.size()) + within;
}

// ---- while the chunks pass -------------------------------------------------------------------------

void StaticResolver::Add(std::vector<protocol::Static> statics) {
  for (auto& field : statics) entries_.push_back({std::move(field)});
  sorted_ = false;
}

void StaticResolver::Sort() {
  if (sorted_) return;
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.field.slot_address < b.field.slot_address; });
  sorted_ = true;
}

size_t StaticResolver::FirstFrom(uint64_t address) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), address,
                                   [](const Entry& entry, uint64_t value) { return entry.field.slot_address < value; });
  return static_cast<size_t>(at - entries_.begin());
}

void StaticResolver::Look(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                          const std::vector<snapshot::Type>& types) {
  if (entries_.empty()) return;
  Sort();
  LookInContinued(header, chunk, types);
  if (chunk.addresses.empty()) return;
  for (size_t i = FirstFrom(header.first_address); i < entries_.size();) {
    const uint64_t address = entries_[i].field.slot_address;
    if (address >= header.end_address) return;
    const auto after = std::upper_bound(chunk.addresses.begin(), chunk.addresses.end(), address);
    const auto number = static_cast<size_t>(after - chunk.addresses.begin()) - 1;
    const uint64_t object = chunk.addresses[number], end = object + chunk.sizes[number];
    const size_t first = chunk.first_slot[number], count = chunk.first_slot[number + 1] - first;
    if (address < end)
      LookInObject(object, chunk.sizes[number], types[chunk.types[number]],
                   {0, std::span(chunk.targets).subspan(first, count)});
    i = std::max(i + 1, FirstFrom(end));
  }
}

void StaticResolver::LookInObject(uint64_t object, uint64_t size, const snapshot::Type& type, Slots slots) {
  last_ = {object, FirstFrom(object), FirstFrom(object + size)};
  for (size_t i = last_.begin; i < last_.end; ++i) {
    Entry& entry = entries_[i];
    // An ordinary reference was reported by the runtime, if it was alive.
    if (entry.field.kind == RootKind::kLocal) entry.target = entry.field.slot_address == object ? 0 : object;
    if (IsBox(entry.field) && IsContentOf(object, entry.field.slot_address) && entry.field.boxed_type == type.name)
      entry.object = object;
  }
  LookInSlots(last_, type, slots);
}

void StaticResolver::LookInContinued(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                                     const std::vector<snapshot::Type>& types) {
  if (header.continued_slots == 0 || last_.object != header.continued_object) return;
  LookInSlots(last_, types[header.continued_type],
              {header.continued_slot, std::span(chunk.targets).first(header.continued_slots)});
}

void StaticResolver::LookInSlots(const SlotArray& array, const snapshot::Type& type, Slots slots) {
  bool has_statics = false;
  for (size_t i = array.begin; i < array.end; ++i) {
    Entry& entry = entries_[i];
    if (!IsInSlotArray(entry.field)) continue;
    has_statics = true;
    const int64_t slot = SlotNumber(type, entry.field.slot_address - array.object);
    const int64_t within = slot - static_cast<int64_t>(slots.first);
    if (slot < 0 || within < 0 || within >= static_cast<int64_t>(slots.targets.size())) continue;
    entry.object = array.object;
    entry.target = slots.targets[static_cast<size_t>(within)];
  }
  if (has_statics && IsReferenceArray(type)) AddUnknown(array, type, slots);
}

void StaticResolver::AddUnknown(const SlotArray& array, const snapshot::Type& type, Slots slots) {
  size_t owner = array.begin;
  while (!IsInSlotArray(entries_[owner].field)) ++owner;
  for (size_t k = 0; k < slots.targets.size(); ++k) {
    const uint64_t address = array.object + type.elements_offset + (slots.first + k) * type.layout.component_size;
    if (slots.targets[k] == 0 || HasName(array.begin, array.end, address)) continue;
    unknown_.push_back({array.object, address, slots.targets[k], owner});
  }
}

bool StaticResolver::HasName(size_t from, size_t end, uint64_t address) const {
  for (size_t i = std::max(from, FirstFrom(address)); i < end && entries_[i].field.slot_address == address; ++i)
    if (IsInSlotArray(entries_[i].field) && !entries_[i].field.name.empty()) return true;
  return false;
}

// ---- when all have passed --------------------------------------------------------------------------

// A thread's arrays were taken down in the pause; those of classes are known by the handle that holds them.
std::vector<uint64_t> StaticResolver::HeldArrays(const std::vector<snapshot::Root>& roots) const {
  std::vector<uint64_t> handles, held;
  for (const snapshot::Root& root : roots)
    if (IsHandle(root)) handles.push_back(root.object);
  std::sort(handles.begin(), handles.end());
  for (const Entry& entry : entries_)
    if (entry.object != 0 && !IsBox(entry.field) &&
        (entry.field.kind == RootKind::kThreadStatic || Has(handles, entry.object)))
      held.push_back(entry.object);
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  return held;
}

void StaticResolver::AddTo(std::vector<snapshot::Root>& roots) const {
  const std::vector<uint64_t> held = HeldArrays(roots);
  for (snapshot::Root& root : roots) {
    if (!IsHandle(root) || !Has(held, root.object)) continue;
    root.kind = RootKind::kOther;
    root.name = kStaticSlots;
  }
  const auto add = [&](const protocol::Static& field, const std::string& name, uint64_t slot, uint64_t target) {
    snapshot::Root root;
    root.kind = field.kind;
    root.object = target;
    root.source = slot;
    root.name = name;
    root.thread = field.thread;
    roots.push_back(std::move(root));
  };
  for (const Entry& entry : entries_)
    if (entry.target != 0 && IsInSlotArray(entry.field) && !entry.field.name.empty() && Has(held, entry.object))
      add(entry.field, entry.field.name, entry.field.slot_address, entry.target);
  const NamedBoxes boxes = Boxes();
  for (const UnknownSlot& slot : unknown_) {
    if (!Has(held, slot.array)) continue;
    const auto box = boxes.find(slot.target);
    add(entries_[slot.entry].field, box == boxes.end() ? kUnknownStatic : *box->second, slot.slot, slot.target);
  }
  AddStackRoots(roots);
}

StaticResolver::NamedBoxes StaticResolver::Boxes() const {
  NamedBoxes boxes;
  for (const Entry& entry : entries_)
    if (IsBox(entry.field) && entry.object != 0) boxes[entry.object] = &entry.field.name;
  return boxes;
}

void StaticResolver::AddStackRoots(std::vector<snapshot::Root>& roots) const {
  std::vector<uint64_t> known;
  for (const snapshot::Root& root : roots)
    if (root.kind != RootKind::kHandleWeak) known.push_back(root.object);
  std::sort(known.begin(), known.end());
  std::vector<const Entry*> found;
  for (const Entry& entry : entries_)
    if (entry.field.kind == RootKind::kLocal && entry.target != 0 && !Has(known, entry.target)) found.push_back(&entry);
  uint64_t previous = 0;  // entries are in the order of their addresses, and so are their objects
  for (const Entry* entry : found) {
    if (entry->target == previous) {
      if (roots.back().thread != entry->field.thread) roots.back().thread = snapshot::kNoId;
      continue;
    }
    previous = entry->target;
    snapshot::Root root;
    root.kind = RootKind::kLocal;
    root.object = entry->target;
    root.thread = entry->field.thread;
    root.certain = false;
    root.interior = true;
    roots.push_back(std::move(root));
  }
}

std::vector<std::string> StaticResolver::Unresolved() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    if (entry.object == 0 && IsInSlotArray(entry.field) && !entry.field.name.empty()) names.push_back(entry.field.name);
  return names;
}

}  // namespace cairn::client
