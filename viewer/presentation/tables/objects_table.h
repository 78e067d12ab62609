#pragma once
// Instances of a snapshot. In address order they stream; in order of bytes only what is shown is held.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/tables/table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

enum class FileOrder { kBytes, kAddress };

struct ObjectsRequest {
  ObjectFilter filter;
  FileOrder order = FileOrder::kBytes;
  std::optional<uint64_t> top;
};

// What went through the sink. `damage`: the rows that could be read were given, then this happened.
struct ObjectsShown {
  uint64_t objects = 0, bytes = 0;  // matching, shown or not
  std::optional<Error> damage;
};

// Whether an object is reachable says something only where both kinds are listed.
enum class ObjectMix { kOneKind, kBothKinds };
std::vector<Column> ObjectColumns(ObjectMix mix = ObjectMix::kOneKind);
// One row of these columns.
std::vector<Cell> ObjectCells(const session::ObjectInfo& object, const std::string& type);

// Matching instances, largest first (equal ones by address) or by address. Memory: the rows shown.
ObjectsShown StreamObjects(HeapSource& source, const ObjectsRequest& request, RowSink& sink);

// The same, reachable (or unreachable) ones with what they retain. `damage`: an error of the session.
ObjectsShown StreamObjects(session::SnapshotSession& session, const session::ObjectRequest& request, RowSink& sink,
                           analysis::Work& work);

// Errors: object.missing.
Result<analysis::ObjectIndex> FindObject(session::SnapshotSession& session, const ObjectName& name,
                                         analysis::Work& work);
Result<std::vector<session::ObjectInfo>> FindObjects(session::SnapshotSession& session,
                                                     const std::vector<ObjectName>& names, analysis::Work& work);
void EmitObjects(session::SnapshotSession& session, const std::vector<session::ObjectInfo>& objects, RowSink& sink);

// These instances, in the order named. Errors: object.missing.
Result<std::vector<HeapObject>> FindObjects(HeapSource& source, const std::vector<ObjectName>& names);
void EmitObjects(HeapSource& source, const std::vector<HeapObject>& objects, RowSink& sink);

}  // namespace cairn::presentation
