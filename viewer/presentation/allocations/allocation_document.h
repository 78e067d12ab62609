#pragma once
// The contract's JSON of sampled allocations.

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/allocations/allocation_tables.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {

// All types with all their stacks; with another `by` also those rows, as "by_stack" or "by_method".
void PutAllocations(JsonDocument& document, const AllocationReport& report, AllocationsBy by);

}  // namespace cairn::presentation
