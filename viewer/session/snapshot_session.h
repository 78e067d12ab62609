#pragma once
// One opened snapshot and every exact answer about it. What an answer needs is computed at its first use, once,
// and kept: graph, reachability, dominators with retained sizes, shortest paths.
// Every method takes a Work: it shows progress and can be cancelled (error "cancelled"); a later call starts anew.
// Thread rule: every method from any thread. Ownership: answers are the caller's; pointers in them observe the
// session's summary.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "snapshot-format/file/limits.h"
#include "viewer/analysis/chunk_source.h"
#include "viewer/analysis/work.h"
#include "viewer/session/answers.h"
#include "viewer/session/result_store.h"

namespace cairn::analysis {
class DominatorTree;
class RetainedSizes;
class ShortestPaths;
}  // namespace cairn::analysis

namespace cairn::session {

// What an object retains, and by whom it is.
struct Dominance;

template <class T>
class Computed;

class SnapshotSession {
 public:
  struct Options {
    snapshot::Limits limits;
    unsigned threads = 0;  // 0: as many as are worth it here
    CacheOptions cache;    // where results are kept; nowhere by default
  };

  // Errors: those of SnapshotReader::Open.
  static Result<std::unique_ptr<SnapshotSession>> Open(const std::string& path, const Options& options);
  static Result<std::unique_ptr<SnapshotSession>> Open(const std::string& path) { return Open(path, Options{}); }
  // Over any source; `path` is a name to show.
  static std::unique_ptr<SnapshotSession> Over(std::unique_ptr<analysis::ChunkSource> source, std::string path,
                                               unsigned threads);
  ~SnapshotSession();

  const snapshot::Summary& GetSummary() const;
  const std::string& Path() const { return path_; }
  uint64_t FileBytes() const { return file_bytes_; }
  // Tells of the cache from now on; what `events` refers to outlives the session.
  void SetCacheEvents(CacheEvents events);
  // What following the references brought to light: references, roots or handles that lead to no object.
  Result<std::vector<snapshot::Problem>> GraphProblems(analysis::Work& work);

  // ---- reachable: strong roots and the NonGC heap ----
  Result<ObjectTotals> Reachable(analysis::Work& work);
  Result<ObjectTotals> Reachable(TypeIndex type, analysis::Work& work);
  Result<std::vector<ObjectTotals>> ReachableOfTypes(analysis::Work& work);  // by TypeIndex

  // ---- retained ----
  Result<uint64_t> Retained(ObjectIndex object, analysis::Work& work);
  Result<std::vector<uint64_t>> RetainedOfTypes(analysis::Work& work);  // by TypeIndex
  // Groups that have objects; sums of objects and bytes over all rows are those of the snapshot.
  Result<std::vector<GroupRow>> Groups(Grouping grouping, analysis::Work& work);
  // Groups of the caller's own: `group_of_type`, by TypeIndex, is below `groups` or kNoGroup.
  Result<std::vector<GroupTotals>> Totals(const std::vector<uint32_t>& group_of_type, uint32_t groups,
                                          analysis::Work& work);
  // By generation, over the objects of some types (by TypeIndex; empty: all).
  Result<std::vector<GroupTotals>> TotalsByGeneration(const std::vector<bool>& types, analysis::Work& work);

  // ---- objects ----
  // Errors: object.missing.
  Result<ObjectIndex> AtAddress(uint64_t address, analysis::Work& work);
  Result<ObjectInfo> Object(ObjectIndex object, analysis::Work& work);
  Result<ObjectFields> Fields(ObjectIndex object, uint64_t limit, analysis::Work& work);
  Result<ObjectReferrers> Referrers(ObjectIndex object, uint64_t limit, analysis::Work& work);
  Result<ObjectList> Objects(const ObjectRequest& request, analysis::Work& work);
  // The same one by one, until `visit` returns false; the total is of all that match. In address order without a
  // limit nothing is held; else up to 24 bytes per object shown.
  Result<ObjectTotals> VisitObjects(const ObjectRequest& request, const std::function<bool(const ObjectInfo&)>& visit,
                                    analysis::Work& work);

  // ---- dominators ----
  // Of the virtual root where `object` is none.
  Result<DominatedObjects> DominatorChildren(ObjectIndex object, uint64_t limit, analysis::Work& work);

  // ---- roots and paths ----
  Result<std::vector<RootKindRow>> RootsByKind(analysis::Work& work);
  // In the contract's order; weak ones last.
  Result<std::vector<RootInfo>> Roots(std::optional<snapshot::RootKind> kind, analysis::Work& work);
  Result<RootPaths> Paths(const PathRequest& request, analysis::Work& work);
  // Reachable objects of some types (by TypeIndex; empty: all) by the shape of their path, the steps before included.
  Result<std::vector<PathGroup>> PathGroups(const std::vector<bool>& types, analysis::Work& work);
  // The same of the reachable objects for which `wanted` says so.
  Result<std::vector<PathGroup>> PathGroupsOf(const std::function<bool(ObjectIndex)>& wanted, analysis::Work& work);
  // By ObjectIndex: the objects of these types (empty: all) whose path has this fingerprint.
  Result<std::vector<bool>> ObjectsOfPath(const std::string& fingerprint, const std::vector<bool>& types,
                                          analysis::Work& work);
  // What the members of these groups of all reachable objects retain together, each byte once.
  Result<uint64_t> RetainedByPaths(const std::set<std::string>& fingerprints, analysis::Work& work);

  // ---- for rooms that compute more (diff, checks, layouts) ----
  Result<const analysis::HeapGraph*> Graph(analysis::Work& work);
  Result<const analysis::Reachability*> Reached(analysis::Work& work);
  Result<const Dominance*> Dominators(analysis::Work& work);
  Result<const analysis::ShortestPaths*> ShortestPaths(analysis::Work& work);
  const analysis::ChunkSource& Source() const { return *source_; }
  unsigned Threads() const { return threads_; }

 private:
  struct Lazy;
  struct TypeTotals;

  template <class T>
  Result<const T*> Kept(Computed<T>& value, const char* name, analysis::Work& work,
                        const std::function<std::optional<T>(analysis::ArrayTaker)>& from_saved,
                        const std::function<Result<T>()>& build);
  // Sums by type, which need neither graph nor tree once they are kept.
  Result<const TypeTotals*> OfTypes(analysis::Work& work);
  Result<std::vector<GroupTotals>> SumTypes(analysis::Work& work);

  SnapshotSession(std::unique_ptr<analysis::ChunkSource> source, std::string path, uint64_t file_bytes,
                  unsigned threads);

  std::unique_ptr<analysis::ChunkSource> source_;
  std::string path_;
  uint64_t file_bytes_ = 0;
  unsigned threads_ = 1;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace cairn::session
