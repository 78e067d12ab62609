#pragma once
// What strong roots and the NonGC heap keep alive. Weak handles are not followed.
// Thread rule: built once; then reads from any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "viewer/analysis/flat_array.h"
#include "viewer/analysis/heap_graph.h"
#include "viewer/analysis/indices.h"
#include "viewer/analysis/work.h"

namespace cairn::analysis {

struct ObjectTotals {
  uint64_t objects = 0, bytes = 0;

  ObjectTotals& operator+=(const ObjectTotals& other) {
    objects += other.objects;
    bytes += other.bytes;
    return *this;
  }
  bool operator==(const ObjectTotals&) const = default;
};

class ArrayList;
class ArrayTaker;

class Reachability {
 public:
  // Complexity: linear in objects and edges; one bit per object kept.
  static Result<Reachability> Build(const HeapGraph& graph, Work& work);

  // See HeapGraph::Save.
  void Save(ArrayList& out) const;
  static std::optional<Reachability> FromSaved(ArrayTaker from, const HeapGraph& graph);

  bool IsReachable(ObjectIndex object) const { return marks_[object.value / 64] >> object.value % 64 & 1; }
  const ObjectTotals& Total() const { return total_; }
  // By TypeIndex.
  const std::vector<ObjectTotals>& ByType() const { return by_type_; }

 private:
  bool Mark(ObjectIndex object);
  Status MarkAll(const HeapGraph& graph, Work& work);
  Status Count(const HeapGraph& graph, Work& work);

  FlatArray<uint64_t> marks_;
  ObjectTotals total_;
  std::vector<ObjectTotals> by_type_;
};

}  // namespace cairn::analysis
