// Everything about one object, and lists of objects.

#include <algorithm>
#include <functional>

#include "snapshot-format/stream/hex_address.h"
#include "viewer/analysis/field_names.h"
#include "viewer/analysis/referrers.h"
#include "viewer/session/dominance.h"
#include "viewer/session/field_values.h"
#include "viewer/session/object_order.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::session {

using analysis::EdgeKind;
using analysis::HeapGraph;
using analysis::Work;

namespace {

tl::unexpected<Error> NoObject(const std::string& name, uint64_t objects) {
  return Fail(ErrorKind::kFailed, "object.missing",
              "there is no object " + name + "; the snapshot has " + std::to_string(objects) + ", from @0 on",
              "An index is valid within one file only; an address must be where an object starts.");
}

Status CheckObject(const HeapGraph& graph, ObjectIndex object) {
  if (object.value < graph.ObjectCount()) return {};
  return NoObject("@" + std::to_string(object.value), graph.ObjectCount());
}

ObjectInfo Describe(const HeapGraph& graph, const Dominance& dominance, ObjectIndex object) {
  ObjectInfo info;
  info.object = object;
  info.address = graph.AddressOf(object);
  info.type = graph.TypeOf(object);
  info.bytes = graph.SizeOf(object);
  info.generation = graph.GenerationOf(object);
  info.reachable = dominance.tree.IsReachable(object);
  info.retained = dominance.Retained(object);
  info.dominator = dominance.tree.DominatorOf(object);
  return info;
}

// Fields of one object: its slots by name and, in types of fixed size, what is no reference.
class FieldList {
 public:
  FieldList(const HeapGraph& graph, const analysis::ChunkSource& source, ObjectIndex object, uint64_t limit)
      : graph_(graph),
        summary_(source.GetSummary()),
        object_(object),
        type_(graph.TypeInfo(object)),
        names_(graph, source),
        limit_(limit) {}

  Result<ObjectFields> Make() {
    const auto slots = names_.Reader().Read(object_, limit_);
    if (!slots) return tl::make_unexpected(slots.error());
    const auto declared = names_.Reader().Fields(graph_.TypeOf(object_));
    if (!declared) return tl::make_unexpected(declared.error());
    list_.length = slots->length;
    CAIRN_TRY(AddSlots(*slots, *declared));
    if (!type_.layout.HasLength()) CAIRN_TRY(AddValues(*declared));
    CAIRN_TRY(AddTexts());
    AddImplied();
    list_.omitted = slots->total - slots->targets.size();
    return std::move(list_);
  }

 private:
  Status AddSlots(const analysis::ObjectSlots& slots, const std::vector<snapshot::Field>& declared) {
    const auto& offsets = type_.layout.component_size ? type_.element_slots : type_.fixed_slots;
    for (size_t slot = 0; slot < slots.targets.size(); ++slot) {
      auto name = names_.NameOf(graph_.TypeOf(object_), slot);
      if (!name) return tl::make_unexpected(std::move(name).error());
      FieldInfo& field = list_.fields.emplace_back();
      field.name = std::move(*name);
      const uint32_t number = analysis::FieldNames::FieldOfSlot(type_, slot);
      if (number < offsets.size()) field.offset = offsets[number];
      field.type = DeclaredType(declared, field.offset);
      if (slots.targets[slot] == 0) continue;
      field.target = graph_.AtAddress(slots.targets[slot]);
      if (!field.target.Valid()) field.unresolved = slots.targets[slot];
    }
    return {};
  }

  static std::string DeclaredType(const std::vector<snapshot::Field>& declared, uint32_t offset) {
    const auto at =
        std::find_if(declared.begin(), declared.end(), [&](const auto& field) { return field.offset == offset; });
    return at == declared.end() ? "" : at->type;
  }

  Status AddValues(const std::vector<snapshot::Field>& declared) {
    std::vector<int64_t> kept;
    if (type_.layout.value_slots != 0) {
      const auto contents = names_.Reader().Contents(object_);
      if (!contents) return tl::make_unexpected(contents.error());
      kept.assign(contents->values.begin(), contents->values.end());
    }
    for (const snapshot::Field& field : declared) {
      if (field.kind == snapshot::FieldKind::kReference) continue;
      FieldInfo& info = list_.fields.emplace_back();
      info.name = field.name;
      info.offset = field.offset;
      info.type = field.type;
      info.kind = field.kind;
      info.value = ValueOf(summary_, type_, kept, field);
    }
    std::stable_sort(list_.fields.begin(), list_.fields.end(),
                     [](const FieldInfo& a, const FieldInfo& b) { return a.offset < b.offset; });
    return {};
  }

