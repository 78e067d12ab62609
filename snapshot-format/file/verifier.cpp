#include "snapshot-format/file/verifier.h"

#include <algorithm>
#include <new>

#include "snapshot-format/file/file_header.h"
#include "snapshot-format/file/object_bitmap.h"
#include "snapshot-format/stream/hex_address.h"

namespace cairn::snapshot {
namespace {

using stream::HexAddress;

constexpr size_t kMaxErrors = 100;

// Keeps the first errors and counts the rest.
class ErrorList {
 public:
  explicit ErrorList(std::vector<std::string>& errors) : errors_(errors) {}
  void Add(std::string error) {
    if (++count_ <= kMaxErrors) errors_.push_back(std::move(error));
  }
  void Differ(const std::string& where, const char* what, uint64_t found, uint64_t stated) {
    if (found == stated) return;
    Add(where + ": " + std::to_string(found) + " " + what + " were found, and it states " + std::to_string(stated));
  }
  void Finish() {
    if (count_ > kMaxErrors) errors_.push_back(std::to_string(count_ - kMaxErrors) + " more errors");
  }

 private:
  std::vector<std::string>& errors_;
  uint64_t count_ = 0;
};

// What the chunks of a range really hold.
struct RangeSums {
  uint64_t objects = 0, bytes = 0, edges = 0, gaps = 0, gap_bytes = 0, largest_gap = 0;
  uint64_t end = 0;  // of the last object so far
};

struct TypeSums {
  uint64_t objects = 0, bytes = 0;
};

// An array whose slots go on in the next chunk of its range.
struct OpenArray {
  uint64_t object = 0;  // 0: none
  uint32_t type = 0;
  uint64_t next_slot = 0, slots = 0;
};

class SnapshotVerifier {
 public:
  SnapshotVerifier(SnapshotReader& reader, const std::function<bool(uint64_t, uint64_t)>& progress)
      : reader_(reader),
        summary_(reader.Summary()),
        progress_(progress),
        errors_(report_.errors),
        bitmap_(summary_.ranges, summary_.process.address_shift),
        ranges_(summary_.ranges.size()),
        types_(summary_.types.size()) {
    for (size_t i = 0; i < ranges_.size(); ++i) ranges_[i].end = summary_.ranges[i].start;
  }

  Result<VerifyReport> Run();

 private:
  Status CheckFileSize();
  Status CountChunks();
  Status CheckChunkReferences();
  Status ReportProgress(uint64_t done);
  void CountObjects(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk);
  void CountObject(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk, uint32_t object);
  void CheckContinuation(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk);
  void CloseArray(uint32_t range);
  void CompareRanges();
  void CompareTypes();
  void CompareTotals();
  void CheckRoots();
  void CheckAllocated();
  void CheckDependents();
  void CheckLoaderAllocators();
  void CheckFields();
  void CheckTargets(const stream::DecodedChunk& chunk, uint64_t first_object, const stream::ChunkHeader& header);

