#pragma once
// What tables need of a snapshot. A file serves it directly; a session with a graph can take its place.
// Thread rule: one thread per source, apart from Summary.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "viewer/presentation/object_name.h"

namespace cairn::presentation {

struct HeapObject {
  uint64_t index = 0;  // in address order, over the whole snapshot
  uint64_t address = 0;
  uint32_t type = 0;
  uint64_t bytes = 0;
  snapshot::Generation generation{};
};

struct ObjectFilter {
  std::vector<bool> types;  // by type id; empty: all
  std::optional<snapshot::Generation> generation;
};

class HeapSource {
 public:
  virtual ~HeapSource() = default;

  virtual const snapshot::Summary& Summary() const = 0;
  virtual const std::string& Path() const = 0;
  virtual uint64_t FileBytes() const = 0;

  // Matching objects in address order, until `visit` returns false. Memory: one chunk. An error comes after
  // the objects that could still be read.
  virtual Status VisitObjects(const ObjectFilter& filter, const std::function<bool(const HeapObject&)>& visit) = 0;
  // Errors: object.missing.
  virtual Result<HeapObject> FindObject(const ObjectName& name) = 0;
};

// The full name, or one made of the method table where the runtime gave none.
std::string TypeName(const snapshot::Type& type);
std::vector<std::string> TypeNames(const snapshot::Summary& summary);
// Nothing where the type belongs to no module.
std::optional<std::string> ModuleName(const snapshot::Summary& summary, const snapshot::Type& type);

}  // namespace cairn::presentation
