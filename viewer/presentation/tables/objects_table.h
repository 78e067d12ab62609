#pragma once
// Instances of a snapshot. In address order they stream; in order of bytes only what is shown is held.

#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/heap_source.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

enum class ObjectOrder { kBytes, kAddress };

struct ObjectsRequest {
  ObjectFilter filter;
  ObjectOrder order = ObjectOrder::kBytes;
  std::optional<uint64_t> top;
};

// What went through the sink. `damage`: the rows that could be read were given, then this happened.
struct ObjectsShown {
  uint64_t objects = 0, bytes = 0;  // matching, shown or not
  std::optional<Error> damage;
};

std::vector<Column> ObjectColumns();

// Matching instances, largest first (equal ones by address) or by address. Memory: the rows shown.
ObjectsShown StreamObjects(HeapSource& source, const ObjectsRequest& request, RowSink& sink);

// These instances, in the order named. Errors: object.missing.
Result<std::vector<HeapObject>> FindObjects(HeapSource& source, const std::vector<ObjectName>& names);
void EmitObjects(HeapSource& source, const std::vector<HeapObject>& objects, RowSink& sink);

}  // namespace cairn::presentation
