#include "collector/client/assembler.h"

#include <algorithm>

#include "collector/client/summary_builder.h"
#include "snapshot-format/file/limits.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;

tl::unexpected<Error> Broken(const char* code, const Frame& frame, const std::string& what) {
  return Fail(ErrorKind::kFailed, code, "Frame " + std::to_string(frame.sequence) + " of the collector " + what + ".",
              "Use a collector library and a cairn of the same build; if they are, report it.");
}

// With segments, as .NET Core 3.1 has them, each heap has one youngest range, and only server GC has several heaps.
bool HasSeveralHeaps(const std::vector<snapshot::Range>& ranges) {
  const auto is_youngest = [](const snapshot::Range& range) { return range.generation == stream::Generation::kGen0; };
  return std::count_if(ranges.begin(), ranges.end(), is_youngest) > 1;
}

snapshot::Range ToRange(const protocol::Range& from) {
  return {from.start, from.length,       from.reserved,   from.generation,   from.alignment, from.objects,
          from.bytes, from.free_objects, from.free_bytes, from.largest_free, from.edges,     from.walked};
}

void FillLayout(const protocol::Type& from, snapshot::Type& to) {
  to.method_table = from.method_table;
  to.layout.base_size = from.base_size;
  to.layout.component_size = from.component_size;
  to.layout.fixed_slots = static_cast<uint32_t>(from.fixed_slots.size());
  to.layout.element_slots = static_cast<uint32_t>(from.element_slots.size());
  to.layout.explicit_slots = from.explicit_slots;
  to.fixed_slots = from.fixed_slots;
  to.element_slots = from.element_slots;
  to.layout.value_slots = static_cast<uint32_t>(from.value_slots.size());
  to.layout.has_hash = from.has_hash;
  to.layout.has_text = from.has_text;
  to.value_slots = from.value_slots;
  to.elements_offset = from.elements_offset;
  to.loader_allocator = from.loader_allocator;
  to.objects = from.objects;
  to.bytes = from.bytes;
}

void FillName(const protocol::TypeName& from, snapshot::Type& to) {
  to.name = from.name;
  to.module = from.module;
  to.base = from.base;
  to.base_type = from.base_type;
  to.kind = from.kind;
  to.rank = from.rank;
  to.element = from.element;
  to.collectible = from.collectible;
}

stream::ChunkHeader ToHeader(const protocol::Chunk& from) {
  return {from.range,          from.sequence,       from.first_address,   from.end_address,  from.continued_object,
          from.continued_slot, from.continued_type, from.continued_slots, from.object_count, from.slot_count};
}

std::string FateText(const protocol::ChildEnd& end) {
  switch (end.fate) {
    case protocol::ChildFate::kClientGone:
      return "because its connection broke";
    case protocol::ChildFate::kClientSilent:
      return "because nobody took what it sent";
    case protocol::ChildFate::kNoMemory:
      return "because memory became short";
    case protocol::ChildFate::kKilled:
      return "killed by signal " + std::to_string(end.signal);
    default:
      return "with exit code " + std::to_string(static_cast<int>(end.fate));
  }
}

// The columns of a chunk's payload: the struct, then the compressed bytes. Empty `columns` and false when
// they do not fill the payload exactly.
bool SplitChunk(std::span<const uint8_t> payload, protocol::Chunk& chunk,
                std::vector<snapshot::StoredColumn>& columns) {
  stream::RecordReader head(payload);
  head(chunk);
  if (!head.Ok() || chunk.columns.size() > stream::kColumnCount) return false;
  uint64_t stored = 0;
  for (const auto& column : chunk.columns) stored += column.raw_size > 0 ? column.compressed_size : 0;
  if (stored > payload.size()) return false;
  size_t at = payload.size() - stored;
  stream::RecordReader exact(payload.first(at));
  exact(chunk);
  if (!exact.Complete()) return false;
  for (const auto& column : chunk.columns) {
    if (column.kind < 1 || column.kind > stream::kColumnCount) return false;
    if (column.raw_size > snapshot::Limits{}.max_column_bytes) return false;
    if (column.raw_size == 0) continue;
    const auto kind = static_cast<stream::ColumnKind>(column.kind);
    for (const auto& other : columns)
      if (other.kind == kind) return false;
    columns.push_back({kind, column.raw_size, payload.subspan(at, column.compressed_size)});
    at += column.compressed_size;
  }
  return true;
}

}  // namespace

Assembler::Assembler(std::unique_ptr<snapshot::SnapshotWriter> writer, CaptureContext context)
    : writer_(std::move(writer)), context_(std::move(context)) {
  summary_.process = context_.process;
  summary_.capture.concurrent_gc_off_ms = -1;  // below 0: not known; the collector tells it at its end
}

