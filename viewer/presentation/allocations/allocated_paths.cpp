#include "viewer/presentation/allocations/allocated_paths.h"

#include <map>

#include "viewer/analysis/path_tree.h"
#include "viewer/analysis/shortest_paths.h"

namespace cairn::presentation {

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
  std::map<uint32_t, SampledAtStack> ends;
  for (const snapshot::AllocatedObject& allocated : summary.sampling->objects)
    if (const auto object = (*graph)->AtAddress(allocated.object); object.Valid() && wanted(object))
      ++ends[tree->NodeOf(object)][allocated.stack];
  for (const uint32_t end : tree->Ends()) sites.push_back(SitesFrom(tree->Nodes()[end].count, ends[end]));
  return sites;
}

}  // namespace cairn::presentation
