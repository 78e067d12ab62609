#pragma once
// Every reference of a snapshot with its field, object by object: chunks are read again in order, since the graph does
// not keep which slot a reference is in.
// Thread rule: one thread. Ownership: observes the session.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "snapshot-format/stream/chunk_decoder.h"
#include "viewer/analysis/field_names.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::convert {

struct NamedEdge {
  enum class Kind { kField, kElement, kImplied };

  Kind kind{};
  const std::string* name = nullptr;  // of a field, or of an implied edge; of a field of an element: "[].Key"
  uint64_t element = 0;               // of kElement
  analysis::ObjectIndex source, target;
};

// Calls visit(edge) until it returns false: edges of @0, of @1 …, in the order of HeapGraph::Targets, and as many.
class EdgeReader {
 public:
  EdgeReader(session::SnapshotSession& session, const analysis::HeapGraph& graph);

  using Visit = std::function<bool(const NamedEdge&)>;
  Status ReadAll(const Visit& visit, analysis::Work& work);

 private:
  // Names of the slots of an object or of one element; empty: elements that are references.
  struct SlotNames {
    bool known = false, elements = false;
    std::vector<std::string> names;
  };

  Status ReadChunk(size_t number, const stream::DecodedChunk& chunk, const Visit& visit);
  Status EmitSlots(analysis::ObjectIndex object, uint64_t first_slot, const uint64_t* begin, const uint64_t* end,
                   const Visit& visit);
  bool EmitSlot(const SlotNames& names, uint64_t slot, NamedEdge& edge, const Visit& visit);
  bool EmitImplied(analysis::ObjectIndex object, const Visit& visit);
  Result<const SlotNames*> NamesOf(analysis::TypeIndex type);

  session::SnapshotSession& session_;
  const analysis::HeapGraph& graph_;
  analysis::FieldNames field_names_;
  std::vector<SlotNames> names_;  // by type
  std::string scratch_;           // the name of a slot that no type tells
  analysis::ObjectIndex open_;    // whose implied edges are still to come
  bool stopped_ = false;
};

}  // namespace cairn::convert
