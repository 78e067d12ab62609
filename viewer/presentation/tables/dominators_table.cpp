#include "viewer/presentation/tables/dominators_table.h"

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

std::vector<Column> DominatorsTable::Columns() const {
  Column type{"type", "Type"};
  type.place = 1;
  Column share{"share", "Share"};
  share.shown = Shown::kTextOnly;
  return {{"object", "Object", Format::kObject},      type,
          {"bytes", "Bytes", Format::kBytes},         {"retained", "Retained", Format::kBytes},
          {"dominated", "Dominated", Format::kCount}, share};
}

std::vector<Cell> DominatorsTable::Row(uint64_t index) const {
  const session::DominatedRow& row = list_.children.at(index);
  return {uint64_t{row.object.value},
          TypeName(summary_.types.at(row.type.value)),
          row.bytes,
          row.retained,
          row.dominated,
          Percentage(row.retained, whole_)};
}

}  // namespace cairn::presentation
