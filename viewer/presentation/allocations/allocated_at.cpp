#include "viewer/presentation/allocations/allocated_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {

namespace {

constexpr size_t kFramesShown = 4;

}  // namespace

AllocationSites SitesFrom(uint64_t instances, const SampledAtStack& sampled) {
  AllocationSites sites;
  sites.instances = instances;
  for (const auto& [stack, count] : sampled) {
    sites.sampled += count;
    sites.sites.push_back({stack, count});
  }
  std::ranges::stable_sort(sites.sites, std::greater(), &AllocationSites::Site::sampled);
  return sites;
}

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
  SampledAtStack counts;
  const uint64_t instances = summary.types.at(type.value).objects;
  if (!summary.sampling) return SitesFrom(instances, counts);
  for (const snapshot::AllocatedObject& allocated : summary.sampling->objects) {
    const analysis::ObjectIndex object = graph.AtAddress(allocated.object);
    if (object.Valid() && graph.TypeOf(object) == type) ++counts[allocated.stack];
  }
  return SitesFrom(instances, counts);
}

Result<std::vector<AllocationSites>> AllocationSitesByType(session::SnapshotSession& session, analysis::Work& work) {
  std::vector<AllocationSites> sites;
  const snapshot::Summary& summary = session.GetSummary();
  if (!summary.sampling) return sites;
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  std::vector<SampledAtStack> counts(summary.types.size());
  for (const snapshot::AllocatedObject& allocated : summary.sampling->objects)
    if (const analysis::ObjectIndex object = (*graph)->AtAddress(allocated.object); object.Valid())
      ++counts[(*graph)->TypeOf(object).value][allocated.stack];
  for (uint32_t type = 0; type < counts.size(); ++type)
    sites.push_back(SitesFrom(summary.types[type].objects, counts[type]));
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

Result<AllocatedByType> AllocatedWordsByType(session::SnapshotSession& session, analysis::Work& work) {
  AllocatedByType words;
  const snapshot::Summary& summary = session.GetSummary();
  const auto sites = AllocationSitesByType(session, work);
  if (!sites) return tl::make_unexpected(sites.error());
  for (size_t i = 0; i < sites->size(); ++i) {
    const snapshot::Type& type = summary.types[i];
    if ((*sites)[i].sampled > 0)
      words.try_emplace({TypeName(type), ModuleName(summary, type)}, AllocationSitesWords(summary, (*sites)[i]));
  }
  return words;
}

Result<std::vector<TypeAllocations>> AllocationsOfTypes(session::SnapshotSession& session,
                                                        const std::vector<bool>& chosen, analysis::Work& work) {
  std::vector<TypeAllocations> types;
  auto sites = AllocationSitesByType(session, work);
  if (!sites) return tl::make_unexpected(std::move(sites).error());
  for (uint32_t type = 0; type < sites->size(); ++type)
    if (chosen[type] && (*sites)[type].instances > 0) types.push_back({type, std::move((*sites)[type])});
  std::ranges::stable_sort(types, std::greater(), [](const TypeAllocations& type) { return type.sites.sampled; });
  return types;
}

Json TypeAllocationsJson(const snapshot::Summary& summary, const std::vector<TypeAllocations>& types) {
  Json list = Json::array();
  for (const TypeAllocations& type : types) {
    Json fields = {{"type", TypeName(summary.types.at(type.type))}};
    fields.update(AllocationSitesJson(summary, type.sites));
    list.push_back(std::move(fields));
  }
  return list;
}

std::string TypeAllocationsText(const snapshot::Summary& summary, const std::vector<TypeAllocations>& types,
                                size_t most) {
  std::string text;
  uint64_t sampled = 0, without = 0;
  for (const TypeAllocations& type : types) {
    without += type.sites.sampled == 0 ? type.sites.instances : 0;
    if (type.sites.sampled == 0 || ++sampled > most) continue;
    text += fmt::format("{} allocated at {}\n", VisibleText(TypeName(summary.types.at(type.type))),
                        VisibleText(AllocationSitesWords(summary, type.sites)));
  }
  if (sampled > most) text += fmt::format("… {}\n", Counted(sampled - most, "more type", "more types"));
  if (without > 0 && sampled == 0)
    text += fmt::format("allocated where is not known: none of {} was sampled\n",
                        Counted(without, "instance", "instances"));
  return text;
}

}  // namespace cairn::presentation
