#pragma once
// Load contexts and who holds them: as fields, as text, as a table.

#include <span>
#include <string>
#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/load_contexts.h"

namespace cairn::presentation {

// What a context is called: by its own name, else by its assemblies, else by its type.
std::string ContextName(const snapshot::Summary& summary, const session::LoadContext& context);

Json ContextFields(const snapshot::Summary& summary, const session::LoadContext& context);

void WriteContextsText(const snapshot::Summary& summary, std::span<const session::LoadContext> contexts,
                       TextStyle style, ByteSink& sink);

// One row per holder; one row without a holder for a context that nothing holds.
class ContextsTable : public Table {
 public:
  // Both outlive the table.
  ContextsTable(const snapshot::Summary& summary, std::span<const session::LoadContext> contexts);

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return places_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  struct Place {
    size_t context = 0;
    const session::RootPath* holder = nullptr;
  };

  const snapshot::Summary& summary_;
  std::span<const session::LoadContext> contexts_;
  std::vector<Place> places_;
};

}  // namespace cairn::presentation
