#include "viewer/presentation/documents/contexts_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "viewer/presentation/documents/path_document.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/root_words.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using session::LoadContext;

const char* KindOf(const LoadContext& context) {
  return context.kind == LoadContext::Kind::kLoaderAllocator ? "loader-allocator" : "assembly-load-context";
}

std::string TypeOf(const snapshot::Summary& summary, const LoadContext& context) {
  return TypeName(summary.types.at(context.type.value));
}

void WriteHolders(const snapshot::Summary& summary, const LoadContext& context, ByteSink& sink) {
  if (!context.reachable) sink.Write("  nothing holds it: the next full collection unloads it\n");
  for (const session::RootPath& path : context.holders) {
    const bool is_handle = context.kind == LoadContext::Kind::kLoaderAllocator && session::IsUnloadHandle(path);
    sink.Write(fmt::format("  held by {}{}\n    {}\n", VisibleText(RootWords(summary, path.root)),
                           is_handle ? ", the runtime's own: Unload was not called" : "",
                           VisibleText(FieldPath(path))));
  }
}

void WriteAssemblies(const LoadContext& context, ByteSink& sink) {
  if (context.assemblies.empty()) return;
  sink.Write(fmt::format("  assemblies: {}\n", VisibleText(fmt::format("{}", fmt::join(context.assemblies, ", ")))));
}

void WritePartner(const LoadContext& context, ByteSink& sink) {
  if (!context.partner.Valid()) return;
  const bool is_allocator = context.kind == LoadContext::Kind::kLoaderAllocator;
  sink.Write(fmt::format("  {} @{}\n",
                         is_allocator ? "of the AssemblyLoadContext" : "its types belong to the LoaderAllocator",
                         context.partner.value));
}

}  // namespace

std::string ContextName(const snapshot::Summary& summary, const LoadContext& context) {
  if (!context.name.empty()) return context.name;
  if (context.assemblies.empty()) return TypeOf(summary, context);
  return fmt::format("{}", fmt::join(context.assemblies, ", "));
}

Json ContextFields(const snapshot::Summary& summary, const LoadContext& context) {
  Json holders = Json::array();
  for (const session::RootPath& path : context.holders)
    holders.push_back({{"root", RootFields(summary, path.root)}, {"path", FieldPath(path)}});
  return {{"name", ContextName(summary, context)},
          {"kind", KindOf(context)},
          {"object", context.object.value},
          {"type", TypeOf(summary, context)},
          {"assemblies", context.assemblies},
          {"objects", context.totals.objects},
          {"bytes", context.totals.bytes},
          {"retained", context.retained},
          {"reachable", context.reachable},
          {"holders", std::move(holders)},
          {"partner", context.partner.Valid() ? Json(context.partner.value) : Json(nullptr)}};
}

void WriteContextsText(const snapshot::Summary& summary, std::span<const LoadContext> contexts, TextStyle style,
                       ByteSink& sink) {
  for (size_t i = 0; i < contexts.size(); ++i) {
    const LoadContext& context = contexts[i];
    if (i > 0) sink.Write("\n");
    sink.Write(style.Bold(VisibleText(ContextName(summary, context))) +
               fmt::format("  @{} {}\n  {} of its types, {}; retains {}\n", context.object.value,
                           VisibleText(TypeOf(summary, context)), Counted(context.totals.objects, "object", "objects"),
                           FullBytes(context.totals.bytes), FullBytes(context.retained)));
    if (!context.name.empty() || context.assemblies.size() > 1) WriteAssemblies(context, sink);
    WritePartner(context, sink);
    WriteHolders(summary, context, sink);
  }
}

ContextsTable::ContextsTable(const snapshot::Summary& summary, std::span<const LoadContext> contexts)
    : summary_(summary), contexts_(contexts) {
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i].holders.empty()) places_.push_back({i, nullptr});
    for (const session::RootPath& path : contexts[i].holders) places_.push_back({i, &path});
  }
}

std::vector<Column> ContextsTable::Columns() const {
  return {{"name", "Name"},
          {"kind", "Kind"},
          {"object", "Object", Format::kObject},
          {"type", "Type"},
          {"objects", "Objects", Format::kCount},
          {"bytes", "Bytes", Format::kBytes},
          {"retained", "Retained", Format::kBytes},
          {"reachable", "Reachable", Format::kFlag},
          {"root_kind", "Root"},
          {"root_name", "Root's name"},
          {"path", "Path"}};
}

std::vector<Cell> ContextsTable::Row(uint64_t row) const {
  const Place& place = places_.at(row);
  const LoadContext& context = contexts_[place.context];
  std::vector<Cell> cells = {ContextName(summary_, context),
                             std::string(KindOf(context)),
                             uint64_t{context.object.value},
                             TypeOf(summary_, context),
                             context.totals.objects,
                             context.totals.bytes,
                             context.retained,
                             context.reachable};
  if (place.holder == nullptr) return cells.resize(cells.size() + 3), cells;
  cells.emplace_back(std::string(snapshot::RootKindName(place.holder->root.kind)));
  cells.emplace_back(place.holder->root.Name());
  cells.emplace_back(FieldPath(*place.holder));
  return cells;
}

}  // namespace cairn::presentation
