#include "collector/walk/type_table.h"

#include <new>

#include "collector/walk/pages.h"
#include "collector/walk/type_contents.h"

namespace cairn::collector {
namespace {

// On a heap of a common application.
constexpr uint64_t kOrdinaryTypes = 2048;
constexpr uint64_t kOrdinarySlots = kOrdinaryTypes * 8;

struct Table {
  uint64_t bytes;
  uint64_t ordinary;  // as much of it as is made resident beforehand
};
constexpr Table kTables[] = {
    {TypeTable::kHotBytes, kOrdinaryTypes * sizeof(HotType)},
    {TypeTable::kWalkedBytes, kOrdinaryTypes * sizeof(WalkedType)},
    {TypeTable::kBucketBytes, TypeTable::kFirstBuckets * sizeof(TypeTable::Bucket)},
    {TypeTable::kSlotBytes, kOrdinarySlots * sizeof(uint32_t)},
    {TypeTable::kCellBytes, kOrdinarySlots * sizeof(uint64_t)},
};

SlotShape ShapeOf(const LayoutPolicy& layout, const MethodTableHead& head, uint32_t slots) {
  if (slots == 0) return SlotShape::kNone;
  if (!head.HasComponents()) return slots <= stream::kMaxPredictorCells ? SlotShape::kFixed : SlotShape::kWide;
  const bool is_reference_array = slots == 1 && head.ComponentSize() == layout.pointer_size;
  return is_reference_array ? SlotShape::kDense : SlotShape::kComponents;
}

KeptContents ContentsOf(const WalkedType& type) {
  if (!type.HasContents()) return KeptContents::kNothing;
  if (type.has_text || type.code[0] != 0) return KeptContents::kMore;
  return type.has_hash ? KeptContents::kHash : KeptContents::kValues;  // an array has no values
}

}  // namespace

bool TypeTable::Populate(uint8_t* memory) {
  for (const Table& table : kTables) {
    if (!pages::Populate(memory, stream::AlignUp(table.ordinary, pages::kPageBytes))) return false;
    memory += table.bytes;
  }
  return true;
}

TypeTable::TypeTable(const LayoutPolicy& layout, uint8_t* memory) : layout_(layout) {
  if (memory == nullptr) return;
  hot_ = reinterpret_cast<HotType*>(memory);
  walked_ = reinterpret_cast<WalkedType*>(memory += kHotBytes);
  buckets_ = reinterpret_cast<Bucket*>(memory += kWalkedBytes);
  slots_ = reinterpret_cast<uint32_t*>(memory += kBucketBytes);
  cells_ = reinterpret_cast<uint64_t*>(memory + kSlotBytes);
}

// Method tables are a few words apart in a handful of regions: multiply to spread them.
uint32_t TypeTable::BucketOf(uint64_t method_table) const {
  return static_cast<uint32_t>((method_table >> 2) * 0x9E3779B97F4A7C15u >> 40) & bucket_mask_;
}

HotType* TypeTable::FindSlowly(uint64_t method_table, CacheLine& line) {
  if (buckets_ == nullptr) return nullptr;
  for (uint32_t at = BucketOf(method_table); buckets_[at].method_table != 0; at = (at + 1) & bucket_mask_) {
    if (buckets_[at].method_table != method_table) continue;
    line = {method_table, &hot_[buckets_[at].index]};
    return line.type;
  }
  return nullptr;
}

WalkFault TypeTable::Fetch(uint64_t method_table, uint64_t object) {
  CacheLine& line = LineOf(method_table);
  if (FindSlowly(method_table, line) != nullptr) return WalkFault::kNone;
  WalkFault fault;
  HotType* const added = Add(method_table, object, fault);
  if (added != nullptr) line = {method_table, added};
  return fault;
}

HotType* TypeTable::Add(uint64_t method_table, uint64_t object, WalkFault& fault) {
  MethodTableHead head;
  fault = ReadHead(layout_, method_table, head);
  if (fault != WalkFault::kNone) return nullptr;
  SlotList list{slots_ + slots_used_, slots_ == nullptr ? 0 : kMaxSlots - slots_used_, 0};
  fault = ReadSlots(layout_, method_table, head, list);
  if (fault != WalkFault::kNone) return nullptr;
  WalkedType walked;
  walked.method_table = method_table;
  walked.exemplar = object;
  walked.base_size = head.base_size;
  walked.component_size = head.ComponentSize();
  walked.flags = head.flags;
  walked.collectible = (head.flags & layout_.collectible_flag) != 0;
  walked.is_free = head.IsFree(layout_, method_table);
  walked.elements_offset = head.HasComponents() ? ElementsOffset(layout_, head) : 0;
  (head.HasComponents() ? walked.element_slot_count : walked.fixed_slot_count) = list.count;
  walked.slots = list.count != 0 ? list.slots : nullptr;
  SlotList values{list.slots + list.count, list.capacity - list.count, 0};
  FindContents(layout_, head, walked, values);
  HotType* type = Insert(walked, ShapeOf(layout_, head, list.count), fault);
  if (type != nullptr) slots_used_ += list.count + values.count;
  return type;
}

HotType* TypeTable::AddExplicit(uint64_t method_table, uint64_t object, uint64_t class_id, WalkFault& fault) {
  WalkedType walked;
  walked.method_table = method_table;
  walked.exemplar = object;
  walked.explicit_slots = true;
  walked.class_id = class_id != method_table ? class_id : 0;
  walked.component_size = 1;
  MethodTableHead head;
  if (ReadHead(layout_, method_table, head) == WalkFault::kNone) {
    walked.flags = head.flags;
    walked.collectible = (head.flags & layout_.collectible_flag) != 0;
    walked.is_free = class_id == 0 && head.IsFree(layout_, method_table);
  }
  return Insert(walked, SlotShape::kNone, fault);
}

HotType* TypeTable::Insert(const WalkedType& walked, SlotShape shape, WalkFault& fault) {
  const uint32_t cells = stream::PredictorCellCount(walked.Layout());
  if (hot_ == nullptr || count_ == kMaxTypes || cells > kMaxCells - cells_used_) {
    fault = WalkFault::kTooManyTypes;
    return nullptr;
  }
  HotType* type = new (&hot_[count_]) HotType;
  type->elements_offset = walked.elements_offset;
  type->component_size = walked.component_size;
  type->slots = walked.slots;
  type->slot_count = walked.fixed_slot_count + walked.element_slot_count;
  type->code = stream::MakeShortVarint(count_);
  type->predictor.cells = cells_ + cells_used_;
  type->predictor.cell_count = cells;
  type->shape = shape;
  type->is_free = walked.is_free;
  type->contents = ContentsOf(walked);
  type->has_code = walked.code[0] != 0;
  new (&walked_[count_]) WalkedType(walked);
  walked_[count_].predictor = type->predictor;
  walked_[count_].written_id = count_;

  if (count_ >= (bucket_mask_ + 1) / 2) DoubleBuckets();
  Enter(walked.method_table, count_);
  cells_used_ += cells;
  ++count_;
  fault = WalkFault::kNone;
  return type;
}

void TypeTable::Enter(uint64_t method_table, uint32_t index) {
  uint32_t at = BucketOf(method_table);
  while (buckets_[at].method_table != 0) at = (at + 1) & bucket_mask_;
  buckets_[at] = {method_table, index};
}

// In place: what lies behind is zero still. Never beyond kBuckets, which is twice kMaxTypes.
void TypeTable::DoubleBuckets() {
  for (uint32_t at = 0; at <= bucket_mask_; ++at) buckets_[at] = {};
  bucket_mask_ = 2 * bucket_mask_ + 1;
  for (uint32_t i = 0; i < count_; ++i) Enter(walked_[i].method_table, i);
}

void TypeTable::PutAway() {
  for (CacheLine& line : cache_) line = {};
}

void TypeTable::Clear() {
  for (uint32_t i = 0; i < count_; ++i) {
    uint32_t at = BucketOf(walked_[i].method_table);
    // Every bucket of the run that begins here belongs to a type that goes too.
    for (; buckets_[at].method_table != 0; at = (at + 1) & bucket_mask_) buckets_[at] = {};
  }
  PutAway();
  count_ = slots_used_ = cells_used_ = 0;
  knows_all_ = false;
}

void TypeTable::Renumber(std::span<const uint32_t> order) {
  knows_all_ = true;
  for (uint32_t i = 0; i < count_; ++i) hot_[i].objects = hot_[i].bytes = 0;
  for (uint32_t number = 0; number < order.size(); ++number) {
    hot_[order[number]].code = stream::MakeShortVarint(number);
    walked_[order[number]].written_id = number;
  }
}

std::span<WalkedType> TypeTable::Types() {
  for (uint32_t i = 0; i < count_; ++i) {
    walked_[i].objects = hot_[i].objects;
    walked_[i].bytes = hot_[i].bytes;
  }
  return {walked_, count_};
}

}  // namespace cairn::collector
