#include "viewer/cli/snapshot_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "viewer/cli/cache_settings.h"
#include "viewer/presentation/nearest_word.h"
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

NamedSummaries Named(const Sources& sources) {
  NamedSummaries named;
  for (const auto& source : sources) named.push_back({source->Path(), &source->Summary(), {}});
  return named;
}

Result<OpenedSession> OpenSession(const std::string& path) {
  session::SnapshotSession::Options options;
  options.cache = CacheFromEnvironment();
  auto session = session::SnapshotSession::Open(path, options);
  if (!session) return tl::make_unexpected(std::move(session).error());
  OpenedSession opened;
  opened.named.push_back({path, &(*session)->GetSummary(), {}});
  opened.session = std::move(*session);
  return opened;
}

session::CacheEvents EventsFor(Console& console) {
  session::CacheEvents events;
  events.waiting = [&console] { console.Out().Flush(); };
  if (console.verbose) events.note = [&console](const std::string& sentence) { console.Note(sentence); };
  return events;
}

int ExitCodeFor(const NamedSummaries& named) {
  const bool complete =
      std::all_of(named.begin(), named.end(), [](const auto& snapshot) { return snapshot.IsComplete(); });
  return complete ? kExitDone : kExitIncomplete;
}

void NoteBackwards(Console& console, const NamedSummaries& named) {
  const auto time = [](const auto& snapshot) { return snapshot.summary->capture.captured_at; };
  const auto at = std::adjacent_find(named.begin(), named.end(), [&](const auto& first, const auto& second) {
    return !time(second).empty() && time(first) > time(second);
  });
  if (at == named.end()) return;
  console.Note(fmt::format("{} was captured after {}: growth is shown backwards; {}",
                           presentation::VisibleText(at->path), presentation::VisibleText(std::next(at)->path),
                           named.size() == 2 ? "swap the two" : "name the oldest first"));
}

void Label(Console& console, const std::string& sentence) {
  if (console.format == OutputFormat::kText) console.Print(console.OutStyle().Bad(sentence) + "\n");
  if (console.format == OutputFormat::kCsv) console.Note(sentence);
}

void LabelIncomplete(Console& console, const NamedSummaries& named) {
  for (const presentation::NamedSummary& snapshot : named) {
    const std::string path = presentation::VisibleText(snapshot.path);
    if (!snapshot.summary->complete)
      Label(console, fmt::format("INCOMPLETE: {} does not hold the whole heap (cairn info {} says why)", path, path));
    for (const snapshot::Problem& problem : snapshot.found) {
      if (!problem.incomplete) continue;
      const char* what = problem.code.starts_with("snapshot.") ? "DAMAGED" : "INCOMPLETE";
      Label(console, fmt::format("{}: {}: {}", what, path, presentation::VisibleText(problem.message)));
    }
  }
}

Result<std::optional<presentation::TypePattern>> ParsePattern(const std::string& text) {
  if (text.empty()) return std::optional<presentation::TypePattern>();
  auto pattern = presentation::TypePattern::Parse(text);
  if (!pattern) return tl::make_unexpected(std::move(pattern).error());
  return std::optional(std::move(*pattern));
}

void NoteNoMatch(Console& console, const snapshot::Summary& summary, const presentation::TypePattern& pattern) {
  constexpr size_t kMostNames = 3;
  const auto near = presentation::NearestTypes(pattern.Text(), presentation::TypeNames(summary), kMostNames);
  const std::string meant =
      near.empty() ? "; a pattern is a full name, a glob with * or ?, a part of a name, or a /regular expression/"
                   : fmt::format("; did you mean {}?", fmt::join(near, " or "));
  console.Note(presentation::VisibleText(fmt::format("no type matches {}{}", pattern.Text(), meant)));
}

std::vector<bool> SelectTypes(Console& console, const snapshot::Summary& summary,
                              const presentation::TypePattern& pattern) {
  std::vector<bool> selected = pattern.Select(presentation::TypeNames(summary));
  if (std::find(selected.begin(), selected.end(), true) == selected.end()) NoteNoMatch(console, summary, pattern);
  return selected;
}

std::unique_ptr<presentation::RowSink> TextOrCsv(Console& console) {
  if (console.format == OutputFormat::kCsv) return std::make_unique<presentation::CsvRows>(console.Out());
  return std::make_unique<presentation::TextTable>(console.Out(), console.OutStyle());
}

void PrintTable(Console& console, const presentation::Table& table, std::optional<uint64_t> top) {
  presentation::Emit(table, top, *TextOrCsv(console));
}

}  // namespace cairn::cli
