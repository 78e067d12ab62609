#include "viewer/convert/heapsnapshot_edges.h"

namespace cairn::convert {

using analysis::EdgeKind;
using analysis::ObjectIndex;
using analysis::TypeIndex;

EdgeReader::EdgeReader(session::SnapshotSession& session, const analysis::HeapGraph& graph)
    : session_(session),
      graph_(graph),
      field_names_(graph, session.Source()),
      names_(graph.GetSummary().types.size()) {}

Status EdgeReader::ReadAll(const Visit& visit, analysis::Work& work) {
  auto cursor = session_.Source().NewCursor();
  if (!cursor) return tl::make_unexpected(std::move(cursor).error());
  const size_t chunks = session_.Source().Chunks().size();
  work.Begin("writing references", chunks);
  stream::DecodedChunk decoded;
  for (size_t i = 0; i < chunks && !stopped_; ++i) {
    if (work.Cancelled()) return analysis::WasCancelled();
    CAIRN_TRY((*cursor)->Read(i, decoded));
    CAIRN_TRY(ReadChunk(i, decoded, visit));
    work.Advance(1);
  }
  if (!stopped_ && open_.Valid()) EmitImplied(open_, visit);
  return {};
}

Status EdgeReader::ReadChunk(size_t number, const stream::DecodedChunk& chunk, const Visit& visit) {
  const snapshot::ChunkInfo& info = session_.Source().Chunks()[number];
  const uint64_t* const targets = chunk.targets.data();
  if (info.header.continued_slots > 0 && open_.Valid())
    CAIRN_TRY(EmitSlots(open_, info.header.continued_slot, targets, targets + chunk.first_slot[0], visit));
  for (size_t i = 0; i < chunk.types.size() && !stopped_; ++i) {
    if (open_.Valid() && !EmitImplied(open_, visit)) break;
    open_ = ObjectIndex(static_cast<uint32_t>(info.first_object + i));
    CAIRN_TRY(EmitSlots(open_, 0, targets + chunk.first_slot[i], targets + chunk.first_slot[i + 1], visit));
  }
  return {};
}

// A slot that leads to no object is shown as a reference to the object itself, as in the graph.
Status EdgeReader::EmitSlots(ObjectIndex object, uint64_t first_slot, const uint64_t* begin, const uint64_t* end,
                             const Visit& visit) {
  if (begin == end) return {};
  const auto names = NamesOf(graph_.TypeOf(object));
  if (!names) return tl::make_unexpected(names.error());
  NamedEdge edge;
  edge.source = object;
  for (const uint64_t* at = begin; at != end && !stopped_; ++at) {
    if (*at == 0) continue;
    edge.target = graph_.AtAddress(*at);
    if (!edge.target.Valid()) edge.target = object;
    EmitSlot(**names, first_slot + static_cast<uint64_t>(at - begin), edge, visit);
  }
  return {};
}

bool EdgeReader::EmitSlot(const SlotNames& names, uint64_t slot, NamedEdge& edge, const Visit& visit) {
  if (names.elements && names.names.empty()) {
    edge.kind = NamedEdge::Kind::kElement;
    edge.element = slot;
  } else {
    edge.kind = NamedEdge::Kind::kField;
    const uint64_t field = names.elements ? slot % names.names.size() : slot;
    if (field >= names.names.size()) scratch_ = "(slot " + std::to_string(slot) + ")";
    edge.name = field < names.names.size() ? &names.names[field] : &scratch_;
  }
  stopped_ = !visit(edge);
  return !stopped_;
}

bool EdgeReader::EmitImplied(ObjectIndex object, const Visit& visit) {
  static const std::string kAllocator = analysis::kLoaderAllocatorName, kDependent = analysis::kDependentName;
  const auto targets = graph_.Targets(object);
  for (uint64_t i = targets.size() - graph_.ImpliedEdges(object); i < targets.size() && !stopped_; ++i) {
    NamedEdge edge{NamedEdge::Kind::kImplied, &kAllocator, 0, object, targets[i]};
    if (graph_.KindOf(object, i) == EdgeKind::kDependent) edge.name = &kDependent;
    stopped_ = !visit(edge);
  }
  return !stopped_;
}

Result<const EdgeReader::SlotNames*> EdgeReader::NamesOf(TypeIndex index) {
  SlotNames& names = names_[index.value];
  if (names.known) return &names;
  const snapshot::Type& type = graph_.GetSummary().types[index.value];
  names.elements = type.layout.component_size != 0 && !type.layout.explicit_slots;
  // Of a type whose objects tell their slots themselves nothing is known beforehand.
  const uint32_t slots = names.elements ? type.layout.element_slots : type.layout.fixed_slots;
  for (uint32_t slot = 0; slot < slots; ++slot) {
    auto name = field_names_.NameOf(index, slot);
    if (!name) return tl::make_unexpected(std::move(name).error());
    names.names.push_back(names.elements ? "[]" + name->substr(name->find(']') + 1) : std::move(*name));
  }
  if (names.elements && names.names.size() == 1 && names.names[0] == "[]") names.names.clear();
  names.known = true;
  return &names;
}

}  // namespace cairn::convert
