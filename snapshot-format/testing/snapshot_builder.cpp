#include "snapshot-format/testing/snapshot_builder.h"

#include <algorithm>

namespace cairn::snapshot::testing {
using stream::AlignUp;

namespace {

constexpr uint64_t kFirstRange = 0x7F0000001000;
constexpr uint64_t kRangeDistance = 0x100000;

Error Misuse(const std::string& what) { return {ErrorKind::kFailed, "builder.misuse", "SnapshotBuilder: " + what, ""}; }

std::vector<stream::TypeLayout> Layouts(const std::vector<Type>& types) {
  std::vector<stream::TypeLayout> layouts;
  for (const Type& type : types) layouts.push_back(type.layout);
  return layouts;
}

// Reference fields or component slots as fields of the type.
Field ReferenceField(std::string name, uint32_t offset) {
  return {std::move(name), offset, FieldKind::kReference, 0x1C, "System.Object"};
}

}  // namespace

Target Target::Address(uint64_t address) {
  Target target;
  target.address_ = address;
  return target;
}

SnapshotBuilder::SnapshotBuilder() {
  snapshot::Process& process = summary_.process;
  process.pid = 4242;
  process.name = "shop";
  process.command_line = "dotnet shop.dll";
  process.runtime = "10.0.12";
  process.gc_mode = "workstation";
  process.architecture = "x64";
  snapshot::Capture& capture = summary_.capture;
  capture.id = "00112233445566778899aabbccddeeff";
  capture.captured_at = "2026-01-02T03:04:05Z";
  capture.cairn_version = CAIRN_VERSION;
  capture.gc_requested = capture.gc_actual = capture.roots = "full";
  capture.method = "pause";
  summary_.complete = true;
}

SnapshotBuilder& SnapshotBuilder::SetPointerSize(uint8_t bytes) {
  summary_.process.pointer_size = bytes;
  summary_.process.address_shift = bytes == 4 ? 2 : 3;
  summary_.process.architecture = bytes == 4 ? "x86" : "x64";
  return *this;
}

uint32_t SnapshotBuilder::Class(const std::string& name, std::vector<std::string> references, uint32_t data_bytes) {
  const uint32_t pointer = summary_.process.pointer_size;
  Type type;
  type.name = name;
  type.kind = TypeKind::kClass;
  std::vector<Field> fields;
  uint32_t offset = pointer;
  for (std::string& reference : references) {
    type.fixed_slots.push_back(offset);
    fields.push_back(ReferenceField(std::move(reference), offset));
    offset += pointer;
  }
  if (data_bytes != 0) fields.push_back({"data", offset, FieldKind::kPrimitive, 0x08, "System.Int32"});
  type.layout.base_size = std::max<uint64_t>(MinimumSize(), uint64_t{pointer} + offset + data_bytes);
  return AddType(std::move(type), std::move(fields));
}

uint32_t SnapshotBuilder::ReferenceArray(const std::string& name, const std::string& element) {
  const uint32_t id = StructArray(name, summary_.process.pointer_size, {{"", 0}});
  TypeAt(id).element = element;
  FieldsAt(id).clear();
  return id;
}

uint32_t SnapshotBuilder::StructArray(const std::string& name, uint32_t component_bytes,
                                      std::vector<ComponentSlot> slots) {
  const uint32_t pointer = summary_.process.pointer_size;
  Type type;
  type.name = name;
  type.kind = TypeKind::kArray;
  type.rank = 1;
  type.layout.base_size = MinimumSize();  // header, MethodTable, length
  type.layout.component_size = component_bytes;
  type.elements_offset = 2 * pointer;
  std::vector<Field> fields;
  for (ComponentSlot& slot : slots) {
    type.element_slots.push_back(slot.offset);
    fields.push_back(ReferenceField(std::move(slot.name), slot.offset));
  }
  return AddType(std::move(type), std::move(fields));
}

uint32_t SnapshotBuilder::String() {
  Type type;
  type.name = "System.String";
  type.kind = TypeKind::kString;
  // Header, MethodTable, 4 bytes of length, 2 of the final zero: 22 on 64 bit, 14 on 32 bit.
  type.layout.base_size = 2ull * summary_.process.pointer_size + 6;
  type.layout.component_size = 2;
  type.elements_offset = summary_.process.pointer_size + 4u;
  return AddType(std::move(type));
}

uint32_t SnapshotBuilder::ExplicitType(const std::string& name) {
  Type type;
  type.name = name;
  type.layout.component_size = 1;
  type.layout.explicit_slots = true;
  return AddType(std::move(type));
}

uint32_t SnapshotBuilder::AddType(Type type, std::vector<Field> fields) {
  type.layout.fixed_slots = static_cast<uint32_t>(type.fixed_slots.size());
  type.layout.element_slots = static_cast<uint32_t>(type.element_slots.size());
  if (type.method_table == 0) type.method_table = 0x7E0000000000 + types_.size() * 0x100;
  types_.push_back(std::move(type));
  fields_.push_back(std::move(fields));
  return static_cast<uint32_t>(types_.size() - 1);
}

SnapshotBuilder& SnapshotBuilder::ValueField(uint32_t type, const std::string& name, uint32_t bytes,
                                             uint8_t element_type, const std::string& type_name) {
  const uint32_t pointer = summary_.process.pointer_size;
  snapshot::Type& target = types_.at(type);
  uint32_t& end = data_end_[type];
  if (end == 0) {
    end = pointer + target.layout.fixed_slots * pointer;
    for (const Field& field : fields_.at(type)) end = std::max(end, field.offset + pointer);
  }
  const auto offset = static_cast<uint32_t>(AlignUp(end, bytes));
  end = offset + bytes;
  const stream::ValueSlot slot{offset, bytes};
  if (!IsValid(slot)) misuse_ = "no value has " + std::to_string(bytes) + " bytes";
  target.value_slots.push_back(Packed(slot));
  target.layout.value_slots = static_cast<uint32_t>(target.value_slots.size());
  target.layout.base_size = std::max<uint64_t>(target.layout.base_size, AlignUp(pointer + end, pointer));
  fields_.at(type).push_back({name, offset, FieldKind::kPrimitive, element_type, type_name});
  return *this;
}

uint32_t SnapshotBuilder::Module(const std::string& name, bool collectible) {
  summary_.modules.push_back({name, "/app/" + name, collectible});
  return static_cast<uint32_t>(summary_.modules.size() - 1);
}

SnapshotBuilder& SnapshotBuilder::LoaderAllocator(uint32_t type, Target allocator) {
  types_.at(type).collectible = true;
  loader_allocators_[type] = std::move(allocator);
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Range(Generation generation, uint64_t start) {
  snapshot::Range range;
  const bool first = summary_.ranges.empty();
  const uint64_t end = first ? 0 : summary_.ranges.back().start + summary_.ranges.back().length;
  range.start = start != 0 ? start : first ? kFirstRange : AlignUp(end, kRangeDistance) + kRangeDistance;
  if (summary_.process.pointer_size == 4 && start == 0) range.start &= 0x7FFFFFFF;
  range.generation = generation;
  range.alignment = summary_.process.pointer_size == 4 && generation <= Generation::kGen2 ? 4 : 8;
  summary_.ranges.push_back(range);
  return *this;
}

snapshot::Range& SnapshotBuilder::CurrentRange() {
  if (summary_.ranges.empty()) Range(Generation::kGen2);
  return summary_.ranges.back();
}

ObjectHandle SnapshotBuilder::Object(const std::string& name, uint32_t type, std::vector<Target> targets) {
  return Place(name, type, 0, 0, std::move(targets));
}

ObjectHandle SnapshotBuilder::Array(const std::string& name, uint32_t type, uint64_t length,
                                    std::vector<Target> targets) {
  return Place(name, type, length, 0, std::move(targets));
}

ObjectHandle SnapshotBuilder::Explicit(const std::string& name, uint32_t type, uint64_t bytes,
                                       std::vector<Target> targets) {
  const uint64_t slots = targets.size();
  return Place(name, type, bytes, slots, std::move(targets));
}

ObjectHandle SnapshotBuilder::Place(const std::string& name, uint32_t type, uint64_t length, uint64_t explicit_slots,
                                    std::vector<Target> targets) {
  const ObjectHandle handle{static_cast<uint32_t>(objects_.size())};
  snapshot::Range& range = CurrentRange();
  const stream::TypeLayout& layout = types_.at(type).layout;
  BuiltObject object;
  object.type = type;
  object.range = static_cast<uint32_t>(summary_.ranges.size() - 1);
  object.address = range.start + range.length;
  const uint64_t size = AlignUp(layout.base_size + layout.component_size * length, range.alignment);
  object.end = object.address + size;
  object.length = length;
  object.slots = SlotCount(layout, length, explicit_slots);
  range.length += size;
  objects_.push_back(std::move(object));
  if (!name.empty() && !names_.emplace(name, handle.index).second) misuse_ = "two objects are called " + name;
  for (size_t slot = 0; slot < targets.size(); ++slot) Refer(handle, slot, std::move(targets[slot]));
  return handle;
}

SnapshotBuilder& SnapshotBuilder::Refer(ObjectHandle from, uint64_t slot, Target to) {
  BuiltObject& object = objects_.at(from.index);
  if (slot >= object.slots) misuse_ = "object " + std::to_string(from.index) + " has no slot " + std::to_string(slot);
  object.targets[slot] = std::move(to);
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Gap(uint64_t bytes) {
  snapshot::Range& range = CurrentRange();
  if (bytes == 0 || bytes % range.alignment != 0)
    misuse_ = "a gap of " + std::to_string(bytes) + " bytes is not aligned";
  range.length += bytes;
  ++range.free_objects;
  range.free_bytes += bytes;
  range.largest_free = std::max(range.largest_free, bytes);
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Value(ObjectHandle object, const std::string& field, int64_t value) {
  BuiltObject& built = objects_.at(object.index);
  const snapshot::Type& type = types_.at(built.type);
  built.values.resize(type.value_slots.size());
  for (const Field& candidate : fields_.at(built.type)) {
    for (size_t i = 0; candidate.name == field && i < type.value_slots.size(); ++i) {
      if (stream::UnpackedValueSlot(type.value_slots[i]).offset != candidate.offset) continue;
      built.values[i] = value;
      return *this;
    }
  }
  misuse_ = type.name + " keeps no value " + field;
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Hash(ObjectHandle object, uint64_t hash) {
  BuiltObject& built = objects_.at(object.index);
  built.hash = hash;
  types_.at(built.type).layout.has_hash = true;
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Text(ObjectHandle object, const std::string& text, bool cut) {
  BuiltObject& built = objects_.at(object.index);
  built.text = text;
  built.text_cut = cut;
  types_.at(built.type).layout.has_text = true;
  return *this;
}

ObjectHandle SnapshotBuilder::StringOf(const std::string& name, uint32_t type, const std::string& text) {
  const ObjectHandle handle = Array(name, type, text.size());
  uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const char letter : text) hash = (hash ^ static_cast<uint8_t>(letter)) * 0x100000001B3;
  Hash(handle, hash);
  return summary_.capture.strings == "all" ? (Text(handle, text), handle) : handle;
}

SnapshotBuilder& SnapshotBuilder::Method(uint64_t address, const std::string& name) {
  summary_.methods.push_back({address, name});
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Root(RootKind kind, Target object, const std::string& name) {
  snapshot::Root root;
  root.kind = kind;
  root.name = name;
  return AddRoot(std::move(root), std::move(object));
}

SnapshotBuilder& SnapshotBuilder::AddRoot(snapshot::Root root, Target object) {
  roots_.push_back({std::move(root), std::move(object)});
  return *this;
}

SnapshotBuilder& SnapshotBuilder::Dependent(Target primary, Target secondary) {
  dependents_.emplace_back(std::move(primary), std::move(secondary));
  return *this;
}

uint32_t SnapshotBuilder::Thread(const std::string& name, uint32_t os_id, uint32_t managed_id) {
  summary_.threads.push_back({os_id, managed_id, name});
  return static_cast<uint32_t>(summary_.threads.size() - 1);
}

SnapshotBuilder& SnapshotBuilder::Problem(const std::string& code, const std::string& message, bool incomplete) {
  summary_.problems.push_back({code, message, incomplete});
  if (incomplete) summary_.complete = false;
  return *this;
}

uint64_t SnapshotBuilder::AddressOf(Target object) const { return Resolve(object).value_or(0); }

SnapshotBuilder& SnapshotBuilder::BeforeChunk(std::function<void(stream::ChunkHeader&)> change) {
  before_chunk_ = std::move(change);
  return *this;
}

SnapshotBuilder& SnapshotBuilder::BeforeFinish(std::function<void(Summary&)> change) {
  before_finish_ = std::move(change);
  return *this;
}

Result<uint64_t> SnapshotBuilder::Resolve(const Target& target) const {
  if (target.by_handle_) {
    if (target.object_ < objects_.size()) return objects_[target.object_].address;
    return tl::make_unexpected(Misuse("there is no object " + std::to_string(target.object_)));
  }
  if (target.name_.empty()) return target.address_;
  const auto found = names_.find(target.name_);
  if (found == names_.end()) return tl::make_unexpected(Misuse("no object is called " + target.name_));
  return objects_[found->second].address;
}

Result<PlacedObject> SnapshotBuilder::Resolve(const BuiltObject& object) const {
  PlacedObject placed{object.type, object.address, object.end,  object.length, object.slots,
                      {},          object.values,  object.hash, object.text,   object.text_cut};
  for (const auto& [slot, target] : object.targets) {
    const Result<uint64_t> address = Resolve(target);
    if (!address) return tl::make_unexpected(address.error());
    if (*address != 0) placed.targets.emplace_back(slot, *address);
  }
  return placed;
}

Status SnapshotBuilder::ResolveSummary(Summary& summary) const {
  const auto resolve = [this](const Target& target, uint64_t& out) -> Status {
    const Result<uint64_t> address = Resolve(target);
    if (!address) return tl::make_unexpected(address.error());
    out = *address;
    return {};
  };
  for (const auto& [type, allocator] : loader_allocators_) {
    CAIRN_TRY(resolve(allocator, summary.types.at(type).loader_allocator));
  }
  for (const BuiltRoot& root : roots_) {
    summary.roots.push_back(root.root);
    CAIRN_TRY(resolve(root.object, summary.roots.back().object));
  }
  for (const auto& [primary, secondary] : dependents_) {
    snapshot::Dependent& dependent = summary.dependents.emplace_back();
    CAIRN_TRY(resolve(primary, dependent.primary));
    CAIRN_TRY(resolve(secondary, dependent.secondary));
  }
  return {};
}

void SnapshotBuilder::CountObjects(Summary& summary) const {
  for (const BuiltObject& object : objects_) {
    const uint64_t bytes = object.end - object.address;
    snapshot::Range& range = summary.ranges[object.range];
    ++range.objects;
    range.bytes += bytes;
    for (const auto& [slot, target] : object.targets) range.edges += AddressOf(target) != 0;
    ++summary.types[object.type].objects;
    summary.types[object.type].bytes += bytes;
  }
  for (snapshot::Range& range : summary.ranges) range.walked = range.reserved = range.length;
  FillTotals(summary);
}

Result<Summary> SnapshotBuilder::MakeSummary() const {
  if (!misuse_.empty()) return tl::make_unexpected(Misuse(misuse_));
  Summary summary = summary_;
  summary.types = types_;
  std::ranges::sort(summary.methods, {}, &snapshot::Method::address);
  if (Status status = ResolveSummary(summary); !status) return tl::make_unexpected(status.error());
  CountObjects(summary);
  return summary;
}

Status SnapshotBuilder::Encode(SnapshotWriter& writer) const {
  Status status;
  const std::vector<stream::TypeLayout> layouts = Layouts(types_);
  const auto store = [&](stream::ChunkHeader header, const stream::ChunkColumns& columns) -> Status {
    if (before_chunk_) before_chunk_(header);
    std::vector<std::vector<uint8_t>> frames;
    std::vector<StoredColumn> stored;
    for (const stream::ColumnKind kind : stream::kAllColumns) {
      const std::span<const uint8_t> raw = columns.column[ColumnSlot(kind)];
      Result<std::vector<uint8_t>> frame = CompressColumn(raw);
      if (!frame) return tl::make_unexpected(frame.error());
      frames.push_back(std::move(*frame));
      stored.push_back({kind, static_cast<uint32_t>(raw.size()), frames.back()});
    }
    return writer.AddChunk(header, stored);
  };
  ObjectEncoder encoder(layouts, summary_.process.address_shift, [&](const auto& header, const auto& columns) {
    if (status) status = store(header, columns);
  });
  size_t next = 0;
  for (uint32_t range = 0; range < summary_.ranges.size(); ++range) {
    encoder.BeginRange(range);
    for (; next < objects_.size() && objects_[next].range == range; ++next) {
      const Result<PlacedObject> placed = Resolve(objects_[next]);
      if (!placed) return tl::make_unexpected(placed.error());
      encoder.Add(*placed);
    }
    encoder.EndRange();
  }
  return status;
}

Result<uint64_t> SnapshotBuilder::Write(const std::string& path, const std::string& vfs) {
  Result<Summary> summary = MakeSummary();
  if (!summary) return tl::make_unexpected(summary.error());
  Result<std::unique_ptr<SnapshotWriter>> writer = SnapshotWriter::Create(path, {.overwrite = true, .vfs = vfs});
  if (!writer) return tl::make_unexpected(writer.error());
  const auto chunk_hook = before_chunk_;
  before_chunk_ = [&](stream::ChunkHeader& header) {
    ++summary->totals.chunks;
    if (chunk_hook) chunk_hook(header);
  };
  Status status = Encode(**writer);
  before_chunk_ = chunk_hook;
  for (uint32_t type = 0; status && type < fields_.size(); ++type) status = (*writer)->AddFields(type, fields_[type]);
  if (!status) return tl::make_unexpected(status.error());
  if (before_finish_) before_finish_(*summary);
  return (*writer)->Finish(*summary);
}

}  // namespace cairn::snapshot::testing