Assembler::~Assembler() = default;

template <class Message>
Status Assembler::Read(const Frame& frame, Message& message) const {
  stream::RecordReader reader(frame.payload);
  reader(message);
  if (reader.Complete()) return {};
  return Broken("stream.record", frame, "has a payload that is not what its kind says");
}

// What the writer refuses ends the capture for good.
Status Assembler::Keep(Status written) {
  if (!written) writer_error_ = written.error();
  return written;
}

Status Assembler::Accept(const Frame& frame) {
  ++(frame.of_child ? child_frames_ : frames_);
  if (frame.of_child ? child_complete_ : end_.has_value())
    return Broken("stream.after_end", frame, "came after the end");
  switch (frame.kind) {
    case FrameKind::kHello:
      return AcceptHello(frame);
    case FrameKind::kRanges:
      return AcceptRanges(frame);
    case FrameKind::kTypes:
      return AcceptTypes(frame);
    case FrameKind::kChunk:
      return AcceptChunk(frame);
    case FrameKind::kTypeNames:
      return AcceptTypeNames(frame);
    case FrameKind::kModules:
      return AcceptModules(frame);
    case FrameKind::kRoots:
      return AcceptRoots(frame);
    case FrameKind::kDependents:
      return AcceptDependents(frame);
    case FrameKind::kThreads:
      return AcceptThreads(frame);
    case FrameKind::kStatics:
      return AcceptStatics(frame);
    case FrameKind::kMethods:
      return AcceptMethods(frame);
    case FrameKind::kProblem:
      return AcceptProblem(frame);
    case FrameKind::kWalkEnd:
      return AcceptWalkEnd(frame);
    case FrameKind::kDetached:
      return AcceptDetached(frame);
    case FrameKind::kEnd:
      return AcceptEnd(frame);
    case FrameKind::kChildWalk:
      return AcceptChildWalk(frame);
    case FrameKind::kChildEnd:
      return AcceptChildEnd(frame);
    case FrameKind::kState:
    case FrameKind::kNamed:
      return {};
    default:
      return Broken("stream.kind", frame, "is of a kind that does not belong here");
  }
}

Status Assembler::AcceptHello(const Frame& frame) {
  protocol::Hello hello;
  CAIRN_TRY(Read(frame, hello));
  if (hello.of_child != frame.of_child) return Broken("stream.record", frame, "greets on the wrong connection");
  if ((frame.of_child ? child_frames_ : frames_) > 1) return Broken("stream.late", frame, "greets a second time");
  const bool known =
      (hello.pointer_size == 8 || hello.pointer_size == 4) && hello.address_shift >= 2 && hello.address_shift <= 3;
  if (!known) return Broken("stream.record", frame, "describes a process of an unknown kind");
  if (!hello.runtime_version.empty()) summary_.process.runtime = hello.runtime_version;
  tells_gc_mode_ = !hello.runtime_version.empty();
  summary_.process.gc_mode = hello.server_gc ? "server" : "workstation";
  summary_.process.pointer_size = hello.pointer_size;
  summary_.process.address_shift = hello.address_shift;
  return {};
}

Status Assembler::AcceptRanges(const Frame& frame) {
  protocol::Ranges ranges;
  CAIRN_TRY(Read(frame, ranges));
  if (checker_) return Broken("stream.late", frame, "brings ranges after the first chunk");
  for (const protocol::Range& range : ranges.ranges) {
    const uint64_t end = summary_.ranges.empty() ? 0 : summary_.ranges.back().start + summary_.ranges.back().length;
    if (range.start < end || range.start + range.length < range.start || range.walked > range.length ||
        range.generation > stream::Generation::kFrozen || range.alignment == 0 || range.alignment > 64 ||
        (range.alignment & (range.alignment - 1)) != 0)
      return Broken("stream.ranges", frame, "brings ranges that overlap, are out of order, or are no ranges");
    summary_.ranges.push_back(ToRange(range));
  }
  if (!tells_gc_mode_ && HasSeveralHeaps(summary_.ranges)) summary_.process.gc_mode = "server";
  return {};
}

Status Assembler::AcceptTypes(const Frame& frame) {
  protocol::Types types;
  CAIRN_TRY(Read(frame, types));
  if (checker_) return Broken("stream.late", frame, "brings types after the first chunk");
  for (const protocol::Type& type : types.types) {
    if (type.id >= snapshot::Limits{}.max_types) return Broken("stream.types", frame, "numbers a type too high");
    if (type.id >= summary_.types.size()) summary_.types.resize(size_t{type.id} + 1);
    FillLayout(type, summary_.types[type.id]);
  }
  return {};
}

