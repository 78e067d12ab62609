#pragma once
// What all commands that read snapshots share: opening, questions with progress, the label of an incomplete
// snapshot, tables in the format asked for.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/cli/command.h"
#include "viewer/cli/work_monitor.h"
#include "viewer/presentation/documents/problems.h"
#include "viewer/presentation/file_heap_source.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/presentation/type_pattern.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::cli {

using Sources = std::vector<std::unique_ptr<presentation::FileHeapSource>>;
using NamedSummaries = std::vector<presentation::NamedSummary>;

Result<Sources> OpenSnapshots(const std::vector<std::string>& paths);
NamedSummaries Named(const Sources& sources);

// A snapshot whose objects are needed, not only its summary.
struct OpenedSession {
  std::unique_ptr<session::SnapshotSession> session;
  NamedSummaries named;  // one
};
Result<OpenedSession> OpenSession(const std::string& path);

// What there is to say of the cache, with --verbose; and results are out before the end waits for it.
session::CacheEvents EventsFor(Console& console);

// Asks ask(session, work) with progress and Ctrl-C, and adds to `named` what following the references brought to
// light. `ask` returns a Result.
template <class Ask>
auto Asked(Console& console, session::SnapshotSession& session, presentation::NamedSummary& named, Ask ask) {
  analysis::Work work;
  WorkMonitor monitor(console, work, session.GetSummary().totals.objects);
  session.SetCacheEvents(EventsFor(console));
  auto answer = ask(session, work);
  if (!answer) return answer;
  if (auto problems = session.GraphProblems(work)) named.found = std::move(*problems);
  return answer;
}
template <class Ask>
auto Asked(Console& console, OpenedSession& opened, Ask ask) {
  return Asked(console, *opened.session, opened.named.front(), ask);
}

// 0, or 4 when one of them is incomplete.
int ExitCodeFor(const NamedSummaries& named);

// Says beside the result that a snapshot was captured after the one that follows it.
void NoteBackwards(Console& console, const NamedSummaries& named);

// Says on top of text, or beside CSV, that something is missing. JSON says it by its fields.
void LabelIncomplete(Console& console, const NamedSummaries& named);
// Text goes with the result, CSV beside it.
void Label(Console& console, const std::string& sentence);

// Nothing where the pattern is empty.
Result<std::optional<presentation::TypePattern>> ParsePattern(const std::string& text);
// Says so when a pattern selected nothing, and what may have been meant.
void NoteNoMatch(Console& console, const snapshot::Summary& summary, const presentation::TypePattern& pattern);
// By type id; says so when it selects nothing.
std::vector<bool> SelectTypes(Console& console, const snapshot::Summary& summary,
                              const presentation::TypePattern& pattern);

// As text or CSV; not under --json.
void PrintTable(Console& console, const presentation::Table& table, std::optional<uint64_t> top);
std::unique_ptr<presentation::RowSink> TextOrCsv(Console& console);

}  // namespace cairn::cli
