// What was allocated before the snapshot, as far as it was sampled: as tables, as a flame graph, as a graph from
// methods to types.

#include <fmt/format.h>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/allocations/allocation_tables.h"
#include "viewer/presentation/pages/page_builders.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

using snapshot::Sampling;

void SayNotSampled(Page& page, const snapshot::Summary& summary) {
  page.notices.push_back(
      {Notice::Level::kHint, "Allocations were not sampled before this snapshot.",
       fmt::format("cairn capture {} --allocations --duration 30s samples them", summary.process.pid)});
}

std::string FollowedWords(const Sampling& sampling) {
  if (!sampling.lost.empty()) return "not known: " + sampling.lost;
  std::string words = Counted(sampling.objects.size(), "sampled object", "sampled objects") + " in the snapshot";
  if (sampling.unmatched > 0) words += fmt::format(", {} not found again", GroupedCount(sampling.unmatched));
  return words;
}

void AddFacts(Page& page, const Sampling& sampling, const Place& place) {
  const bool ticks = sampling.source == snapshot::SamplingSource::kTicks;
  page.facts = {
      {"Allocated", fmt::format("{} in {:.1f} s, {}", HumanBytes(AllocatedBytes(sampling)), sampling.seconds,
                                ticks ? "approximately" : "estimated")},
      {"Samples", fmt::format("{}, {} dropped", GroupedCount(sampling.samples), GroupedCount(sampling.dropped))},
      {"Followed", FollowedWords(sampling)}};
  for (const auto& [view, words] :
       {std::pair{View::kAllocations, "by type, stack and method"}, std::pair{View::kFlame, "which calls allocate"},
        std::pair{View::kAllocationGraph, "from methods to types"}})
    if (view != place.view) page.facts.push_back({InfoOf(view).title, words, place.Of(view)});
}

// Null, and said, where there are no samples.
const Sampling* SamplingOf(OpenedPage& opened, const Place& place) {
  const auto& sampling = opened.session->GetSummary().sampling;
  if (!sampling) {
    SayNotSampled(opened.page, opened.session->GetSummary());
    return nullptr;
  }
  AddFacts(opened.page, *sampling, place);
  return &*sampling;
}

Section SectionOf(const char* title, const Sampling& sampling, AllocationsBy by, CellLink link) {
  return {title, AllocationTable(sampling, by), std::move(link), "Nothing was sampled.", ""};
}

}  // namespace

Result<Page> AllocationsPage(const PageRequest& request) {
  auto opened = OpenPage(request, "Allocations before the snapshot");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  if (const Sampling* sampling = SamplingOf(*opened, request.place))
    opened->page.sections = {SectionOf("By type", *sampling, AllocationsBy::kType, TypeLinks(request.place)),
                             SectionOf("By stack", *sampling, AllocationsBy::kStack, nullptr),
                             SectionOf("By method", *sampling, AllocationsBy::kMethod, nullptr)};
  return std::move(opened->page);
}

Result<Page> FlamePage(const PageRequest& request) {
  auto opened = OpenPage(request, "Which calls allocate: callers above, types at the ends");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  if (const Sampling* sampling = SamplingOf(*opened, request.place)) opened->page.flame = FlameGraphOf(*sampling);
  return std::move(opened->page);
}

Result<Page> AllocationGraphPage(const PageRequest& request) {
  auto opened = OpenPage(request, "From methods to the types that they allocate");
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  if (const Sampling* sampling = SamplingOf(*opened, request.place)) opened->page.graph = AllocationGraphOf(*sampling);
  return std::move(opened->page);
}

}  // namespace cairn::presentation
