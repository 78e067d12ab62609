#pragma once
// The first table of a page as a file, all of its rows, in the order and with the filter that the page has.
// Thread rule: blocks its thread.

#include <string>

#include "snapshot-format/file/result.h"
#include "viewer/analysis/work.h"
#include "viewer/presentation/pages/page.h"

namespace cairn::presentation {

struct ExportWish {
  std::string path;  // ".json": JSON; ".csv": CSV
  bool replace = false;
};

// Rows written. Under a temporary name first, so that a file is whole or not there. Errors: usage.format,
// output.exists, output.unwritable, export.no_table, cancelled.
Result<uint64_t> ExportPage(const Page& page, const Place& place, const ExportWish& wish, analysis::Work& work);

// A name to begin with: "types.csv".
std::string ExportName(const Place& place);

}  // namespace cairn::presentation
