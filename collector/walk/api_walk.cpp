#include "collector/walk/api_walk.h"

#include "collector/walk/pages.h"
#include "collector/walk/range_end.h"
#include "collector/walk/raw_memory.h"

namespace cairn::collector {
namespace {

// Of a MethodTable, what the runtime looks at for an object's size.
constexpr uint64_t kMethodTableBytes = 64;

}  // namespace

// Counts in a first pass, encodes in a second: the number of slots precedes them in the chunk.
struct ApiWalk::References {
  SpoolWriter& spool;
  HeapRange& range;
  const Object& object;
  uint32_t id;
  uint64_t slots = 0;  // first pass: so far; second pass: promised
  uint64_t done = 0;
  uint64_t loader_allocator = 0;
  bool spool_full = false;

  static void Count(void* context, ObjectInspector::Reference reference) {
    auto& self = *static_cast<References*>(context);
    if (reference.offset == ObjectInspector::kNoOffset) {
      self.loader_allocator = reference.target;
    } else {
      ++self.slots;
    }
  }

  static void Encode(void* context, ObjectInspector::Reference reference) {
    if (reference.offset != ObjectInspector::kNoOffset) static_cast<References*>(context)->Put(reference.target);
  }

  void Put(uint64_t target) {
    if (spool_full || done == slots) return;
    stream::ChunkEncoder& encoder = spool.Encoder();
    if (encoder.SlotsLeft() == 0) {
      if (spool_full = !spool.Flush(); spool_full) return;
      const uint64_t left = slots - done;
      encoder.Continue(object.address, id, done,
                       left < stream::kMaxChunkSlots ? static_cast<uint32_t>(left) : stream::kMaxChunkSlots);
    }
    uint64_t* const cells = encoder.Cells(object.type->predictor);
    encoder.Reference(object.address, target, cells[done % stream::kMaxPredictorCells]);
    range.edges += target != 0;
    ++done;
  }
};

WalkFault ApiWalk::Run(WalkProblem& problem) {
  const uint64_t end = range_.start + range_.length;
  uint64_t at = range_.start;
  Object object;
  while (at < end) {
    uint64_t value = 0;
    if (const WalkFault fault = Read(at, object, value); fault != WalkFault::kNone) {
      return EndRange(spool_, range_, fault, at, value, problem);
    }
    if (object.type->is_free) {
      CountObject(*object.type, object.step);
      CountFree(range_, object.step);
    } else if (!Encode(object)) {
      return EndRange(spool_, range_, WalkFault::kSpoolFull, at, 0, problem);
    }
    at += object.step;
  }
  return EndRange(spool_, range_, WalkFault::kNone, at, 0, problem);
}

WalkFault ApiWalk::Read(uint64_t at, Object& object, uint64_t& value) {
  const uint64_t left = range_.start + range_.length - at;
  value = left;
  if (left < layout_.pointer_size) return WalkFault::kOverrun;
  object.address = at;
  object.method_table = value = LoadPointer(at, layout_.pointer_size) & layout_.method_table_mask;
  if (object.method_table == 0) return WalkFault::kZeroMethodTable;
  // The runtime believes what it is given: where a step went wrong, asking would end the process.
  if (types_.Find(object.method_table) == nullptr &&
      (object.method_table % layout_.pointer_size != 0 || !pages::IsReadable(object.method_table, kMethodTableBytes))) {
    return WalkFault::kUnreadableMethodTable;
  }
  object.size = inspector_.Size(at);
  if (object.size == 0) return WalkFault::kImplausibleMethodTable;
  object.step = stream::AlignUp(object.size, range_.alignment);
  if (object.step > left || object.step < object.size) {
    value = object.size;
    return WalkFault::kOverrun;
  }
  WalkFault fault = WalkFault::kNone;
  object.type = TypeOf(object, fault);
  return fault;
}

HotType* ApiWalk::TypeOf(const Object& object, WalkFault& fault) {
  if (HotType* known = types_.Find(object.method_table)) return known;
  return types_.AddExplicit(object.method_table, object.address, inspector_.ClassId(object.address), fault);
}

bool ApiWalk::Encode(const Object& object) {
  HotType& type = *object.type;
  CountObject(type, object.step);
  ++range_.objects;
  References references{spool_, range_, object, types_.IdOf(type)};
  // A failure means "no references" too, for types that have none.
  (void)inspector_.References(object.address, &References::Count, &references);
  if (references.loader_allocator != 0) {
    WalkedType& walked = types_.Walked(type);
    walked.collectible = true;
    walked.loader_allocator = references.loader_allocator;
  }
  stream::ChunkEncoder& encoder = spool_.Encoder();
  encoder.Object(type.code, object.address, object.address + object.step);
  encoder.Length(object.size);
  encoder.Length(references.slots);
  if (references.slots != 0 && !EncodeReferences(object, references.slots)) return false;
  return !encoder.Full() || spool_.Flush();
}

bool ApiWalk::EncodeReferences(const Object& object, uint64_t slots) {
  References references{spool_, range_, object, types_.IdOf(*object.type), slots};
  (void)inspector_.References(object.address, &References::Encode, &references);
  // Fewer than promised would misplace every later slot of the chunk.
  while (references.done < slots && !references.spool_full) references.Put(0);
  return !references.spool_full;
}

}  // namespace cairn::collector
