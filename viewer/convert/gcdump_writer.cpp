#include "viewer/convert/gcdump_writer.h"

#include <algorithm>
#include <ctime>

#include "viewer/convert/fast_writer.h"
#include "viewer/convert/gcdump_format.h"
#include "viewer/convert/gcdump_roots.h"

namespace cairn::convert {
namespace {

using analysis::HeapGraph;
using analysis::ObjectIndex;
using analysis::Work;

// Of counts, offsets and sizes.
constexpr uint64_t kMost = INT32_MAX;
// Of places in the file, what WriteEnd adds left aside.
constexpr uint64_t kMostPlace = UINT32_MAX - 4096;

int32_t Clamped(uint64_t size) { return static_cast<int32_t>(std::min(size, kMost)); }

// "2026-01-02T03:04:05Z" in ticks of .NET; 0 for anything else.
int64_t TicksOf(const std::string& time) {
  std::tm parts{};
  const char* const end = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr) return 0;
  return gcdump::kTicksAt1970 + int64_t{timegm(&parts)} * gcdump::kTicksPerSecond;
}

class GcDumpWriter {
 public:
  GcDumpWriter(const HeapGraph& graph, OutputFile& file, Work& work)
      : graph_(graph),
        summary_(graph.GetSummary()),
        file_(file),
        out_(file),
        work_(work),
        roots_(MakeRootNodes(graph)),
        first_type_(static_cast<uint32_t>(1 + roots_.size())),
        type_sizes_(summary_.types.size(), kUnknownSize) {}

  Result<Converted> Write() {
    if (NodeCount() > kMost) return TooLarge("nodes");
    CAIRN_TRY(MeasureTypes());
    out_.Int32(static_cast<int32_t>(gcdump::kSignature.size()));
    out_.Bytes(gcdump::kSignature);
    out_.Begin(gcdump::kDumpType, 10, 8);
    CAIRN_TRY(WriteGraph());
    WriteProcess();
    if (out_.Place() > kMostPlace) return TooLarge("bytes");
    WriteEnd();
    return Converted{graph_.ObjectCount(), Lost()};
  }

 private:
  static constexpr int32_t kUnknownSize = -1;

  static tl::unexpected<Error> TooLarge(const char* what) {
    return Fail(ErrorKind::kFailed, "export.too_large", std::string("A .gcdump cannot hold so many ") + what + ".",
                "Use --to heapsnapshot or --to csv.");
  }

  uint64_t NodeCount() const { return roots_.size() + graph_.ObjectCount(); }

