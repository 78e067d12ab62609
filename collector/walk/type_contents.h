#pragma once
// What is kept of a type's objects, found out when the type is met.
// Call-site rule: inside the pause; no allocation, no lock.

#include "collector/walk/method_table.h"
#include "collector/walk/walked_type.h"

namespace cairn::collector {

// Fills the members of `walked` that tell of contents; its slots are known. Where every value is kept, their places
// are put into `free_slots`, whose count is how many were put there.
void FindContents(const LayoutPolicy& layout, const MethodTableHead& head, WalkedType& walked, SlotList& free_slots);

}  // namespace cairn::collector
