#include "viewer/presentation/documents/object_document.h"

#include <fmt/format.h>

#include "viewer/analysis/reachability.h"
#include "viewer/presentation/allocations/allocated_at.h"
#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/json_number.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/visible_text.h"
#include "viewer/session/object_sense.h"

namespace cairn::presentation {
namespace {

using analysis::ObjectIndex;
using session::FieldInfo;

std::string TypeOf(const ObjectDocument& document, ObjectIndex object) {
  return TypeName(document.graph->TypeInfo(object));
}

std::optional<std::string> TargetType(const ObjectDocument& document, const FieldInfo& field) {
  if (!field.target.Valid()) return std::nullopt;
  return TypeOf(document, field.target);
}

// As declared; where that is not known, what is there.
std::string FieldType(const ObjectDocument& document, const FieldInfo& field) {
  return field.type.empty() ? TargetType(document, field).value_or("") : field.type;
}

Json IndexOrNull(ObjectIndex object) { return object.Valid() ? Json(object.value) : Json(nullptr); }

Json ValueJson(const session::FieldValue& value) {
  return std::visit(
      [](const auto& held) -> Json {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<Held, double>)
          return JsonNumber(held);
        else
          return Json(held);
      },
      value);
}

Cell ValueCell(const session::FieldValue& value) {
  return std::visit(
      [](const auto& held) -> Cell {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) return {};
        if constexpr (std::is_same_v<Held, std::string>) return Cell(held);
        if constexpr (!std::is_same_v<Held, std::monostate> && !std::is_same_v<Held, std::string>)
          return Cell(fmt::format("{}", held));
      },
      value);
}

Json FieldFields(const ObjectDocument& document, const FieldInfo& field) {
  const auto target_type = TargetType(document, field);
  return {{"name", field.name},
          {"offset", field.offset},
          {"type", FieldType(document, field)},
          {"target", IndexOrNull(field.target)},
          {"target_type", target_type ? Json(*target_type) : Json(nullptr)},
          {"value", ValueJson(field.value)}};
}

Json FieldList(const ObjectDocument& document) {
  Json fields = Json::array();
  for (const FieldInfo& field : document.fields.fields) fields.push_back(FieldFields(document, field));
  return fields;
}

Json ReferrerList(const ObjectDocument& document) {
  Json referrers = Json::array();
  for (size_t i = 0; i < document.referrers.referrers.size(); ++i) {
    const auto& [object, field] = document.referrers.referrers[i];
    referrers.push_back({{"object", object.value},
                         {"type", TypeOf(document, object)},
                         {"field", field},
                         {"reachable", !document.is_garbage[i]}});
  }
  return referrers;
}

Json RootsOf(const ObjectDocument& document) {
  Json roots = Json::array();
  for (const session::RootInfo& root : document.roots) roots.push_back(RootFields(*document.summary, root));
  return roots;
}

// "Type        Shop.Order".
void WriteLine(std::string_view label, const std::string& text, TextStyle style, ByteSink& sink) {
  constexpr size_t kLabelWidth = 12;
  sink.Write(style.Bold(label) + std::string(kLabelWidth - label.size(), ' ') + VisibleText(text) + "\n");
}

std::string TypeWords(const ObjectDocument& document) {
  const snapshot::Type& type = document.summary->types.at(document.object.type.value);
  const auto module = ModuleName(*document.summary, type);
  const std::string name = module ? fmt::format("{} ({})", TypeName(type), *module) : TypeName(type);
  return document.graph->TypeInfo(document.object.object).layout.HasLength()
             ? fmt::format("{}, length {}", name, GroupedCount(document.fields.length))
             : name;
}

std::string DominatorWords(const ObjectDocument& document) {
  const session::ObjectInfo& object = document.object;
  if (object.dominator.Valid())
    return fmt::format("@{} {}", object.dominator.value, TypeOf(document, object.dominator));
  return object.reachable ? "none: a root, or several paths that share nothing, hold it"
                          : "none: nothing keeps it alive";
}

void WriteIdentity(const ObjectDocument& document, TextStyle style, ByteSink& sink) {
  const session::ObjectInfo& object = document.object;
  WriteLine("Object", fmt::format("@{} at {}", object.object.value, HexAddress(object.address)), style, sink);
  WriteLine("Type", TypeWords(document), style, sink);
  if (!document.sense.empty()) WriteLine("What it is", document.sense, style, sink);
  WriteLine("Generation", snapshot::GenerationName(object.generation), style, sink);
  WriteLine("Bytes", GroupedCount(object.bytes), style, sink);
  WriteLine("Retains", FullBytes(object.retained), style, sink);
  WriteLine("Reachable", object.reachable ? "yes" : "no", style, sink);
  WriteLine("Dominator", DominatorWords(document), style, sink);
  if (document.summary->sampling) WriteLine("Allocated", AllocatedWords(document), style, sink);
  for (const session::RootInfo& root : document.roots)
    WriteLine(&root == document.roots.data() ? "Roots" : "", RootWords(*document.summary, root), style, sink);
}

