#include "viewer/session/ignored_locals.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "viewer/analysis/reachability.h"

namespace cairn::session {
namespace {

using snapshot::Root;
using snapshot::RootKind;
using snapshot::Summary;

// The task that a thread runs: where the thread is, like its frames, and with it the variables of the async method
// that runs there.
constexpr std::string_view kCurrentTask = "System.Threading.Tasks.Task.t_currentTask";

bool IsLocal(const Root& root) { return root.kind == RootKind::kLocal; }
bool IsCurrentTask(const Root& root) { return root.kind == RootKind::kThreadStatic && root.name == kCurrentTask; }

// Any of the selectors, by position.
std::vector<bool> SelectAny(const std::vector<NameSelector>& selectors, const std::vector<std::string>& names) {
  std::vector<bool> selected(names.size());
  for (const NameSelector& select : selectors) {
    const std::vector<bool> by_this = select(names);
    for (size_t i = 0; i < names.size(); ++i) selected[i] = selected[i] || by_this[i];
  }
  return selected;
}

// The frames of locals, each name once, and whether it is meant.
std::map<std::string, bool> Frames(const IgnoredLocals& locals, const Summary& summary) {
  std::map<std::string, bool> frames;
  for (const Root& root : summary.roots)
    if (IsLocal(root)) frames.emplace(root.name, false);
  std::vector<std::string> names;
  for (const auto& [name, is_meant] : frames) names.push_back(name);
  const std::vector<bool> selected = SelectAny(locals.frames, names);
  size_t i = 0;
  for (auto& [name, is_meant] : frames) is_meant = selected[i++];
  return frames;
}

// By position in Summary::threads.
std::vector<bool> Threads(const IgnoredLocals& locals, const Summary& summary,
                          const std::map<std::string, bool>& frames) {
  std::vector<std::string> names;
  for (const snapshot::Thread& thread : summary.threads) names.push_back(thread.name);
  std::vector<bool> threads = SelectAny(locals.threads, names);
  for (size_t i = 0; i < threads.size(); ++i) {
    const auto& ids = locals.managed_ids;
    if (std::find(ids.begin(), ids.end(), summary.threads[i].managed_id) != ids.end()) threads[i] = true;
  }
  for (const Root& root : summary.roots)
    if (IsLocal(root) && root.thread < threads.size() && frames.at(root.name)) threads[root.thread] = true;
  return threads;
}

class FewerRoots : public analysis::ChunkSource {
 public:
  FewerRoots(std::unique_ptr<analysis::ChunkSource> source, const std::vector<bool>& left_out)
      : source_(std::move(source)), summary_(source_->GetSummary()) {
    size_t at = 0;
    std::erase_if(summary_.roots, [&](const Root&) { return bool(left_out[at++]); });
  }

  const Summary& GetSummary() const override { return summary_; }
  const std::vector<snapshot::ChunkInfo>& Chunks() const override { return source_->Chunks(); }
  Result<std::unique_ptr<analysis::ChunkCursor>> NewCursor() const override { return source_->NewCursor(); }

 private:
  const std::unique_ptr<analysis::ChunkSource> source_;
  Summary summary_;
};

}  // namespace

std::vector<bool> RootsOf(const IgnoredLocals& locals, const Summary& summary) {
  const auto frames = Frames(locals, summary);
  const auto threads = Threads(locals, summary, frames);
  std::vector<bool> roots(summary.roots.size());
  for (size_t i = 0; i < roots.size(); ++i) {
    const Root& root = summary.roots[i];
    if (!IsLocal(root) && !IsCurrentTask(root)) continue;
    const bool has_thread = root.thread < threads.size();
    roots[i] = locals.all || (has_thread ? threads[root.thread] : IsLocal(root) && frames.at(root.name));
  }
  return roots;
}

std::unique_ptr<analysis::ChunkSource> WithoutRoots(std::unique_ptr<analysis::ChunkSource> source,
                                                    const std::vector<bool>& left_out) {
  return std::make_unique<FewerRoots>(std::move(source), left_out);
}

namespace {

Result<RootPath> PathOf(SnapshotSession& session, const PathGroup& group, uint64_t max_steps, analysis::Work& work) {
  PathRequest request;
  request.object = group.example;
  request.limit = 1;
  request.max_steps = max_steps;
  request.with_retained = true;
  auto paths = session.Paths(request, work);
  if (!paths) return tl::make_unexpected(std::move(paths).error());
  RootPath path = std::move(paths->paths.front());  // it is reachable, so that there is one
  path.count = group.objects;
  path.bytes = group.bytes;
  return path;
}

}  // namespace

Result<RootPaths> PathsOfTheRest(SnapshotSession& whole, SnapshotSession& fewer,
                                 const std::function<bool(ObjectIndex)>& wanted, uint64_t max_steps,
                                 analysis::Work& work) {
  const auto counted = fewer.Reached(work);
  if (!counted) return tl::make_unexpected(counted.error());
  const auto groups =
      whole.PathGroupsOf([&](ObjectIndex object) { return !(*counted)->IsReachable(object) && wanted(object); }, work);
  if (!groups) return tl::make_unexpected(groups.error());
  RootPaths rest;
  for (const PathGroup& group : *groups) {
    if (group.objects == 0) continue;
    auto path = PathOf(whole, group, max_steps, work);
    if (!path) return tl::make_unexpected(std::move(path).error());
    rest.objects += group.objects;
    rest.paths.push_back(std::move(*path));
  }
  std::stable_sort(rest.paths.begin(), rest.paths.end(),
                   [](const RootPath& a, const RootPath& b) { return a.count > b.count; });
  rest.total = rest.paths.size();
  return rest;
}

}  // namespace cairn::session
