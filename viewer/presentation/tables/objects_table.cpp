#include "viewer/presentation/tables/objects_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {
namespace {

// The order of the rows when sorted by bytes; a heap with it has the smallest of the kept on top.
bool IsLarger(const HeapObject& a, const HeapObject& b) {
  return a.bytes != b.bytes ? a.bytes > b.bytes : a.index < b.index;
}

// The `limit` largest of those offered.
class LargestObjects {
 public:
  explicit LargestObjects(std::optional<uint64_t> limit) : limit_(limit) {}

  void Offer(const HeapObject& object) {
    if (limit_ && kept_.size() >= *limit_) {
      if (*limit_ == 0 || !IsLarger(object, kept_.front())) return;
      std::pop_heap(kept_.begin(), kept_.end(), IsLarger);
      kept_.pop_back();
    }
    kept_.push_back(object);
    if (limit_) std::push_heap(kept_.begin(), kept_.end(), IsLarger);
  }

  std::vector<HeapObject> Sorted() && {
    std::sort(kept_.begin(), kept_.end(), IsLarger);
    return std::move(kept_);
  }

 private:
  std::optional<uint64_t> limit_;
  std::vector<HeapObject> kept_;
};

std::vector<Cell> ObjectCells(const HeapObject& object, const std::string& type) {
  return {object.index, HexAddress(object.address),
          type,         object.bytes,
          Cell(),       std::string(snapshot::GenerationName(object.generation)),
          Cell()};
}

void Count(ObjectsShown& shown, const HeapObject& object) {
  ++shown.objects;
  shown.bytes += object.bytes;
}

void Note(ObjectsShown& shown, Status status) {
  if (!status) shown.damage = std::move(status).error();
}

ObjectsShown StreamByAddress(HeapSource& source, const ObjectsRequest& request, RowSink& sink) {
  const std::vector<std::string> names = TypeNames(source.Summary());
  ObjectsShown shown;
  uint64_t rows = 0;
  sink.Begin(ObjectColumns());
  Note(shown, source.VisitObjects(request.filter, [&](const HeapObject& object) {
    Count(shown, object);
    if (request.top && rows >= *request.top) return true;  // only counted
    ++rows;
    return sink.Row(ObjectCells(object, names.at(object.type)));
  }));
  sink.End(shown.objects - rows);
  return shown;
}

ObjectsShown StreamByBytes(HeapSource& source, const ObjectsRequest& request, RowSink& sink) {
  ObjectsShown shown;
  LargestObjects largest(request.top);
  Note(shown, source.VisitObjects(request.filter, [&](const HeapObject& object) {
    Count(shown, object);
    largest.Offer(object);
    return true;
  }));
  const std::vector<std::string> names = TypeNames(source.Summary());
  const std::vector<HeapObject> rows = std::move(largest).Sorted();
  sink.Begin(ObjectColumns());
  for (const HeapObject& object : rows)
    if (!sink.Row(ObjectCells(object, names.at(object.type)))) break;
  sink.End(shown.objects - rows.size());
  return shown;
}

}  // namespace

std::vector<Cell> ObjectCells(const session::ObjectInfo& object, const std::string& type) {
  return {uint64_t{object.object.value},
          HexAddress(object.address),
          type,
          object.bytes,
          object.retained,
          std::string(snapshot::GenerationName(object.generation)),
          object.reachable};
}

std::vector<Column> ObjectColumns(ObjectMix mix) {
  Column type{"type", "Type", Format::kText};
  type.place = 1;
  Column retained{"retained", "Retained", Format::kBytes};
  Column reachable{"reachable", "Reachable", Format::kFlag};
  retained.hide_if_empty = reachable.hide_if_empty = true;
  if (mix == ObjectMix::kOneKind) reachable.shown = Shown::kDataOnly;
  return {{"object", "Object", Format::kObject},
          {"address", "Address", Format::kText},
          type,
          {"bytes", "Bytes", Format::kBytes},
          retained,
          {"generation", "Generation", Format::kText},
          reachable};
}

ObjectsShown StreamObjects(HeapSource& source, const ObjectsRequest& request, RowSink& sink) {
  return request.order == FileOrder::kAddress ? StreamByAddress(source, request, sink)
                                              : StreamByBytes(source, request, sink);
}

ObjectsShown StreamObjects(session::SnapshotSession& session, const session::ObjectRequest& request, RowSink& sink,
                           analysis::Work& work) {
  const std::vector<std::string> names = TypeNames(session.GetSummary());
  uint64_t rows = 0;
  sink.Begin(ObjectColumns());
  const auto emit = [&](const session::ObjectInfo& object) {
    ++rows;
    return sink.Row(ObjectCells(object, names.at(object.type.value)));
  };
  const auto total = session.VisitObjects(request, emit, work);
  sink.End(total ? total->objects - rows : 0);
  if (!total) return {0, 0, total.error()};
  return {total->objects, total->bytes, {}};
}

Result<analysis::ObjectIndex> FindObject(session::SnapshotSession& session, const ObjectName& name,
                                         analysis::Work& work) {
  if (name.kind == ObjectName::Kind::kAddress) return session.AtAddress(name.value, work);
  if (name.value > analysis::kMaxGraphObjects)
    return Fail(ErrorKind::kFailed, "object.missing", fmt::format("there is no object @{}", name.value),
                "An index is valid within one file only.");
  return session.Object(analysis::ObjectIndex(static_cast<uint32_t>(name.value)), work)
      .map([](const session::ObjectInfo& object) { return object.object; });
}

Result<std::vector<session::ObjectInfo>> FindObjects(session::SnapshotSession& session,
                                                     const std::vector<ObjectName>& names, analysis::Work& work) {
  std::vector<session::ObjectInfo> objects;
  for (const ObjectName& name : names) {
    const auto object =
        FindObject(session, name, work).and_then([&](analysis::ObjectIndex at) { return session.Object(at, work); });
    if (!object) return tl::make_unexpected(object.error());
    objects.push_back(*object);
  }
  return objects;
}

void EmitObjects(session::SnapshotSession& session, const std::vector<session::ObjectInfo>& objects, RowSink& sink) {
  sink.Begin(ObjectColumns(ObjectMix::kBothKinds));
  for (const session::ObjectInfo& object : objects)
    if (!sink.Row(ObjectCells(object, TypeName(session.GetSummary().types.at(object.type.value))))) break;
  sink.End(0);
}

Result<std::vector<HeapObject>> FindObjects(HeapSource& source, const std::vector<ObjectName>& names) {
  std::vector<HeapObject> objects;
  for (const ObjectName& name : names) {
    auto object = source.FindObject(name);
    if (!object) return tl::make_unexpected(std::move(object).error());
    objects.push_back(*object);
  }
  return objects;
}

void EmitObjects(HeapSource& source, const std::vector<HeapObject>& objects, RowSink& sink) {
  sink.Begin(ObjectColumns());
  for (const HeapObject& object : objects)
    if (!sink.Row(ObjectCells(object, TypeName(source.Summary().types.at(object.type))))) break;
  sink.End(0);
}

}  // namespace cairn::presentation
