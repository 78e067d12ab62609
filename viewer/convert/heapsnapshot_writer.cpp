#include "viewer/convert/heapsnapshot_writer.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "viewer/convert/heapsnapshot_edges.h"
#include "viewer/convert/string_list.h"
#include "viewer/convert/utf8.h"

namespace cairn::convert {
namespace {

using analysis::HeapGraph;
using analysis::ObjectIndex;
using analysis::Work;

constexpr uint32_t kNodeFields = 5;
constexpr uint64_t kMostSize = UINT32_MAX;
// Kinds of nodes and edges, as positions in the lists of kMeta.
constexpr uint32_t kObjectNode = 3, kSyntheticNode = 9;
constexpr uint32_t kElementEdge = 1, kPropertyEdge = 2, kInternalEdge = 3, kWeakEdge = 6;
// Readers look for these words literally, without blanks, and expect this order.
constexpr char kMeta[] =
    R"({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],)"
    R"("node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic",)"
    R"("concatenated string","sliced string","symbol","bigint","object shape","wasm object"],"string","number","number",)"
    R"("number"],"edge_fields":["type","name_or_index","to_node"],)"
    R"("edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"]},)";

// Root 0 → (GC roots) 1 → one node per kind of root → objects.
struct KindNode {
  snapshot::RootKind kind{};
  std::vector<const analysis::ResolvedRoot*> roots;
};

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '"' || byte == '\\') quoted += '\\';
    if (byte >= 0x20) {
      quoted += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      quoted += escaped;
    }
  }
  return quoted += '"';
}

class HeapSnapshotWriter {
 public:
  HeapSnapshotWriter(session::SnapshotSession& session, const HeapGraph& graph, OutputFile& file, Work& work)
      : session_(session), graph_(graph), summary_(graph.GetSummary()), file_(file), work_(work) {
    GroupRoots(graph.Roots().Followed());
    GroupRoots(graph.Roots().Weak());
    first_object_ = 2 + static_cast<uint32_t>(kinds_.size());
  }

  Result<Converted> Write() {
    const uint64_t nodes = uint64_t{first_object_} + graph_.ObjectCount();
    if (nodes * kNodeFields > UINT32_MAX)
      return Fail(ErrorKind::kFailed, "export.too_large", "A .heapsnapshot cannot hold so many objects.",
                  "Use --to csv.");
    file_.Write(kMeta);
    file_.Write("\"node_count\":" + std::to_string(nodes) + ",\"edge_count\":" + std::to_string(EdgeCount()) + "},\n");
    strings_.NumberOf("<dummy>");
    CAIRN_TRY(WriteNodes());
    CAIRN_TRY(WriteEdges());
    WriteStrings();
    return Converted{graph_.ObjectCount(), Lost()};
  }

 private:
  void GroupRoots(std::span<const analysis::ResolvedRoot> roots) {
    for (const analysis::ResolvedRoot& root : roots) {
      if (kinds_.empty() || kinds_.back().kind != root.kind) kinds_.push_back({root.kind, {}});
      kinds_.back().roots.push_back(&root);
    }
  }

  uint64_t EdgeCount() const {
    uint64_t count = 1 + kinds_.size() + graph_.EdgeCount();
    for (const KindNode& kind : kinds_) count += kind.roots.size();
    return count;
  }

  // Digits straight into one buffer: there are hundreds of millions of numbers.
  void Number(char before, uint64_t value) {
    char digits[24];
    char* at = std::end(digits);
    do *--at = static_cast<char>('0' + value % 10);
    while (value /= 10);
    *--at = before;
    file_.Write({at, static_cast<size_t>(std::end(digits) - at)});
  }

  void Row(std::initializer_list<uint64_t> values) {
    char before = first_row_ ? '\n' : ',';
    for (const uint64_t value : values) Number(std::exchange(before, ','), value);
    first_row_ = false;
  }

  void Node(uint32_t kind, const std::string& name, uint64_t id, uint64_t size, uint64_t edges) {
    Row({kind, strings_.NumberOf(name), id, size, edges});
  }

  static uint64_t IdOf(uint64_t node) { return node * 2 + 1; }

