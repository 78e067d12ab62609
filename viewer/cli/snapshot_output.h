#pragma once
// What all commands that read snapshots share: opening, the label of an incomplete one, tables in the format
// asked for.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/cli/command.h"
#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/file_heap_source.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/presentation/type_pattern.h"

namespace cairn::cli {

using Sources = std::vector<std::unique_ptr<presentation::FileHeapSource>>;

Result<Sources> OpenSnapshots(const std::vector<std::string>& paths);
std::vector<presentation::NamedSummary> Named(const Sources& sources);

// 0, or 4 when one of them is incomplete.
int ExitCodeFor(const Sources& sources);

// Says on top of text, or beside CSV, that something is missing. JSON says it by its fields.
void LabelIncomplete(Console& console, const Sources& sources);
// Text goes with the result, CSV beside it.
void Label(Console& console, const std::string& sentence);

// Nothing where the pattern is empty.
Result<std::optional<presentation::TypePattern>> ParsePattern(const std::string& text);
// Says so when a pattern selected nothing.
void NoteNoMatch(Console& console, const presentation::TypePattern& pattern);

// As text or CSV; not under --json.
void PrintTable(Console& console, const presentation::Table& table, std::optional<uint64_t> top);
std::unique_ptr<presentation::RowSink> TextOrCsv(Console& console);

// An ability that comes with the object graph. Exit 3.
tl::unexpected<Error> NotYet(const std::string& code, const std::string& what, const std::string& meanwhile);

}  // namespace cairn::cli
