#include "viewer/presentation/allocations/allocated_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

namespace {

constexpr size_t kFramesShown = 4;

}  // namespace

std::optional<uint32_t> AllocationStackOf(const snapshot::Summary& summary, uint64_t address) {
  if (!summary.sampling) return std::nullopt;
  const auto& objects = summary.sampling->objects;
  const auto at = std::ranges::lower_bound(objects, address, {}, &snapshot::AllocatedObject::object);
  return at != objects.end() && at->object == address ? std::optional(at->stack) : std::nullopt;
}

Json AllocatedJson(const snapshot::Summary& summary, uint64_t address) {
  const auto stack = AllocationStackOf(summary, address);
  return stack ? Json{{"frames", FramesOf(*summary.sampling, *stack)}} : Json();
}

AllocationSites AllocationSitesOf(const snapshot::Summary& summary, const analysis::HeapGraph& graph,
                                  analysis::TypeIndex type) {
  AllocationSites sites;
  sites.instances = summary.types.at(type.value).objects;
  if (!summary.sampling) return sites;
  std::map<uint32_t, uint64_t> counts;
  for (const snapshot::AllocatedObject& allocated : summary.sampling->objects) {
    const analysis::ObjectIndex object = graph.AtAddress(allocated.object);
    if (!object.Valid() || graph.TypeOf(object) != type) continue;
    ++sites.sampled;
    ++counts[allocated.stack];
  }
  for (const auto& [stack, sampled] : counts) sites.sites.push_back({stack, sampled});
  std::ranges::stable_sort(sites.sites, std::greater(), &AllocationSites::Site::sampled);
  return sites;
}

Json AllocationSitesJson(const snapshot::Summary& summary, const AllocationSites& sites) {
  Json list = Json::array();
  for (const AllocationSites::Site& site : sites.sites)
    list.push_back({{"frames", FramesOf(*summary.sampling, site.stack)}, {"sampled", site.sampled}});
  return {{"instances", sites.instances}, {"sampled", sites.sampled}, {"sites", std::move(list)}};
}

std::string AllocationSitesWords(const snapshot::Summary& summary, const AllocationSites& sites) {
  if (sites.sampled == 0) return {};
  const AllocationSites::Site& first = sites.sites.front();
  return fmt::format("{} ({} of {} sampled; {} of {} were sampled)",
                     StackLine(*summary.sampling, first.stack, kFramesShown), GroupedCount(first.sampled),
                     GroupedCount(sites.sampled), GroupedCount(sites.sampled),
                     Counted(sites.instances, "instance", "instances"));
}

}  // namespace cairn::presentation
