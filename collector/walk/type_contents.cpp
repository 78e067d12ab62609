#include "collector/walk/type_contents.h"

#include "collector/contents/content_plan.h"

namespace cairn::collector {
namespace {

constexpr uint32_t kWordBytes = 4;  // two small numbers beside each other are better off as two

// Everything between the MethodTable and the end that is no reference.
void KeepAllWords(const LayoutPolicy& layout, WalkedType& walked, SlotList& list) {
  const uint32_t end = walked.base_size - layout.pointer_size;
  uint32_t next_reference = 0;
  for (uint32_t at = layout.pointer_size; at + kWordBytes <= end;) {
    if (next_reference < walked.fixed_slot_count && walked.slots[next_reference] == at) {
      ++next_reference;
      at += layout.pointer_size;
      continue;
    }
    if (list.count == list.capacity || list.count == stream::kMaxValueSlots) return;
    list.slots[list.count++] = stream::Packed({at, kWordBytes});
    at += kWordBytes;
  }
}

}  // namespace

void FindContents(const LayoutPolicy& layout, const MethodTableHead& head, WalkedType& walked, SlotList& free_slots) {
  const ContentPlan* const plan = layout.contents;
  if (plan == nullptr || walked.is_free) return;
  if (head.HasComponents()) {
    const bool is_string = head.IsString(layout);
    walked.has_hash = plan->hashes && !head.ContainsPointers() && (is_string || head.IsArray());
    walked.has_text = plan->texts && is_string;
    return;
  }
  const ShapeTable::Shape* const shape = plan->shapes.Find(walked.method_table);
  if (shape != nullptr) __builtin_memcpy(walked.code, shape->code, sizeof walked.code);
  if (plan->values) {
    KeepAllWords(layout, walked, free_slots);
    walked.value_slots = free_slots.slots;
    walked.value_slot_count = free_slots.count;
  } else if (shape != nullptr) {
    walked.value_slots = shape->slots.data();
    walked.value_slot_count = static_cast<uint32_t>(shape->slots.size());
  }
}

}  // namespace cairn::collector
