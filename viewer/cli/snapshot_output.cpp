#include "viewer/cli/snapshot_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {

Result<Sources> OpenSnapshots(const std::vector<std::string>& paths) {
  Sources sources;
  for (const std::string& path : paths) {
    auto source = presentation::FileHeapSource::Open(path);
    if (!source) return tl::make_unexpected(std::move(source).error());
    sources.push_back(std::move(*source));
  }
  return sources;
}

std::vector<presentation::NamedSummary> Named(const Sources& sources) {
  std::vector<presentation::NamedSummary> named;
  for (const auto& source : sources) named.push_back({source->Path(), &source->Summary()});
  return named;
}

int ExitCodeFor(const Sources& sources) {
  const bool complete =
      std::all_of(sources.begin(), sources.end(), [](const auto& source) { return source->Summary().complete; });
  return complete ? kExitDone : kExitIncomplete;
}

void Label(Console& console, const std::string& sentence) {
  if (console.format == OutputFormat::kText) console.Print(console.OutStyle().Bad(sentence) + "\n");
  if (console.format == OutputFormat::kCsv) console.Note(sentence);
}

void LabelIncomplete(Console& console, const Sources& sources) {
  for (const auto& source : sources) {
    if (source->Summary().complete) continue;
    const std::string path = presentation::VisibleText(source->Path());
    Label(console, fmt::format("INCOMPLETE: {} does not hold the whole heap (cairn info {} says why)", path, path));
  }
}

Result<std::optional<presentation::TypePattern>> ParsePattern(const std::string& text) {
  if (text.empty()) return std::optional<presentation::TypePattern>();
  auto pattern = presentation::TypePattern::Parse(text);
  if (!pattern) return tl::make_unexpected(std::move(pattern).error());
  return std::optional(std::move(*pattern));
}

void NoteNoMatch(Console& console, const presentation::TypePattern& pattern) {
  console.Note(fmt::format("no type matches {}", presentation::VisibleText(pattern.Text())));
}

std::unique_ptr<presentation::RowSink> TextOrCsv(Console& console) {
  if (console.format == OutputFormat::kCsv) return std::make_unique<presentation::CsvRows>(console.Out());
  return std::make_unique<presentation::TextTable>(console.Out(), console.OutStyle());
}

void PrintTable(Console& console, const presentation::Table& table, std::optional<uint64_t> top) {
  presentation::Emit(table, top, *TextOrCsv(console));
}

tl::unexpected<Error> NotYet(const std::string& code, const std::string& what, const std::string& meanwhile) {
  return Fail(ErrorKind::kFailed, code, fmt::format("this build of cairn does not have {} yet", what), meanwhile);
}

}  // namespace cairn::cli