  // Its own, of a string, and those of the first strings that it refers to.
  Status AddTexts() {
    if (type_.layout.has_text) {
      FieldInfo text;
      text.name = kTextName;
      text.offset = type_.elements_offset;
      text.type = type_.name;
      text.kind = snapshot::FieldKind::kOther;
      CAIRN_TRY(AddText(object_, text));
      list_.fields.push_back(std::move(text));
    }
    uint64_t read = 0;
    for (FieldInfo& field : list_.fields) {
      const bool has_text = field.target.Valid() && graph_.TypeInfo(field.target).layout.has_text;
      if (has_text && read++ < kMostTexts) CAIRN_TRY(AddText(field.target, field));
    }
    return {};
  }

  Status AddText(ObjectIndex string, FieldInfo& field) {
    const auto contents = names_.Reader().Contents(string);
    if (!contents) return tl::make_unexpected(contents.error());
    if (contents->has_text) field.value = std::string(contents->text) + (contents->text_cut ? "…" : "");
    return {};
  }

  void AddImplied() {
    const auto targets = graph_.Targets(object_);
    for (uint64_t i = targets.size() - graph_.ImpliedEdges(object_); i < targets.size(); ++i) {
      FieldInfo& field = list_.fields.emplace_back();
      field.edge = graph_.KindOf(object_, i);
      field.name = field.edge == EdgeKind::kDependent ? analysis::kDependentName : analysis::kLoaderAllocatorName;
      field.target = targets[i];
    }
  }

  // Each may lie in another chunk.
  static constexpr uint64_t kMostTexts = 100;
  static constexpr const char* kTextName = "(text)";

  const HeapGraph& graph_;
  const snapshot::Summary& summary_;
  const ObjectIndex object_;
  const snapshot::Type& type_;
  analysis::FieldNames names_;
  const uint64_t limit_;
  ObjectFields list_;
};

// Keeps the first `limit` of what it is given, by rank; among equals the smaller index.
class Best {
 public:
  explicit Best(uint64_t limit) : limit_(limit) {}

  void Offer(uint64_t rank, ObjectIndex object) {
    if (limit_ == 0) return;
    if (kept_.size() < limit_) {
      kept_.push_back({rank, object});
      if (kept_.size() == limit_) std::make_heap(kept_.begin(), kept_.end(), Before);
    } else if (Before({rank, object}, kept_.front())) {
      std::pop_heap(kept_.begin(), kept_.end(), Before);
      kept_.back() = {rank, object};
      std::push_heap(kept_.begin(), kept_.end(), Before);
    }
  }

  std::vector<ObjectIndex> Take() {
    std::sort(kept_.begin(), kept_.end(), Before);  // of millions thrice as fast as taking a heap apart
    std::vector<ObjectIndex> objects;
    objects.reserve(kept_.size());
    for (const Ranked& ranked : kept_) objects.push_back(ranked.object);
    return objects;
  }

 private:
  struct Ranked {
    uint64_t rank;
    ObjectIndex object;
  };
  static bool Before(const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.object < b.object;
  }

  const uint64_t limit_;
  std::vector<Ranked> kept_;  // once there are `limit`, a heap, the worst in front
};

uint64_t RankOf(const ObjectRequest& request, const Dominance& dominance, ObjectIndex object, uint64_t bytes) {
  switch (request.order) {
    case ObjectOrder::kBytes:
      return bytes;
    case ObjectOrder::kAddress:
      return 0;
    case ObjectOrder::kRetained:
      break;
  }
  return request.unreachable ? bytes : dominance.Retained(object);
}

using VisitObject = std::function<bool(const ObjectInfo&)>;

Result<ObjectTotals> VisitByAddress(const HeapGraph& graph, const Dominance& dominance, const ObjectRequest& request,
                                    const VisitObject& visit, Work& work) {
  uint64_t shown = 0;
  return ForEachMatch(graph, dominance, request, work, [&](ObjectIndex object, uint64_t) {
    return shown++ >= request.limit || visit(Describe(graph, dominance, object));
  });
}

Result<ObjectTotals> VisitAllByRank(const HeapGraph& graph, const Dominance& dominance, const ObjectRequest& request,
                                    const VisitObject& visit, Work& work) {
  return OrderObjects(graph, dominance, request, work).map([&](const OrderedObjects& ordered) {
    for (const uint32_t object : ordered.objects)
      if (!visit(Describe(graph, dominance, ObjectIndex(object)))) break;
    return ordered.total;
  });
}

Result<ObjectTotals> VisitByRank(const HeapGraph& graph, const Dominance& dominance, const ObjectRequest& request,
                                 const VisitObject& visit, Work& work) {
  if (request.limit >= graph.ObjectCount()) return VisitAllByRank(graph, dominance, request, visit, work);
  Best best(request.limit);
  const auto total = ForEachMatch(graph, dominance, request, work, [&](ObjectIndex object, uint64_t bytes) {
    best.Offer(RankOf(request, dominance, object, bytes), object);
    return true;
  });
  if (!total) return total;
  for (const ObjectIndex object : best.Take())
    if (!visit(Describe(graph, dominance, object))) break;
  return total;
}

DominatedObjects ListChildren(const HeapGraph& graph, const Dominance& dominance, analysis::DominatorIndex place,
                              uint64_t limit) {
  DominatedObjects list;
  Best best(limit);
  dominance.tree.ForEachChild(place, [&](analysis::DominatorIndex child) {
    ++list.total;
    best.Offer(dominance.sizes.At(dominance.tree, child), dominance.tree.ObjectAt(child));
  });
  for (const ObjectIndex object : best.Take()) {
    const uint64_t dominated = dominance.tree.SubtreeOf(dominance.tree.PlaceOf(object)) - 1;
    list.children.push_back(
        {object, graph.TypeOf(object), graph.SizeOf(object), dominance.Retained(object), dominated});
  }
  return list;
}

}  // namespace

