#include "collector/client/static_resolver.h"

#include <algorithm>

namespace cairn::client {
namespace {

int64_t IndexOf(const std::vector<uint32_t>& offsets, uint64_t offset) {
  const auto found = std::find(offsets.begin(), offsets.end(), offset);
  return found == offsets.end() ? -1 : found - offsets.begin();
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

void StaticResolver::Add(std::vector<protocol::Static> statics) {
  for (auto& field : statics) entries_.push_back({std::move(field)});
  sorted_ = false;
}

size_t StaticResolver::FirstFrom(uint64_t address) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), address,
                                   [](const Entry& entry, uint64_t value) { return entry.field.slot_address < value; });
  return static_cast<size_t>(at - entries_.begin());
}

void StaticResolver::Look(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                          const std::vector<snapshot::Type>& types) {
  if (entries_.empty()) return;
  if (!sorted_)
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.field.slot_address < b.field.slot_address; });
  sorted_ = true;
  LookInContinued(header, chunk, types);
  LookInObjects(header, chunk, types);
}

void StaticResolver::LookInObjects(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                                   const std::vector<snapshot::Type>& types) {
  if (chunk.addresses.empty()) return;
  for (size_t i = FirstFrom(header.first_address); i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.field.slot_address >= header.end_address) return;
    const auto after = std::upper_bound(chunk.addresses.begin(), chunk.addresses.end(), entry.field.slot_address);
    const auto object = static_cast<size_t>(after - chunk.addresses.begin()) - 1;
    const int64_t slot = SlotNumber(types[chunk.types[object]], entry.field.slot_address - chunk.addresses[object]);
    // Slots past those in this chunk follow in the next ones.
    if (slot < 0 || slot >= chunk.first_slot[object + 1] - int64_t{chunk.first_slot[object]}) continue;
    entry.target = chunk.targets[chunk.first_slot[object] + static_cast<size_t>(slot)];
    entry.found = true;
  }
}

void StaticResolver::LookInContinued(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                                     const std::vector<snapshot::Type>& types) {
  if (header.continued_slots == 0) return;
  const snapshot::Type& type = types[header.continued_type];
  const auto first = static_cast<int64_t>(header.continued_slot);
  for (size_t i = FirstFrom(header.continued_object); i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const int64_t slot = SlotNumber(type, entry.field.slot_address - header.continued_object);
    if (slot >= first + header.continued_slots) return;
    if (slot < first) continue;
    entry.target = chunk.targets[static_cast<size_t>(slot - first)];
    entry.found = true;
  }
}

std::vector<snapshot::Root> StaticResolver::Roots() const {
  std::vector<snapshot::Root> roots;
  for (const Entry& entry : entries_) {
    if (entry.target == 0) continue;
    snapshot::Root root;
    root.kind = snapshot::RootKind::kStatic;
    root.object = entry.target;
    root.source = entry.field.slot_address;
    root.name = entry.field.name;
    roots.push_back(std::move(root));
  }
  return roots;
}

std::vector<std::string> StaticResolver::Unresolved() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    if (!entry.found) names.push_back(entry.field.name);
  return names;
}

}  // namespace cairn::client
