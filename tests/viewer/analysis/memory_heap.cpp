#include "tests/viewer/analysis/memory_heap.h"

#include <stdexcept>

namespace cairn::analysis::testing {
namespace {

constexpr uint64_t kNowhereAddress = 0x7FFF00000000;

std::string NameAt(const std::vector<std::string>& names, size_t i) {
  return i < names.size() ? names[i] : "f" + std::to_string(i);
}

}  // namespace

class MemoryCursor : public ChunkCursor {
 public:
  explicit MemoryCursor(const MemoryHeap& heap) : heap_(heap) {}

  Status Read(size_t chunk, stream::DecodedChunk& out) override {
    const auto& header = heap_.chunks_[chunk].header;
    const uint64_t first = heap_.chunks_[chunk].first_object;
    out = {};
    if (header.continued_slots) {
      const auto& array = heap_.objects_[first - 1];
      for (uint64_t i = 0; i < header.continued_slots; ++i)
        out.targets.push_back(heap_.TargetOf(array, header.continued_slot + i));
    }
    for (uint64_t i = first; i < first + header.object_count; ++i) {
      const auto& object = heap_.objects_[i];
      out.types.push_back(object.type);
      out.addresses.push_back(object.address);
      out.sizes.push_back(object.size);
      out.lengths.push_back(object.length);
      out.slots.push_back(object.slots);
      out.first_slot.push_back(static_cast<uint32_t>(out.targets.size()));
      for (uint64_t s = 0; s < object.slots && out.targets.size() < header.slot_count; ++s)
        out.targets.push_back(heap_.TargetOf(object, s));
    }
    out.first_slot.push_back(static_cast<uint32_t>(out.targets.size()));
    return {};
  }

  Status ReadSlotMap(size_t chunk, stream::SlotMap& out) override {
    stream::DecodedChunk decoded;
    CAIRN_TRY(Read(chunk, decoded));
    out.Reset(static_cast<uint32_t>(decoded.types.size()), static_cast<uint32_t>(decoded.targets.size()));
    out.first_slot = decoded.first_slot;
    for (uint32_t slot = 0; slot < decoded.targets.size(); ++slot)
      if (decoded.targets[slot] == 0) out.MarkNull(slot, slot + 1);
    return {};
  }

  Result<std::vector<snapshot::Field>> Fields(uint32_t type) override { return heap_.fields_[type]; }

