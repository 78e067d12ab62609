#pragma once
// The values of a query as cells of a table.

#include <span>
#include <string>
#include <vector>

#include "snapshot-format/sql/value.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

Cell CellOf(const sql::Value& value);
std::vector<Column> QueryColumns(const std::vector<std::string>& names);
// Numbers are right-aligned where the first row has numbers.
void AlignBy(std::span<const sql::Value> first_row, std::vector<Column>& columns);

}  // namespace cairn::presentation