  SnapshotReader& reader_;
  const Summary& summary_;
  const std::function<bool(uint64_t, uint64_t)>& progress_;
  VerifyReport report_;
  ErrorList errors_;
  ObjectBitmap bitmap_;
  std::vector<RangeSums> ranges_;
  std::vector<TypeSums> types_;
  const std::vector<ChunkInfo>* chunks_ = nullptr;
  stream::DecodedContents contents_;
  std::vector<bool> readable_;  // per chunk
  OpenArray open_;
};

Result<VerifyReport> SnapshotVerifier::Run() {
  const Result<const std::vector<ChunkInfo>*> chunks = reader_.Chunks();
  if (!chunks) return tl::make_unexpected(chunks.error());
  chunks_ = *chunks;
  if (Status status = CheckFileSize(); !status) return tl::make_unexpected(status.error());
  if (Status status = CountChunks(); !status) return tl::make_unexpected(status.error());
  CompareRanges();
  CompareTypes();
  CompareTotals();
  if (Status status = CheckChunkReferences(); !status) return tl::make_unexpected(status.error());
  CheckRoots();
  CheckAllocated();
  CheckDependents();
  CheckLoaderAllocators();
  CheckFields();
  errors_.Finish();
  return std::move(report_);
}

Status SnapshotVerifier::CheckFileSize() {
  const Result<uint64_t> behind = BytesBehindPages(reader_.Path());
  if (!behind) return tl::make_unexpected(behind.error());
  if (*behind != 0)
    errors_.Add("the file goes on for " + std::to_string(*behind) + " bytes behind the pages that its header counts");
  return {};
}

// First pass: counts and marks every object.
Status SnapshotVerifier::CountChunks() {
  stream::DecodedChunk chunk;
  for (size_t i = 0; i < chunks_->size(); ++i) {
    CAIRN_TRY(ReportProgress(i));
    const stream::ChunkHeader& header = (*chunks_)[i].header;
    if (header.sequence == 0 && i > 0) CloseArray((*chunks_)[i - 1].header.range);
    const Status read = reader_.ReadChunk(i, chunk);
    readable_.push_back(read.has_value());
    if (!read) {
      errors_.Add(read.error().message);
      open_ = {};
      continue;
    }
    report_.frames += (*chunks_)[i].frames;
    CheckContinuation(header, chunk);
    CountObjects(header, chunk);
    if (const Status contents = reader_.ReadContents(i, chunk, contents_); !contents)
      errors_.Add(contents.error().message);
  }
  if (!chunks_->empty()) CloseArray(chunks_->back().header.range);
  return {};
}

Status SnapshotVerifier::ReportProgress(uint64_t done) {
  if (!progress_ || progress_(done, 2 * chunks_->size())) return {};
  return Fail(ErrorKind::kFailed, "verify.cancelled", "the check of " + reader_.Path() + " was cancelled");
}

void SnapshotVerifier::CountObjects(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk) {
  RangeSums& range = ranges_[header.range];
  for (const uint64_t target : chunk.targets) range.edges += target != 0;
  for (uint32_t object = 0; object < header.object_count; ++object) CountObject(header, chunk, object);
}

void SnapshotVerifier::CountObject(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                                   uint32_t object) {
  const Range& stated = summary_.ranges[header.range];
  RangeSums& range = ranges_[header.range];
  const uint64_t address = chunk.addresses[object], size = chunk.sizes[object];
  if (address < range.end) {
    return errors_.Add("the object at " + HexAddress(address) +
                       " starts within the object before it, or before its range");
  }
  if (address + size > stated.start + stated.length) {
    return errors_.Add("the object at " + HexAddress(address) + " reaches beyond its range, number " +
                       std::to_string(header.range));
  }
  if (const uint64_t gap = address - range.end; gap != 0) {
    ++range.gaps;
    range.gap_bytes += gap;
    range.largest_gap = std::max(range.largest_gap, gap);
  }
  range.end = address + size;
  ++range.objects;
  range.bytes += size;
  ++types_[chunk.types[object]].objects;
  types_[chunk.types[object]].bytes += size;
  bitmap_.Add(header.range, address);
}

// An array that did not fit must go on where it stopped, in the next chunk of its range.
void SnapshotVerifier::CheckContinuation(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk) {
  const bool continues = header.continued_slots != 0;
  if (continues && (open_.object != header.continued_object || open_.type != header.continued_type ||
                    open_.next_slot != header.continued_slot)) {
    errors_.Add("a chunk continues the array at " + HexAddress(header.continued_object) + " where it did not stop");
    open_ = {};
  } else if (continues) {
    open_.next_slot += header.continued_slots;
    if (open_.next_slot == open_.slots) open_ = {};
  }
  if (header.object_count == 0) return;
  CloseArray(header.range);
  const uint32_t last = header.object_count - 1;
  const uint64_t here = chunk.first_slot[last + 1] - chunk.first_slot[last];
  if (here < chunk.slots[last]) open_ = {chunk.addresses[last], chunk.types[last], here, chunk.slots[last]};
}

void SnapshotVerifier::CloseArray(uint32_t range) {
  if (open_.object != 0) {
    errors_.Add("range " + std::to_string(range) + ": the array at " + HexAddress(open_.object) + " lacks slots from " +
                std::to_string(open_.next_slot) + " on");
  }
  open_ = {};
}

void SnapshotVerifier::CompareRanges() {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const Range& stated = summary_.ranges[i];
    RangeSums& found = ranges_[i];
    const std::string where = "range " + std::to_string(i) + " at " + HexAddress(stated.start);
    const uint64_t end = stated.start + stated.walked;
    if (found.end > end) errors_.Add(where + ": objects lie beyond what was walked");
    if (const uint64_t tail = found.end < end ? end - found.end : 0; tail != 0) {
      ++found.gaps;
      found.gap_bytes += tail;
      found.largest_gap = std::max(found.largest_gap, tail);
    }
    errors_.Differ(where, "objects", found.objects, stated.objects);
    errors_.Differ(where, "bytes of objects", found.bytes, stated.bytes);
    errors_.Differ(where, "edges", found.edges, stated.edges);
    errors_.Differ(where, "bytes between objects", found.gap_bytes, stated.free_bytes);
    if (stated.walked != stated.length && summary_.complete) {
      errors_.Add(where + ": it was not walked to its end, and the snapshot calls itself complete");
    }
    // Free objects that touch make one gap.
    if (found.gaps > stated.free_objects) errors_.Differ(where, "gaps", found.gaps, stated.free_objects);
    if (stated.largest_free > found.largest_gap)
      errors_.Differ(where, "bytes in the largest gap", found.largest_gap, stated.largest_free);
  }
}

void SnapshotVerifier::CompareTypes() {
  for (size_t i = 0; i < types_.size(); ++i) {
    const Type& stated = summary_.types[i];
    const std::string where = "type " + std::to_string(i) + " (" + stated.name + ")";
    errors_.Differ(where, "objects", types_[i].objects, stated.objects);
    errors_.Differ(where, "bytes", types_[i].bytes, stated.bytes);
  }
}

void SnapshotVerifier::CompareTotals() {
  Totals sum;
  for (size_t i = 0; i < ranges_.size(); ++i) {
    sum.objects += ranges_[i].objects;
    sum.bytes += ranges_[i].bytes;
    sum.edges += ranges_[i].edges;
    sum.free_objects += summary_.ranges[i].free_objects;
    sum.free_bytes += ranges_[i].gap_bytes;
  }
  const Totals& stated = summary_.totals;
  errors_.Differ("the totals", "objects", sum.objects, stated.objects);
  errors_.Differ("the totals", "bytes", sum.bytes, stated.bytes);
  errors_.Differ("the totals", "edges", sum.edges, stated.edges);
  errors_.Differ("the totals", "Free objects", sum.free_objects, stated.free_objects);
  errors_.Differ("the totals", "free bytes", sum.free_bytes, stated.free_bytes);
  report_.objects = sum.objects;
  report_.edges = sum.edges;
}

// Second pass: every target must be the start of an object.
Status SnapshotVerifier::CheckChunkReferences() {
  stream::DecodedChunk chunk;
  for (size_t i = 0; i < chunks_->size(); ++i) {
    CAIRN_TRY(ReportProgress(chunks_->size() + i));
    if (!readable_[i]) continue;
    CAIRN_TRY(reader_.ReadChunk(i, chunk));
    CheckTargets(chunk, (*chunks_)[i].first_object, (*chunks_)[i].header);
  }
  return progress_ && !chunks_->empty() ? ReportProgress(2 * chunks_->size()) : Status();
}

void SnapshotVerifier::CheckTargets(const stream::DecodedChunk& chunk, uint64_t first_object,
                                    const stream::ChunkHeader& header) {
  for (size_t slot = 0; slot < chunk.targets.size(); ++slot) {
    const uint64_t target = chunk.targets[slot];
    if (target == 0 || bitmap_.IsObject(target)) continue;
    const auto after = std::ranges::upper_bound(chunk.first_slot, static_cast<uint32_t>(slot));
    const bool continued = after == chunk.first_slot.begin();
    const auto object = static_cast<uint64_t>(after - chunk.first_slot.begin()) - 1;
    const std::string from =
        continued ? "the array at " + HexAddress(header.continued_object)
                  : "object @" + std::to_string(first_object + object) + " at " + HexAddress(chunk.addresses[object]);
    errors_.Add(from + " refers to " + HexAddress(target) + ", where no object starts");
  }
}

void SnapshotVerifier::CheckAllocated() {
  if (!summary_.sampling) return;
  for (const AllocatedObject& allocated : summary_.sampling->objects) {
    if (bitmap_.IsObject(allocated.object)) continue;
    errors_.Add("a sampled allocation refers to " + HexAddress(allocated.object) + ", where no object starts");
  }
}

void SnapshotVerifier::CheckRoots() {
  for (size_t i = 0; i < summary_.roots.size(); ++i) {
    const Root& root = summary_.roots[i];
    // An interior root may point into an object.
    if (bitmap_.IsObject(root.object) || (root.interior && bitmap_.IsInHeap(root.object))) continue;
    errors_.Add("root " + std::to_string(i) + " (" + RootKindName(root.kind) + ") refers to " +
                HexAddress(root.object) + ", where no object starts");
  }
}

void SnapshotVerifier::CheckDependents() {
  for (size_t i = 0; i < summary_.dependents.size(); ++i) {
    const Dependent& handle = summary_.dependents[i];
    const bool secondary_ok = handle.secondary == 0 || bitmap_.IsObject(handle.secondary);
    if (bitmap_.IsObject(handle.primary) && secondary_ok) continue;
    errors_.Add("dependent handle " + std::to_string(i) + " from " + HexAddress(handle.primary) + " to " +
                HexAddress(handle.secondary) + " names an address where no object starts");
  }
}

void SnapshotVerifier::CheckLoaderAllocators() {
  for (size_t i = 0; i < summary_.types.size(); ++i) {
    const uint64_t allocator = summary_.types[i].loader_allocator;
    if (allocator == 0 || bitmap_.IsObject(allocator)) continue;
    errors_.Add("type " + std::to_string(i) + " names the loader allocator " + HexAddress(allocator) +
                ", where no object starts");
  }
}

void SnapshotVerifier::CheckFields() {
  for (size_t i = 0; i < summary_.types.size(); ++i) {
    const auto fields = reader_.ReadFields(static_cast<uint32_t>(i));
    if (!fields) errors_.Add(fields.error().message);
  }
}

}  // namespace

Result<VerifyReport> Verify(SnapshotReader& reader, const std::function<bool(uint64_t, uint64_t)>& progress) {
  try {
    return SnapshotVerifier(reader, progress).Run();
  } catch (const std::bad_alloc&) {
    return Fail(ErrorKind::kFailed, "verify.memory", "there is not enough memory to check " + reader.Path(),
                "Run it where more memory is free.");
  }
}

}  // namespace cairn::snapshot
