#include "viewer/presentation/allocations/allocated_paths.h"

#include <algorithm>
#include <functional>
#include <map>

#include "viewer/analysis/path_tree.h"
#include "viewer/analysis/shortest_paths.h"

namespace cairn::presentation {

namespace {

AllocationSites SitesOf(const analysis::HolderNode& end, const std::map<uint32_t, uint64_t>& stacks) {
  AllocationSites sites;
  sites.instances = end.count;
  for (const auto& [stack, sampled] : stacks) {
    sites.sampled += sampled;
    sites.sites.push_back({stack, sampled});
  }
  std::ranges::stable_sort(sites.sites, std::greater(), &AllocationSites::Site::sampled);
  return sites;
}

}  // namespace

Result<std::vector<AllocationSites>> AllocationSitesByPath(session::SnapshotSession& session,
                                                           const std::vector<bool>& types, analysis::Work& work) {
  std::vector<AllocationSites> sites;
  const snapshot::Summary& summary = session.GetSummary();
  if (!summary.sampling) return sites;
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto paths = session.ShortestPaths(work);
  if (!paths) return tl::make_unexpected(paths.error());
  const auto wanted = [&](analysis::ObjectIndex object) {
    const uint32_t type = (*graph)->TypeOf(object).value;
    return type < types.size() && types[type] && (*paths)->IsReachable(object);
  };
  const auto tree = analysis::HolderTree::Build(**graph, session.Source(), **paths, wanted, session.Threads(), work);
  if (!tree) return tl::make_unexpected(tree.error());
  std::map<uint32_t, std::map<uint32_t, uint64_t>> ends;  // stack → objects
  for (const snapshot::AllocatedObject& allocated : summary.sampling->objects)
    if (const auto object = (*graph)->AtAddress(allocated.object); object.Valid() && wanted(object))
      ++ends[tree->NodeOf(object)][allocated.stack];
  for (const uint32_t end : tree->Ends()) sites.push_back(SitesOf(tree->Nodes()[end], ends[end]));
  return sites;
}

}  // namespace cairn::presentation
