#include "viewer/presentation/tables/roots_table.h"

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/root_words.h"

namespace cairn::presentation {

std::vector<Column> RootKindsTable::Columns() const {
  return {{"kind", "Kind"},
          {"roots", "Roots", Format::kCount},
          {"objects", "Objects", Format::kCount},
          {"bytes", "Their bytes", Format::kBytes}};
}

std::vector<Cell> RootKindsTable::Row(uint64_t index) const {
  const session::RootKindRow& row = rows_.at(index);
  return {std::string(snapshot::RootKindName(row.kind)), row.roots, row.targets.objects, row.targets.bytes};
}

std::vector<Column> RootsTable::Columns() const {
  Column thread{"thread", "Thread"}, certain{"certain", "Certain", Format::kFlag};
  thread.hide_if_empty = true;
  return {{"kind", "Kind"}, {"name", "Name"}, thread, certain, {"object", "Object", Format::kObject}, {"type", "Type"}};
}

std::vector<Cell> RootsTable::Row(uint64_t index) const {
  const session::RootInfo& root = roots_.at(index);
  const std::string thread = ThreadWords(summary_, root);
  return {std::string(snapshot::RootKindName(root.kind)),
          root.Name(),
          thread.empty() ? Cell() : Cell(thread),
          root.IsCertain(),
          uint64_t{root.object.value},
          TypeOf(root)};
}

Json RootsTable::Fields(uint64_t index) const {
  const session::RootInfo& root = roots_.at(index);
  Json fields = RootFields(summary_, root);
  fields["object"] = root.object.value;
  fields["type"] = TypeOf(root);
  return fields;
}

std::string RootsTable::TypeOf(const session::RootInfo& root) const { return TypeName(graph_.TypeInfo(root.object)); }

}  // namespace cairn::presentation
