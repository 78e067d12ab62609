// The overview: what process it was, where its bytes are, what is big. What looks like a leak comes aside.

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/tables/type_rows.h"

namespace cairn::presentation {
namespace {

constexpr size_t kBars = 10;

std::string BytesInObjects(uint64_t bytes, uint64_t objects) {
  return fmt::format("{} in {}", HumanBytes(bytes), Counted(objects, "object", "objects"));
}

void AddFacts(Page& page, const PageRequest& request, const session::SnapshotSession& session) {
  const snapshot::Summary& summary = session.GetSummary();
  const Place& place = request.place;
  page.facts = {
      {"Process", fmt::format("{} ({})", summary.process.name, summary.process.pid)},
      {"Runtime", fmt::format(".NET {} · {} GC · {}", summary.process.runtime, summary.process.gc_mode,
                              summary.process.architecture)},
      {"Captured", summary.capture.captured_at},
      {"All objects", BytesInObjects(summary.totals.bytes, summary.totals.objects), place.Of(View::kTypes)},
      {"Free in the heap", BytesInObjects(summary.totals.free_bytes, summary.totals.free_objects),
       place.Of(View::kHeap)},
      {"Types", GroupedCount(summary.totals.types), place.Of(View::kTypes)},
      {"Roots", GroupedCount(summary.totals.roots), place.Of(View::kRoots)},
      {"Process memory",
       fmt::format("{} resident, {} committed by the GC", HumanBytes(summary.capture.memory.rss_bytes),
                   HumanBytes(summary.capture.memory.gc_committed_bytes))},
      {"Pause of the application", Milliseconds(summary.capture.pause_ms.total_ms)},
      {"File", fmt::format("{}, {}", session.Path(), HumanBytes(session.FileBytes()))},
  };
}

BarChart Generations(const snapshot::Summary& summary, const Place& place) {
  BarChart chart{"Generations: objects, and what is free between them", {}};
  const auto totals = snapshot::TotalsByGeneration(summary.ranges);
  for (size_t i = 0; i < totals.size(); ++i) {
    if (totals[i].ranges == 0) continue;
    Place objects = place.Of(View::kObjects);
    objects.generation = snapshot::GenerationName(static_cast<snapshot::Generation>(i));
    chart.bars.push_back({objects.generation, totals[i].bytes, totals[i].free_bytes,
                          BytesInObjects(totals[i].bytes, totals[i].objects) +
                              fmt::format(", {} free", HumanBytes(totals[i].free_bytes)),
                          objects});
  }
  return chart;
}

// From the outside in: what the system gives the process, what of it the GC has, what of that the objects take.
BarChart MemoryOf(const snapshot::Summary& summary, const Place& place) {
  const snapshot::Memory& memory = summary.capture.memory;
  BarChart chart{"Memory of the process", {}};
  const auto add = [&](const char* label, uint64_t value, uint64_t rest, std::string words,
                       std::optional<Place> leads) {
    if (value + rest > 0) chart.bars.push_back({label, value, rest, std::move(words), std::move(leads)});
  };
  if (memory.limit_bytes) add("Limit", *memory.limit_bytes, 0, HumanBytes(*memory.limit_bytes), std::nullopt);
  add("Resident", memory.rss_bytes, 0, HumanBytes(memory.rss_bytes), std::nullopt);
  add("Committed by the GC", memory.gc_committed_bytes, 0, HumanBytes(memory.gc_committed_bytes), std::nullopt);
  add("Objects, and free", summary.totals.bytes, summary.totals.free_bytes,
      fmt::format("{}, {} free", HumanBytes(summary.totals.bytes), HumanBytes(summary.totals.free_bytes)),
      place.Of(View::kHeap));
  return chart;
}

void AddReachable(BarChart& memory, const session::ObjectTotals& reachable, uint64_t all, const Place& place) {
  const uint64_t garbage = all - std::min(all, reachable.bytes);
  if (all > 0)
    memory.bars.push_back({"Reachable, and not", reachable.bytes, garbage,
                           fmt::format("{}, {} not", HumanBytes(reachable.bytes), HumanBytes(garbage)),
                           place.Of(View::kTreemap)});
}

// The biggest by what `size` says; `words` follow it.
template <class Size>
BarChart BiggestTypes(std::string title, std::vector<TypeRow> rows, const Place& place, Size size) {
  BarChart chart{std::move(title), {}};
  std::sort(rows.begin(), rows.end(), [&](const TypeRow& a, const TypeRow& b) {
    return size(a) != size(b) ? size(a) > size(b) : a.name < b.name;
  });
  rows.resize(std::min(rows.size(), kBars));
  for (const TypeRow& row : rows)
    chart.bars.push_back({row.name, size(row), 0,
                          fmt::format("{}, {}", HumanBytes(size(row)), Counted(row.objects, "object", "objects")),
                          place.OfType(row.name)});
  return chart;
}

BarChart RootKinds(const std::vector<session::RootKindRow>& kinds, const Place& place) {
  BarChart chart{"Roots: bytes of the objects they refer to", {}};
  for (const session::RootKindRow& row : kinds) {
    if (row.roots == 0) continue;
    Place roots = place.Of(View::kRoots);
    roots.kind = snapshot::RootKindName(row.kind);
    chart.bars.push_back({roots.kind, row.targets.bytes, 0,
                          fmt::format("{}, {}", Counted(row.roots, "root", "roots"), HumanBytes(row.targets.bytes)),
                          roots});
  }
  return chart;
}

Status AddAnswers(OpenedPage& opened, const PageRequest& request) {
  const auto reachable = opened.session->Reachable(request.work);
  if (!reachable) return tl::make_unexpected(reachable.error());
  auto types = SessionRows(*opened.session, GroupBy::kType, std::nullopt, request.work);
  if (!types) return tl::make_unexpected(std::move(types).error());
  const auto kinds = opened.session->RootsByKind(request.work);
  if (!kinds) return tl::make_unexpected(kinds.error());
  Page& page = opened.page;
  page.facts.insert(page.facts.begin() + 4, {"Reachable", BytesInObjects(reachable->bytes, reachable->objects),
                                             request.place.Of(View::kTreemap)});
  page.charts.push_back(BiggestTypes("Types that retain the most", std::move(*types), request.place,
                                     [](const TypeRow& row) { return row.retained.value_or(0); }));
  page.charts.push_back(RootKinds(*kinds, request.place));
  AddReachable(*page.memory, *reachable, opened.session->GetSummary().totals.bytes, request.place);
  page.aside = request.place.Of(View::kSuspects);
  return {};
}

void AddSummary(OpenedPage& opened, const PageRequest& request) {
  AddFacts(opened.page, request, *opened.session);
  opened.page.charts.push_back(Generations(opened.session->GetSummary(), request.place));
  opened.page.memory = MemoryOf(opened.session->GetSummary(), request.place);
}

void AddTypesOfSummary(OpenedPage& opened, const PageRequest& request) {
  opened.page.charts.push_back(BiggestTypes("Types with the most bytes, garbage included",
                                            SummaryTypeRows(opened.session->GetSummary()), request.place,
                                            [](const TypeRow& row) { return row.bytes; }));
}

}  // namespace

Result<Page> OverviewPreview(const PageRequest& request) {
  auto opened = OpenPage(request, "Overview");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  AddSummary(*opened, request);
  AddTypesOfSummary(*opened, request);
  opened->page.is_preview = true;
  return std::move(opened->page);
}

Result<Page> OverviewPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Overview");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  AddSummary(*opened, request);
  const Status answers = AddAnswers(*opened, request);
  if (!answers && answers.error().code == "cancelled") return tl::make_unexpected(answers.error());
  if (answers) {
    AddGraphProblems(*opened, request.work);
  } else {
    AddDamage(opened->page, answers.error());
    AddTypesOfSummary(*opened, request);
  }
  return std::move(opened->page);
}

}  // namespace cairn::presentation