void Assembler::StartChecker() {
  if (checker_) return;
  checker_ = std::make_unique<ChunkChecker>(summary_.ranges, summary_.types, summary_.process.address_shift, statics_);
  if (!context_.sampled) return;
  SampledHeap heap = context_.sampled();
  summary_.sampling = std::move(heap.sampling);
  sampled_ = std::make_unique<SampledObjects>(std::move(heap.samples), heap.doubtful);
  checker_->LookFor(*sampled_);
}

Status Assembler::AcceptChunk(const Frame& frame) {
  if (summary_.ranges.empty() || summary_.types.empty())
    return Broken("stream.early", frame, "is a chunk before ranges and types");
  StartChecker();
  protocol::Chunk chunk;
  std::vector<snapshot::StoredColumn> columns;
  if (!SplitChunk(frame.payload, chunk, columns))
    return Broken("stream.chunk", frame, "is a chunk whose columns do not fill it");
  const stream::ChunkHeader header = ToHeader(chunk);
  if (const std::string wrong = checker_->Check(header, columns); !wrong.empty())
    return Broken("stream.chunk", frame, "is a chunk that cannot be decoded: " + wrong);
  ++chunks_;
  return Keep(writer_->AddChunk(header, columns));
}

Status Assembler::AcceptTypeNames(const Frame& frame) {
  protocol::TypeNames names;
  CAIRN_TRY(Read(frame, names));
  named_.resize(std::max(named_.size(), summary_.types.size()));
  for (const protocol::TypeName& name : names.types) {
    if (name.id >= summary_.types.size()) return Broken("stream.types", frame, "names a type that was not met");
    if (named_[name.id]) return Broken("stream.types", frame, "names a type a second time");
    if (name.kind > stream::TypeKind::kUnknown) return Broken("stream.types", frame, "names a type of an unknown kind");
    named_[name.id] = true;
    FillName(name, summary_.types[name.id]);
    std::vector<snapshot::Field> fields;
    for (const protocol::Field& field : name.fields) {
      if (field.kind > stream::FieldKind::kOther)
        return Broken("stream.types", frame, "names a field of an unknown kind");
      fields.push_back({field.name, field.offset, field.kind, field.element_type, field.type});
    }
    CAIRN_TRY(Keep(writer_->AddFields(name.id, fields)));
  }
  return {};
}

Status Assembler::AcceptModules(const Frame& frame) {
  protocol::Modules modules;
  CAIRN_TRY(Read(frame, modules));
  for (protocol::Module& module : modules.modules) {
    module_ids_.push_back(module.id);
    summary_.modules.push_back({std::move(module.name), std::move(module.path), module.collectible});
  }
  return {};
}

Status Assembler::AcceptRoots(const Frame& frame) {
  protocol::Roots roots;
  CAIRN_TRY(Read(frame, roots));
  for (protocol::Root& root : roots.roots) {
    if (static_cast<unsigned>(root.kind) >= stream::kRootKindCount)
      return Broken("stream.roots", frame, "brings a root of an unknown kind");
    if (root.object == 0) continue;
    summary_.roots.push_back({root.kind, root.object, root.source, std::move(root.name), root.thread, root.certain,
                              root.interior, root.pinning});
  }
  return {};
}

Status Assembler::AcceptDependents(const Frame& frame) {
  protocol::Dependents dependents;
  CAIRN_TRY(Read(frame, dependents));
  for (const auto& pair : dependents.dependents)
    if (pair.primary != 0 && pair.secondary != 0) summary_.dependents.push_back({pair.primary, pair.secondary});
  return {};
}

Status Assembler::AcceptThreads(const Frame& frame) {
  protocol::Threads threads;
  CAIRN_TRY(Read(frame, threads));
  for (auto& thread : threads.threads)
    summary_.threads.push_back({thread.os_id, thread.managed_id, std::move(thread.name)});
  return {};
}

Status Assembler::AcceptStatics(const Frame& frame) {
  protocol::Statics statics;
  CAIRN_TRY(Read(frame, statics));
  if (checker_) return Broken("stream.late", frame, "brings statics after the first chunk");
  statics_.Add(std::move(statics.statics));
  return {};
}

Status Assembler::AcceptMethods(const Frame& frame) {
  protocol::Methods methods;
  CAIRN_TRY(Read(frame, methods));
  for (auto& method : methods.methods) summary_.methods.push_back({method.address, std::move(method.name)});
  return {};
}

