#pragma once
// Sampled allocations as tables. They read the report that they are made from, which must outlive them.

#include <memory>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

enum class AllocationsBy { kType, kStack, kMethod };

std::unique_ptr<Table> AllocationTable(const snapshot::Sampling& sampling, AllocationsBy by);

}  // namespace cairn::presentation
