#include "viewer/presentation/tables/listed_objects_table.h"

#include <algorithm>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/tables/objects_table.h"
#include "viewer/session/dominance.h"
#include "viewer/session/object_order.h"

namespace cairn::presentation {

ListedObjectsTable::ListedObjectsTable(std::shared_ptr<session::SnapshotSession> session, bool reachable)
    : session_(std::move(session)), type_names_(TypeNames(session_->GetSummary())), reachable_(reachable) {}

Result<std::shared_ptr<const ListedObjectsTable>> ListedObjectsTable::List(
    std::shared_ptr<session::SnapshotSession> session, const session::ObjectRequest& request, bool reversed,
    analysis::Work& work) {
  std::shared_ptr<ListedObjectsTable> table(new ListedObjectsTable(std::move(session), !request.unreachable));
  const auto graph = table->session_->Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto dominance = table->session_->Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  table->graph_ = *graph;
  table->dominance_ = *dominance;
  auto ordered = session::OrderObjects(**graph, **dominance, request, work);
  if (!ordered) return tl::make_unexpected(std::move(ordered).error());
  table->objects_ = std::move(ordered->objects);
  table->bytes_ = ordered->total.bytes;
  if (reversed) std::reverse(table->objects_.begin(), table->objects_.end());
  return table;
}

// Garbage retains nothing.
std::vector<Column> ListedObjectsTable::Columns() const {
  std::vector<Column> columns = ObjectColumns();
  for (Column& column : columns)
    if (column.key == "retained" && !reachable_) column.shown = Shown::kDataOnly;
  return columns;
}

// Cannot fail: the object was listed, and what the answer needs is computed.
session::ObjectInfo ListedObjectsTable::InfoAt(uint64_t row) const {
  analysis::Work work;
  const auto info = session_->Object(session::ObjectIndex(objects_.at(row)), work);
  return info ? *info : session::ObjectInfo{};
}

const std::string& ListedObjectsTable::TypeAt(uint64_t row) const { return type_names_.at(InfoAt(row).type.value); }

std::vector<Cell> ListedObjectsTable::Row(uint64_t row) const {
  const session::ObjectInfo info = InfoAt(row);
  return ObjectCells(info, type_names_.at(info.type.value));
}

// For sorting millions of rows: the columns of ObjectColumns without the others of the row.
Cell ListedObjectsTable::At(uint64_t row, size_t column) const {
  enum { kObject, kAddress, kType, kBytes, kRetained, kGeneration };
  const session::ObjectIndex object(objects_.at(row));
  if (column == kObject) return uint64_t{object.value};
  if (column == kType) return type_names_.at(graph_->TypeOf(object).value);
  if (column == kBytes) return graph_->SizeOf(object);
  if (column == kRetained && reachable_) return dominance_->Retained(object);
  if (column == kGeneration) return std::string(snapshot::GenerationName(graph_->GenerationOf(object)));
  return Row(row).at(column);
}

}  // namespace cairn::presentation