Status Assembler::AcceptProblem(const Frame& frame) {
  protocol::Problem problem;
  CAIRN_TRY(Read(frame, problem));
  summary_.problems.push_back({problem.code, problem.message, problem.incomplete});
  return {};
}

Status Assembler::AcceptWalkEnd(const Frame& frame) {
  protocol::WalkEnd walk;
  CAIRN_TRY(Read(frame, walk));
  walk_ = walk;
  return {};
}

Status Assembler::AcceptDetached(const Frame& frame) {
  protocol::Detached detached;
  CAIRN_TRY(Read(frame, detached));
  summary_.capture.concurrent_gc_off_ms = detached.concurrent_gc_off_ms;
  return {};
}

Status Assembler::AcceptEnd(const Frame& frame) {
  protocol::End end;
  CAIRN_TRY(Read(frame, end));
  const uint64_t arrived = frame.of_child ? child_frames_ : frames_;
  if (end.frames != arrived)
    return Broken("stream.end", frame,
                  "ends a conversation of " + std::to_string(end.frames) + " frames, of which " +
                      std::to_string(arrived) + " arrived");
  if (frame.of_child) {
    child_complete_ = child_walk_.has_value();
  } else {
    end_ = end;
  }
  return {};
}

// The walk's totals and the ranges were told before the child had read any reference.
Status Assembler::AcceptChildWalk(const Frame& frame) {
  protocol::ChildWalkFrame walk;
  CAIRN_TRY(Read(frame, walk));
  if (!walk_ || !walk_->forked || child_walk_ || walk.range_edges.size() != summary_.ranges.size())
    return Broken("stream.child", frame, "counts references of another heap");
  for (size_t i = 0; i < walk.range_edges.size(); ++i) summary_.ranges[i].edges = walk.range_edges[i];
  walk_->edges = walk.edges;
  walk_->chunks = walk.chunks;
  child_walk_ = walk;
  summary_.capture.memory.copied_bytes = walk.copied_bytes;
  return {};
}

Status Assembler::AcceptChildEnd(const Frame& frame) {
  protocol::ChildEnd end;
  CAIRN_TRY(Read(frame, end));
  child_end_ = end;
  summary_.capture.child_ms = end.child_ms;
  return {};
}

// Why a child that was to walk has not brought everything; nothing where it has.
std::optional<Error> Assembler::ChildFailure() const {
  if (!walk_ || !walk_->forked || child_complete_) return std::nullopt;
  std::string why = "for a reason that is not known";
  if (child_end_) why = FateText(*child_end_);
  return Error{ErrorKind::kFailed, "fork.child_died",
               "The forked child that sent the objects ended early, " + why + ": objects are missing.",
               "Capture again, or pass --method pause."};
}

// Enough for a file that can be read: how the heap was laid out, what its types are called, some of it.
bool Assembler::Readable() const {
  const bool named = !summary_.types.empty() && named_.size() == summary_.types.size() &&
                     std::find(named_.begin(), named_.end(), false) == named_.end();
  return walk_ && !summary_.ranges.empty() && named && chunks_ > 0;
}

Result<CaptureResult> Assembler::Finish(const std::optional<Error>& why_cut) {
  if (writer_error_) return tl::make_unexpected(*writer_error_);
  std::optional<Error> cut = why_cut;
  if (cut && child_complete_) {
    summary_.problems.push_back({cut->code, cut->message + " Its forked child had everything and sent it.", false});
    cut.reset();
  }
  if (!cut) cut = ChildFailure();
  if (cut && !Readable()) return tl::make_unexpected(*cut);
  if (!cut && (!walk_ || (!end_ && !child_complete_)))
    return Fail(ErrorKind::kFailed, "stream.no_totals", "The collector ended without the totals of its walk.",
                "Use a collector library and a cairn of the same build.");
  StartChecker();
  const AssembledParts parts{context_, *walk_, end_, *checker_, statics_, module_ids_, named_, chunks_};
  BuildSummary(parts, cut, summary_);
  if (context_.tracking) summary_.tracking = context_.tracking();
  if (sampled_) sampled_->MoveTo(*summary_.sampling);
  const std::string path = writer_->ChoosePath(summary_.complete);
  if (path != context_.output)
    summary_.problems.push_back(
        {"output.kept",
         context_.output + " holds a complete snapshot and was kept; this one, which is not, is " + path + ".", false});
  const auto bytes = writer_->Finish(summary_);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return CaptureResult{path, std::move(summary_), *bytes};
}

}  // namespace cairn::client
