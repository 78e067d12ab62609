#pragma once
// A verdict as the contract's fields, as rows, and as text for reading.

#include "viewer/presentation/documents/check_report.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

// {"ok":…,"violations":[…],"unjudged":[…],"ignored":…,"known":…,"baseline":…,"warnings":[…]}; at most `top` violations.
Json CheckFields(const CheckReport& report, std::optional<uint64_t> top);

// The verdict, every rule, every violation with its path; at most `top` violations.
void WriteCheckText(const CheckReport& report, std::optional<uint64_t> top, TextStyle style, ByteSink& sink);

class ViolationsTable : public Table {
 public:
  explicit ViolationsTable(const CheckReport& report) : report_(report) {}

  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return report_.verdict.violations.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  const CheckReport& report_;
};

}  // namespace cairn::presentation