Result<ObjectIndex> SnapshotSession::AtAddress(uint64_t address, Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) -> Result<ObjectIndex> {
    const ObjectIndex object = graph->AtAddress(address);
    if (object.Valid()) return object;
    return NoObject("at " + stream::HexAddress(address), graph->ObjectCount());
  });
}

Result<ObjectInfo> SnapshotSession::Object(ObjectIndex object, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  if (const Status there = CheckObject(**graph, object); !there) return tl::make_unexpected(there.error());
  return Dominators(work).map([&](const Dominance* dominance) { return Describe(**graph, *dominance, object); });
}

Result<ObjectFields> SnapshotSession::Fields(ObjectIndex object, uint64_t limit, Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) -> Result<ObjectFields> {
    if (const Status there = CheckObject(*graph, object); !there) return tl::make_unexpected(there.error());
    return FieldList(*graph, *source_, object, limit).Make();
  });
}

Result<ObjectReferrers> SnapshotSession::Referrers(ObjectIndex object, uint64_t limit, Work& work) {
  return Graph(work).and_then([&](const HeapGraph* graph) -> Result<ObjectReferrers> {
    if (const Status there = CheckObject(*graph, object); !there) return tl::make_unexpected(there.error());
    const auto found = analysis::FindReferrers(*graph, object, limit, threads_, work);
    if (!found) return tl::make_unexpected(found.error());
    ObjectReferrers list;
    list.total = found->total;
    analysis::FieldNames names(*graph, *source_);
    for (const analysis::EdgeRef& edge : found->edges) {
      auto name = names.NameOf(edge);
      if (!name) return tl::make_unexpected(std::move(name).error());
      list.referrers.push_back({edge.source, std::move(*name)});
    }
    return list;
  });
}

Result<ObjectTotals> SnapshotSession::VisitObjects(const ObjectRequest& request, const VisitObject& visit, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return Dominators(work).and_then([&](const Dominance* dominance) {
    return request.order == ObjectOrder::kAddress ? VisitByAddress(**graph, *dominance, request, visit, work)
                                                  : VisitByRank(**graph, *dominance, request, visit, work);
  });
}

Result<ObjectList> SnapshotSession::Objects(const ObjectRequest& request, Work& work) {
  ObjectList list;
  const auto keep = [&](const ObjectInfo& object) {
    list.objects.push_back(object);
    return true;
  };
  return VisitObjects(request, keep, work).map([&](const ObjectTotals& total) {
    list.total = total;
    return std::move(list);
  });
}

Result<DominatedObjects> SnapshotSession::DominatorChildren(ObjectIndex object, uint64_t limit, Work& work) {
  const auto graph = Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  const auto dominance = Dominators(work);
  if (!dominance) return tl::make_unexpected(dominance.error());
  if (!object.Valid()) return ListChildren(**graph, **dominance, analysis::DominatorTree::kVirtualRoot, limit);
  if (const Status there = CheckObject(**graph, object); !there) return tl::make_unexpected(there.error());
  // An object that is not reachable dominates nothing.
  if (!(*dominance)->tree.IsReachable(object)) return DominatedObjects{};
  return ListChildren(**graph, **dominance, (*dominance)->tree.PlaceOf(object), limit);
}

}  // namespace cairn::session