void WriteTable(const Table& table, const char* title, uint64_t left_out, TextStyle style, ByteSink& sink) {
  sink.Write("\n" + style.Bold(title) + (table.RowCount() == 0 ? ": none\n" : "\n"));
  TextTable text(sink, style);
  text.Begin(table.Columns());
  for (uint64_t row = 0; row < table.RowCount(); ++row) text.Row(table.Row(row));
  text.End(left_out);
}

}  // namespace

Result<ObjectDocument> MakeObjectDocument(session::SnapshotSession& session, ObjectIndex object, uint64_t limit,
                                          analysis::Work& work) {
  ObjectDocument document;
  document.summary = &session.GetSummary();
  const auto info = session.Object(object, work);
  if (!info) return tl::make_unexpected(info.error());
  document.object = *info;
  document.graph = *session.Graph(work);
  auto fields = session.Fields(object, limit, work);
  if (!fields) return tl::make_unexpected(std::move(fields).error());
  document.fields = std::move(*fields);
  auto referrers = session.Referrers(object, limit, work);
  if (!referrers) return tl::make_unexpected(std::move(referrers).error());
  document.referrers = std::move(*referrers);
  const auto reached = session.Reached(work);
  if (!reached) return tl::make_unexpected(reached.error());
  for (const session::ReferrerInfo& referrer : document.referrers.referrers)
    document.is_garbage.push_back(!(*reached)->IsReachable(referrer.object));
  auto roots = session.Roots(std::nullopt, work);
  if (!roots) return tl::make_unexpected(std::move(roots).error());
  for (const session::RootInfo& root : *roots)
    if (root.object == object) document.roots.push_back(root);
  auto sense = session::SenseOf(session, object, work);
  if (!sense) return tl::make_unexpected(std::move(sense).error());
  document.sense = std::move(*sense);
  return document;
}

Json ObjectFieldsJson(const ObjectDocument& document) {
  const session::ObjectInfo& object = document.object;
  const snapshot::Summary& summary = *document.summary;
  Json fields = {{"object", object.object.value},
                 {"address", HexAddress(object.address)},
                 {"type", TypeName(document.summary->types.at(object.type.value))},
                 {"bytes", object.bytes},
                 {"retained", object.retained},
                 {"generation", snapshot::GenerationName(object.generation)},
                 {"reachable", object.reachable},
                 {"dominator", IndexOrNull(object.dominator)},
                 {"sense", document.sense.empty() ? Json(nullptr) : Json(document.sense)},
                 {"fields", FieldList(document)},
                 {"referrers", ReferrerList(document)},
                 {"roots", RootsOf(document)}};
  if (!summary.sampling) return fields;
  fields["allocated"] = AllocatedJson(summary, object.address);
  fields["type_allocated"] = AllocationSitesJson(summary, AllocationSitesOf(summary, *document.graph, object.type));
  return fields;
}

std::string AllocatedWords(const ObjectDocument& document) {
  const snapshot::Summary& summary = *document.summary;
  const std::string sites =
      AllocationSitesWords(summary, AllocationSitesOf(summary, *document.graph, document.object.type));
  if (const auto stack = AllocationStackOf(summary, document.object.address))
    return fmt::format("at {}; its type at {}", StackLine(*summary.sampling, *stack, SIZE_MAX), sites);
  return sites.empty() ? "not known: it was not sampled, nor was another of its type"
                       : "not known of this one; others of its type at " + sites;
}

void WriteObjectText(const ObjectDocument& document, TextStyle style, ByteSink& sink) {
  WriteIdentity(document, style, sink);
  WriteTable(FieldsTable(document), "Fields", document.fields.omitted, style, sink);
  const uint64_t unseen = document.referrers.total - document.referrers.referrers.size();
  WriteTable(ReferrersTable(document), "Referrers", unseen, style, sink);
}

std::vector<Column> FieldsTable::Columns() const {
  Column target_type{"target_type", "Type of what is there"};
  target_type.hide_if_empty = true;
  Column value{"value", "Value"};
  value.hide_if_empty = true;
  return {{"name", "Field"},
          {"offset", "Offset", Format::kNumber},
          {"type", "Declared type"},
          {"target", "Target", Format::kObject},
          target_type,
          value};
}

std::vector<Cell> FieldsTable::Row(uint64_t row) const {
  const FieldInfo& field = document_.fields.fields.at(row);
  return {field.name,
          uint64_t{field.offset},
          FieldType(document_, field),
          field.target.Valid() ? Cell(uint64_t{field.target.value}) : Cell(),
          CellOf(TargetType(document_, field)),
          ValueCell(field.value)};
}

std::vector<Column> ReferrersTable::Columns() const {
  Column state{"state", "State"};
  state.hide_if_empty = true;
  return {{"object", "Object", Format::kObject}, {"type", "Type"}, {"field", "Field"}, state};
}

std::vector<Cell> ReferrersTable::Row(uint64_t row) const {
  const session::ReferrerInfo& referrer = document_.referrers.referrers.at(row);
  return {uint64_t{referrer.object.value}, TypeOf(document_, referrer.object), referrer.field,
          document_.is_garbage.at(row) ? Cell("unreachable") : Cell()};
}

}  // namespace cairn::presentation