  // A type's size is that of its first object.
  Status MeasureTypes() {
    work_.Begin("measuring types", graph_.ObjectCount());
    analysis::Stride stride(work_);
    const bool finished = graph_.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
      int32_t& size = type_sizes_[graph_.TypeOf(object).value];
      if (size == kUnknownSize) size = Clamped(bytes);
      total_bytes_ += bytes;
      clamped_ += bytes > kMost;
      return stride.Step();
    });
    if (!finished) return analysis::WasCancelled();
    return {};
  }

  Status WriteGraph() {
    out_.Begin(gcdump::kGraphType, 1, 0);
    out_.Int64(static_cast<int64_t>(total_bytes_));
    out_.Int32(0);  // the root node
    WriteTypes();
    CAIRN_TRY(WriteNodes());
    WriteAddresses();
    out_.Byte(gcdump::kByte);
    out_.Byte(summary_.process.pointer_size == 8);
    out_.End();
    return {};
  }

  void WriteType(const std::string& name, int32_t size, const std::string* module) {
    out_.Text(name);
    out_.Int32(size);
    if (module)
      out_.Text(*module);
    else
      out_.NullText();
  }

  void WriteTypes() {
    out_.Int32(static_cast<int32_t>(first_type_ + summary_.types.size()));
    WriteType(gcdump::kUndefined, 0, nullptr);
    for (const RootNode& root : roots_) WriteType(root.name, 0, nullptr);
    for (size_t i = 0; i < summary_.types.size(); ++i) {
      const snapshot::Type& type = summary_.types[i];
      const bool known = type.module < summary_.modules.size();
      WriteType(type.name, std::max(type_sizes_[i], 0), known ? &summary_.modules[type.module].name : nullptr);
    }
  }

  // Offsets come before the blob, so every node is encoded twice: once to be measured.
  Status WriteNodes() {
    out_.Int32(static_cast<int32_t>(NodeCount()));
    uint64_t offset = 2;  // the undefined node
    CAIRN_TRY(EncodeNodes([&] { out_.Label(offset); }, [&](uint8_t) { ++offset; }));
    if (offset > kMost) return TooLarge("references");
    out_.Int32(static_cast<int32_t>(offset));
    out_.Byte(0);
    out_.Byte(0);
    CAIRN_TRY(EncodeNodes([] {}, [&](uint8_t byte) { out_.Byte(byte); }));
    return {};
  }

  template <class Start, class Put>
  Status EncodeNodes(Start start, Put put) {
    work_.Begin("writing nodes", graph_.ObjectCount());
    for (uint32_t i = 0; i < roots_.size(); ++i) start(), EncodeRoot(i, put);
    analysis::Stride stride(work_);
    const bool finished = graph_.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
      start();
      EncodeObject(object, Clamped(bytes), put);
      return stride.Step() && !file_.Failed();
    });
    if (!finished && !file_.Failed()) return analysis::WasCancelled();
    return {};
  }

  int32_t NodeOf(ObjectIndex object) const { return static_cast<int32_t>(roots_.size() + object.value); }

  template <class Put>
  void EncodeRoot(uint32_t node, Put put) {
    const RootNode& root = roots_[node];
    const auto own = static_cast<int32_t>(node);
    gcdump::PutCompressed((own + 1) * 2, put);  // types of root nodes follow the undefined one
    gcdump::PutCompressed(static_cast<int32_t>(root.nodes.size() + root.objects.size()), put);
    for (const uint32_t child : root.nodes) gcdump::PutCompressed(static_cast<int32_t>(child) - own, put);
    for (const ObjectIndex object : root.objects) gcdump::PutCompressed(NodeOf(object) - own, put);
  }

  template <class Put>
  void EncodeObject(ObjectIndex object, int32_t size, Put put) {
    const uint32_t type = graph_.TypeOf(object).value;
    const bool own_size = size != type_sizes_[type];
    gcdump::PutCompressed(static_cast<int32_t>((first_type_ + type) * 2 + own_size), put);
    if (own_size) gcdump::PutCompressed(size, put);
    const auto targets = graph_.Targets(object);
    gcdump::PutCompressed(static_cast<int32_t>(targets.size()), put);
    for (const ObjectIndex target : targets) gcdump::PutCompressed(NodeOf(target) - NodeOf(object), put);
  }

  void WriteAddresses() {
    out_.Int32(static_cast<int32_t>(NodeCount()));
    for (size_t i = 0; i < roots_.size(); ++i) out_.Int64(0);
    for (uint32_t range = 0; range < summary_.ranges.size(); ++range)
      graph_.ForEachIn(range, [&](ObjectIndex, uint64_t address, uint64_t) {
        out_.Int64(static_cast<int64_t>(address));
        return !file_.Failed();
      });
  }

  void WriteProcess() {
    const snapshot::Memory& memory = summary_.capture.memory;
    out_.Byte(summary_.process.pointer_size == 8);
    out_.Float(1);  // nothing is sampled: counts and sizes are as they are
    out_.Float(1);
    out_.Byte(gcdump::kNull);  // nothing of JavaScript
    WriteSegments();
    out_.NullText();  // log
    out_.Int64(TicksOf(summary_.capture.captured_at));
    out_.NullText();  // machine
    out_.Text(summary_.process.name);
    out_.Int32(static_cast<int32_t>(summary_.process.pid));
    out_.Int64(static_cast<int64_t>(memory.gc_committed_bytes));
    out_.Int64(static_cast<int64_t>(memory.rss_bytes));
    out_.Int32(0);  // multipliers by type
  }

  void WriteSegments() {
    uint64_t length = 0;
    for (const snapshot::Range& range : summary_.ranges) length += range.length;
    out_.Begin(gcdump::kHeapInfoType, 0, 0);
    out_.Int64(static_cast<int64_t>(length));
    out_.Int32(static_cast<int32_t>(summary_.ranges.size()));
    for (const snapshot::Range& range : summary_.ranges) WriteSegment(range);
    out_.End();
  }

  // Readers ask for the oldest generation first whether an address lies below its end.
  void WriteSegment(const snapshot::Range& range) {
    const uint64_t end = range.start + range.length;
    const int generation = range.generation == snapshot::Generation::kFrozen ? 2 : static_cast<int>(range.generation);
    out_.Begin(gcdump::kSegmentType, 1, 1);
    out_.Int64(static_cast<int64_t>(range.start));
    out_.Int64(static_cast<int64_t>(end));
    for (int i = 0; i < 5; ++i) out_.Int64(static_cast<int64_t>(i <= generation ? end : range.start));
    out_.End();
  }

  void WriteEnd() {
    out_.Byte(gcdump::kSkipRegion);
    out_.Int32(0);             // forward reference 0: where the region ends
    out_.Byte(gcdump::kNull);  // nothing of COM
    const uint64_t region_end = out_.Place();
    out_.Byte(gcdump::kString);
    out_.Text("cairn");
    out_.End();
    out_.End();  // a second one, without an object that it ends
    const uint64_t table = out_.Place();
    out_.Int32(1);
    out_.Label(region_end);
    const uint64_t trailer = out_.Place();
    out_.Label(table);
    out_.Label(trailer);
  }

  std::vector<std::string> Lost() const {
    std::vector<std::string> lost = {"names of fields and numbers of array elements"};
    const auto add = [&](bool there, const char* what) {
      if (there) lost.emplace_back(what);
    };
    add(!graph_.Roots().Weak().empty(), "weak handles");
    add(summary_.totals.free_bytes > 0, "free bytes between objects");
    add(!summary_.dependents.empty(), "which references are dependent handles");
    add(std::any_of(summary_.types.begin(), summary_.types.end(), [](const auto& type) { return type.collectible; }),
        "which references lead to load contexts");
    add(!summary_.threads.empty(), "threads of locals");
    add(clamped_ > 0, "sizes above 2 GiB of single objects");
    AddLostContents(summary_, lost);
    return lost;
  }

  const HeapGraph& graph_;
  const snapshot::Summary& summary_;
  OutputFile& file_;
  FastWriter out_;
  Work& work_;
  const std::vector<RootNode> roots_;
  const uint32_t first_type_;
  std::vector<int32_t> type_sizes_;
  uint64_t total_bytes_ = 0, clamped_ = 0;
};

}  // namespace

Result<Converted> WriteGcDump(session::SnapshotSession& session, OutputFile& file, analysis::Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return GcDumpWriter(**graph, file, work).Write();
}

}  // namespace cairn::convert
