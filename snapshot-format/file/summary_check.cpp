#include "snapshot-format/file/summary_check.h"

namespace cairn::snapshot {
namespace {

std::string At(const char* table, size_t row, const char* what) {
  return std::string("row ") + std::to_string(row) + " of table " + table + " " + what;
}

std::string CheckProcess(const Process& process) {
  if (process.pointer_size != 4 && process.pointer_size != 8) return "the pointer size is neither 4 nor 8";
  if (process.address_shift != 2 && process.address_shift != 3) return "the address shift is neither 2 nor 3";
  return {};
}

const char* WhatIsWrong(const Range& range, uint64_t unit) {
  uint64_t end = 0;
  if (__builtin_add_overflow(range.start, range.length, &end)) return "leaves the address space";
  if (range.walked > range.length) return "was walked beyond its end";
  if (range.alignment < unit || range.alignment > 64 || (range.alignment & (range.alignment - 1)) != 0) {
    return "has an impossible alignment";
  }
  return nullptr;
}

std::string CheckRanges(const Summary& summary, const Limits& limits) {
  uint64_t end = 0, bytes = 0;
  for (size_t i = 0; i < summary.ranges.size(); ++i) {
    const Range& range = summary.ranges[i];
    if (const char* what = WhatIsWrong(range, uint64_t{1} << summary.process.address_shift))
      return At("ranges", i, what);
    if (range.start < end) return At("ranges", i, "starts before the one before it ends");
    end = range.start + range.length;
    bytes += range.length;
    if (range.length > limits.max_heap_bytes || bytes > limits.max_heap_bytes)
      return "the ranges are larger than any heap";
  }
  return {};
}

// Values lie within the object, which ends a header word before its base size. What has components keeps none.
const char* WhatIsWrong(const std::vector<uint32_t>& value_slots, const stream::TypeLayout& layout) {
  if (value_slots.size() > stream::kMaxValueSlots) return "keeps more values than an object may have";
  if (!value_slots.empty() && layout.HasLength()) return "keeps values of objects that have components";
  for (const uint32_t packed : value_slots) {
    const stream::ValueSlot slot = stream::UnpackedValueSlot(packed);
    if (!IsValid(slot)) return "keeps a value of an impossible size";
    if (uint64_t{slot.offset} + slot.bytes > layout.base_size) return "keeps a value that lies outside its objects";
  }
  const bool has_components = layout.component_size != 0 && !layout.explicit_slots && layout.element_slots == 0;
  if ((layout.has_hash || layout.has_text) && !has_components) return "keeps contents of objects that have none";
  return nullptr;
}

std::string CheckTypes(const Summary& summary) {
  for (size_t i = 0; i < summary.types.size(); ++i) {
    const Type& type = summary.types[i];
    if (type.module != kNoId && type.module >= summary.modules.size())
      return At("types", i, "names a module that is not there");
    if (type.base_type != kNoId && type.base_type >= summary.types.size())
      return At("types", i, "names a base that is not there");
    if (const char* wrong = WhatIsWrong(type.value_slots, type.layout)) return At("types", i, wrong);
  }
  return {};
}

std::string CheckMethods(const Summary& summary) {
  for (size_t i = 1; i < summary.methods.size(); ++i) {
    if (summary.methods[i - 1].address >= summary.methods[i].address) return At("methods", i, "is out of order");
  }
  return {};
}

std::string CheckRoots(const Summary& summary) {
  for (size_t i = 0; i < summary.roots.size(); ++i) {
    const uint32_t thread = summary.roots[i].thread;
    if (thread != kNoId && thread >= summary.threads.size()) return At("roots", i, "names a thread that is not there");
  }
  return {};
}

const char* WhatIsWrong(const ChunkRow& chunk, const Limits& limits) {
  if (chunk.header.object_count > stream::kMaxChunkObjects) return "claims too many objects";
  if (chunk.header.slot_count > stream::kMaxChunkSlots + stream::kMaxFixedSlots) return "claims too many slots";
  for (const uint32_t raw_size : chunk.raw_size) {
    if (raw_size > limits.max_column_bytes) return "claims too large a column";
  }
  return nullptr;
}

}  // namespace

std::string CheckIdentity(const Tracking& tracking) {
  uint64_t end = 0;
  for (size_t i = 0; i < tracking.ranges.size(); ++i) {
    const IdentityRange& range = tracking.ranges[i];
    const bool wraps = range.from + range.length < range.from || range.to + range.length < range.to;
    if (range.length == 0 || wraps || range.from < end)
      return "row " + std::to_string(i) + " of table identity overlaps the one before, or is no range";
    end = range.from + range.length;
  }
  return {};
}

std::string CheckSampling(const Sampling& sampling) {
  for (size_t i = 0; i < sampling.frames.size(); ++i) {
    const AllocationFrame& frame = sampling.frames[i];
    if (frame.parent != kNoId && frame.parent >= i)
      return At("allocation_frames", i, "names a parent that does not come before it");
    if (frame.method >= sampling.methods.size()) return At("allocation_frames", i, "names a method that is not there");
    if (frame.cut && frame.parent != kNoId) return At("allocation_frames", i, "is cut and has a parent");
  }
  for (size_t i = 0; i < sampling.totals.size(); ++i) {
    if (sampling.totals[i].stack >= sampling.frames.size())
      return At("allocations", i, "names a stack that is not there");
  }
  for (size_t i = 0; i < sampling.objects.size(); ++i) {
    if (sampling.objects[i].stack >= sampling.frames.size())
      return At("allocated", i, "names a stack that is not there");
    if (i > 0 && sampling.objects[i - 1].object >= sampling.objects[i].object)
      return At("allocated", i, "is out of order");
  }
  return {};
}

std::string CheckSummary(const Summary& summary, const Limits& limits) {
  if (std::string wrong = CheckProcess(summary.process); !wrong.empty()) return wrong;
  if (std::string wrong = CheckRanges(summary, limits); !wrong.empty()) return wrong;
  if (std::string wrong = CheckTypes(summary); !wrong.empty()) return wrong;
  if (std::string wrong = CheckMethods(summary); !wrong.empty()) return wrong;
  return CheckRoots(summary);
}

std::string CheckChunks(const std::vector<StoredChunk>& chunks, const Summary& summary, const Limits& limits) {
  uint64_t objects = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const stream::ChunkHeader& header = chunks[i].row.header;
    if (const char* what = WhatIsWrong(chunks[i].row, limits)) return At("chunks, in address order,", i, what);
    if (header.range >= summary.ranges.size())
      return At("chunks, in address order,", i, "names a range that is not there");
    const bool same_range = i > 0 && chunks[i - 1].row.header.range == header.range;
    const uint64_t expected = same_range ? uint64_t{chunks[i - 1].row.header.sequence} + 1 : 0;
    if (header.sequence != expected) return At("chunks, in address order,", i, "is out of sequence");
    objects += header.object_count;
  }
  return objects > limits.max_objects ? "there are more objects than any heap has" : std::string();
}

}  // namespace cairn::snapshot
