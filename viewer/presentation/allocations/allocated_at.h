#pragma once
// Where the objects of a snapshot were allocated, as far as allocations were sampled before it was taken. Most objects
// were not sampled; of a type, those that were speak for the others.
// Thread rule: pure functions.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/analysis/heap_graph.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

// The stack that allocated the object at `address`; none: it was not sampled.
std::optional<uint32_t> AllocationStackOf(const snapshot::Summary& summary, uint64_t address);

// {"frames":[…]} or null.
Json AllocatedJson(const snapshot::Summary& summary, uint64_t address);

struct AllocationSites {
  struct Site {
    uint32_t stack = 0;
    uint64_t sampled = 0;
  };
  uint64_t instances = 0;   // of the type or the path, in the snapshot
  uint64_t sampled = 0;     // of these
  std::vector<Site> sites;  // the most first
};
// Of `instances` of which so many were sampled at each stack.
using SampledAtStack = std::map<uint32_t, uint64_t>;
AllocationSites SitesFrom(uint64_t instances, const SampledAtStack& sampled);
AllocationSites AllocationSitesOf(const snapshot::Summary& summary, const analysis::HeapGraph& graph,
                                  analysis::TypeIndex type);
// Of all types at once, by TypeIndex; none where allocations were not sampled. Complexity: linear in the sampled
// objects.
Result<std::vector<AllocationSites>> AllocationSitesByType(session::SnapshotSession& session, analysis::Work& work);

// What AllocationSitesWords says of each type by name and module; types without a sampled object are left out.
using AllocatedByType = std::map<std::pair<std::string, std::optional<std::string>>, std::string>;
Result<AllocatedByType> AllocatedWordsByType(session::SnapshotSession& session, analysis::Work& work);

// Of one of the types that a question was about.
struct TypeAllocations {
  uint32_t type = 0;
  AllocationSites sites;
};
// Of the chosen types, by TypeIndex, that have instances: the most sampled first. None where allocations were not
// sampled.
Result<std::vector<TypeAllocations>> AllocationsOfTypes(session::SnapshotSession& session,
                                                        const std::vector<bool>& chosen, analysis::Work& work);
// [{"type":…,"instances":…,"sampled":…,"sites":[…]}]
Json TypeAllocationsJson(const snapshot::Summary& summary, const std::vector<TypeAllocations>& types);
// "Shop.Order allocated at …": a line for each type with a sampled instance, at most `most`, and what is not told.
std::string TypeAllocationsText(const snapshot::Summary& summary, const std::vector<TypeAllocations>& types,
                                size_t most);

// {"instances":…,"sampled":…,"sites":[{"frames":[…],"sampled":…}]}
Json AllocationSitesJson(const snapshot::Summary& summary, const AllocationSites& sites);
// "Cache.Add < Loader.Load < … (9 of 12 sampled; 12 of 4,000 instances were sampled)"; empty: none was sampled.
std::string AllocationSitesWords(const snapshot::Summary& summary, const AllocationSites& sites);

}  // namespace cairn::presentation