  Status WriteNodes() {
    file_.Write("\"nodes\":[");
    first_row_ = true;
    Node(kSyntheticNode, "", IdOf(0), 0, 1);
    Node(kSyntheticNode, "(GC roots)", IdOf(1), 0, kinds_.size());
    for (size_t i = 0; i < kinds_.size(); ++i)
      Node(kSyntheticNode, std::string("(") + snapshot::RootKindName(kinds_[i].kind) + ")", IdOf(2 + i), 0,
           kinds_[i].roots.size());
    std::vector<uint32_t> names;  // by type
    for (const snapshot::Type& type : summary_.types) names.push_back(strings_.NumberOf(NameOf(type)));
    work_.Begin("writing objects", graph_.ObjectCount());
    analysis::Stride stride(work_);
    const bool finished = graph_.ForEachSize([&](ObjectIndex object, uint64_t bytes) {
      clamped_ += bytes > kMostSize;
      Row({kObjectNode, names[graph_.TypeOf(object).value], IdOf(first_object_ + uint64_t{object.value}),
           std::min(bytes, kMostSize), graph_.Targets(object).size()});
      return stride.Step() && !file_.Failed();
    });
    if (!finished && !file_.Failed()) return analysis::WasCancelled();
    file_.Write("],\n");
    return {};
  }

  static std::string NameOf(const snapshot::Type& type) {
    return type.name.empty() ? "(type without a name)" : type.name;
  }

  uint64_t PlaceOf(ObjectIndex object) const { return (uint64_t{first_object_} + object.value) * kNodeFields; }

  Status WriteEdges() {
    file_.Write("\"edges\":[");
    first_row_ = true;
    Row({kElementEdge, 1, kNodeFields});
    for (size_t i = 0; i < kinds_.size(); ++i) Row({kElementEdge, i + 1, (2 + i) * kNodeFields});
    for (const KindNode& kind : kinds_) WriteRoots(kind);
    const auto status =
        EdgeReader(session_, graph_).ReadAll([this](const NamedEdge& edge) { return Edge(edge); }, work_);
    if (!status) return tl::make_unexpected(status.error());
    file_.Write("],\n");
    return {};
  }

  void WriteRoots(const KindNode& kind) {
    const uint32_t edge = kind.kind == snapshot::RootKind::kHandleWeak ? kWeakEdge : kInternalEdge;
    for (const analysis::ResolvedRoot* root : kind.roots) {
      const bool named = root->source != snapshot::kNoId && !summary_.roots[root->source].name.empty();
      const std::string name = named ? summary_.roots[root->source].name : snapshot::RootKindName(kind.kind);
      Row({edge, strings_.NumberOf(name), PlaceOf(root->object)});
    }
  }

  bool Edge(const NamedEdge& edge) {
    if (edge.kind == NamedEdge::Kind::kElement)
      Row({kElementEdge, std::min<uint64_t>(edge.element, UINT32_MAX), PlaceOf(edge.target)});
    else
      Row({edge.kind == NamedEdge::Kind::kField ? kPropertyEdge : kInternalEdge, strings_.NumberOf(*edge.name),
           PlaceOf(edge.target)});
    return !file_.Failed();
  }

  void WriteStrings() {
    file_.Write("\"strings\":[");
    for (size_t i = 0; i < strings_.Count(); ++i) file_.Write((i > 0 ? ",\n" : "") + Quoted(strings_[i]));
    file_.Write("]}\n");
  }

  std::vector<std::string> Lost() const {
    std::vector<std::string> lost = {"addresses and generations", "numbers of elements whose fields are references"};
    const auto add = [&](bool there, const char* what) {
      if (there) lost.emplace_back(what);
    };
    add(summary_.totals.free_bytes > 0, "free bytes between objects");
    add(!summary_.modules.empty(), "modules of types");
    add(!summary_.threads.empty(), "threads of locals");
    add(clamped_ > 0, "sizes above 4 GiB of single objects");
    AddLostContents(summary_, lost);
    return lost;
  }

  session::SnapshotSession& session_;
  const HeapGraph& graph_;
  const snapshot::Summary& summary_;
  OutputFile& file_;
  Work& work_;
  std::vector<KindNode> kinds_;
  uint32_t first_object_ = 0;
  StringList strings_;
  bool first_row_ = true;
  uint64_t clamped_ = 0;
};

}  // namespace

Result<Converted> WriteHeapSnapshot(session::SnapshotSession& session, OutputFile& file, analysis::Work& work) {
  const auto graph = session.Graph(work);
  if (!graph) return tl::make_unexpected(graph.error());
  return HeapSnapshotWriter(session, **graph, file, work).Write();
}

}  // namespace cairn::convert