 private:
  const MemoryHeap& heap_;
};

MemoryHeap::MemoryHeap() {
  summary_.complete = true;
  NewRange(Generation::kGen2);
}

uint32_t MemoryHeap::AddType(const std::string& name, snapshot::Type type, const std::vector<std::string>& names) {
  type.name = name;
  type.layout.fixed_slots = static_cast<uint32_t>(type.fixed_slots.size());
  type.layout.element_slots = static_cast<uint32_t>(type.element_slots.size());
  std::vector<snapshot::Field> fields;
  const auto& offsets = type.layout.component_size ? type.element_slots : type.fixed_slots;
  for (size_t i = 0; i < offsets.size(); ++i)
    if (NameAt(names, i) != "")
      fields.push_back({NameAt(names, i), offsets[i], snapshot::FieldKind::kReference, 0, ""});
  fields_.push_back(std::move(fields));
  summary_.types.push_back(std::move(type));
  return static_cast<uint32_t>(summary_.types.size() - 1);
}

uint32_t MemoryHeap::Class(const std::string& name, uint64_t base_size, std::vector<uint32_t> offsets,
                           std::vector<std::string> names) {
  snapshot::Type type;
  type.kind = TypeKind::kClass;
  type.layout.base_size = base_size;
  type.fixed_slots = std::move(offsets);
  return AddType(name, std::move(type), names);
}

uint32_t MemoryHeap::Array(const std::string& name, uint32_t component_size, std::vector<uint32_t> element_offsets,
                           std::vector<std::string> names) {
  snapshot::Type type;
  type.kind = TypeKind::kArray;
  type.layout.base_size = 24;
  type.layout.component_size = component_size;
  type.element_slots = std::move(element_offsets);
  type.elements_offset = 16;
  return AddType(name, std::move(type), names);
}

void MemoryHeap::MakeCollectible(uint32_t type, uint32_t allocator) {
  summary_.types[type].collectible = true;
  summary_.types[type].loader_allocator = objects_[allocator].address;
}

void MemoryHeap::NewRange(Generation generation) {
  if (!summary_.ranges.empty()) next_address_ = (next_address_ + gap_ + 0x10000) & ~uint64_t{0xFFFF};
  gap_ = 0;
  snapshot::Range range;
  range.start = next_address_;
  range.generation = generation;
  summary_.ranges.push_back(range);
}

uint32_t MemoryHeap::Object(uint32_t type, std::vector<int64_t> targets, uint64_t length) {
  const stream::TypeLayout& layout = summary_.types[type].layout;
  Placed object;
  object.type = type;
  object.range = static_cast<uint32_t>(summary_.ranges.size() - 1);
  object.address = next_address_ + gap_;
  object.length = length;
  object.slots = layout.component_size ? layout.element_slots * length : layout.fixed_slots;
  object.size = stream::AlignUp(layout.base_size + layout.component_size * length, 8);
  object.first = targets_.size();
  object.stored = targets.size();
  if (!targets.empty() && targets.size() != object.slots) throw std::invalid_argument("wrong number of targets");
  targets_.insert(targets_.end(), targets.begin(), targets.end());
  next_address_ = object.address + object.size;
  gap_ = 0;
  summary_.types[type].objects += 1;
  summary_.types[type].bytes += object.size;
  objects_.push_back(object);
  return static_cast<uint32_t>(objects_.size() - 1);
}

void MemoryHeap::Point(uint32_t object, uint64_t slot, int64_t target) {
  const Placed& placed = objects_[object];
  (placed.stored ? targets_[placed.first + slot] : sparse_[{placed.address, slot}]) = target;
}

void MemoryHeap::Root(RootKind kind, uint32_t object, const std::string& name, bool certain) {
  snapshot::Root root;
  root.certain = certain;
  root.kind = kind;
  root.object = objects_[object].address;
  root.source = 0x1000 + 8 * summary_.roots.size();
  root.name = name;
  summary_.roots.push_back(root);
}

void MemoryHeap::Dependent(uint32_t primary, uint32_t secondary) {
  summary_.dependents.push_back({objects_[primary].address, objects_[secondary].address});
}

uint64_t MemoryHeap::TargetOf(const Placed& object, uint64_t slot) const {
  int64_t target = kNull;
  if (object.stored) {
    target = targets_[object.first + slot];
  } else if (const auto set = sparse_.find({object.address, slot}); set != sparse_.end()) {
    target = set->second;
  }
  if (target == kNull) return 0;
  return target == kNowhere ? kNowhereAddress : objects_[static_cast<size_t>(target)].address;
}

void MemoryHeap::CloseChunk(snapshot::ChunkInfo& open) {
  if (!open.header.object_count && !open.header.slot_count) return;
  chunks_.push_back(open);
  const auto range = open.header.range;
  const auto sequence = open.header.sequence;
  const uint64_t first = open.first_object + open.header.object_count;
  open = {};
  open.header.range = range;
  open.header.sequence = sequence + 1;
  open.first_object = first;
}

void MemoryHeap::Finish(uint32_t chunk_objects, uint32_t chunk_slots) {
  snapshot::ChunkInfo open;
  for (const Placed& object : objects_) {
    const bool full = open.header.object_count >= chunk_objects || open.header.slot_count >= chunk_slots;
    if (full || object.range != open.header.range) CloseChunk(open);
    if (object.range != open.header.range) open.header.sequence = 0;
    open.header.range = object.range;
    if (!open.header.object_count) open.header.first_address = object.address;
    ++open.header.object_count;
    open.header.end_address = object.address + object.size;
    const bool divisible = summary_.types[object.type].layout.component_size != 0;
    for (uint64_t slot = 0; slot < object.slots;) {
      const uint64_t room = chunk_slots > open.header.slot_count ? chunk_slots - open.header.slot_count : 0;
      const uint64_t here = divisible ? std::min<uint64_t>(room, object.slots - slot) : object.slots;
      if (here == 0) {
        CloseChunk(open);
        open.header.continued_object = object.address;
        open.header.continued_type = object.type;
        open.header.continued_slot = slot;
        open.header.end_address = object.address + object.size;
        continue;
      }
      open.header.slot_count += static_cast<uint32_t>(here);
      if (open.header.continued_object && !open.header.object_count)
        open.header.continued_slots += static_cast<uint32_t>(here);
      slot += here;
    }
    summary_.ranges[object.range].length = object.address + object.size - summary_.ranges[object.range].start;
  }
  CloseChunk(open);
  summary_.totals.objects = objects_.size();
}

uint64_t MemoryHeap::EdgeCount() const {
  uint64_t edges = sparse_.size();
  for (const int64_t target : targets_) edges += target != kNull;
  return edges;
}

Result<std::unique_ptr<ChunkCursor>> MemoryHeap::NewCursor() const { return std::make_unique<MemoryCursor>(*this); }

HeapGraph BuildGraph(const MemoryHeap& heap) {
  Work work;
  auto graph = HeapGraph::Build(heap, work, 2);
  if (!graph) throw std::runtime_error(graph.error().message);
  return std::move(*graph);
}

}  // namespace cairn::analysis::testing
