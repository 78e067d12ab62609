#include "viewer/session/object_sense.h"

#include "viewer/analysis/dotnet/path_sense.h"
#include "viewer/analysis/dotnet/value_sense.h"

namespace cairn::session {
namespace {

// Steps that are named; what an object is shows at the end of its path.
constexpr uint64_t kSteps = 32;

// Of an object that nothing holds.
Result<std::string> SenseAlone(SnapshotSession& session, const analysis::HeapGraph& graph, ObjectIndex object) {
  analysis::dotnet::TypeRoles roles(graph.GetSummary().types);
  std::string sense = analysis::dotnet::PathSense(roles).Next(graph.TypeOf(object), "");
  auto values = analysis::dotnet::ValueSense(graph, session.Source(), roles).Of(object);
  if (!values) return values;
  if (!values->empty()) sense += sense.empty() ? *values : ", " + *values;
  return sense;
}

}  // namespace

Result<std::string> SenseOf(SnapshotSession& session, ObjectIndex object, analysis::Work& work) {
  PathRequest request;
  request.object = object;
  request.limit = 1;
  request.max_steps = kSteps;
  const auto paths = session.Paths(request, work);
  if (!paths) return tl::make_unexpected(paths.error());
  if (!paths->paths.empty()) return paths->paths.front().steps.back().sense;
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return SenseAlone(session, **graph, object);
}

}  // namespace cairn::session
