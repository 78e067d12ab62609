#pragma once
// The cells of one column as numbers that compare as the cells do.
// Thread rule: pure functions apart from the table's own.

#include <cstdint>
#include <span>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/analysis/work.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// One key per row of `rows`: rows without a value first, then as values compare; texts by their bytes. 8 bytes each;
// of texts each distinct one is kept while they are ranked. Errors: cancelled and memory.exhausted.
Result<std::vector<uint64_t>> ColumnKeys(const Table& table, size_t column, std::span<const uint32_t> rows,
                                         analysis::Work& work);

}  // namespace cairn::presentation
