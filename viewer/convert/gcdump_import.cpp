#include "viewer/convert/gcdump_import.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <utility>

#include "viewer/convert/chunk_file.h"
#include "viewer/convert/gcdump_format.h"
#include "viewer/convert/gcdump_objects.h"
#include "viewer/convert/gcdump_roots_reader.h"

namespace cairn::convert {
namespace {

// dotnet-gcdump leaves out what comes after so many.
constexpr uint32_t kMostNodesOfTool = 10'000'000;

std::string TimeOf(int64_t ticks) {
  const std::time_t seconds = static_cast<std::time_t>((ticks - gcdump::kTicksAt1970) / gcdump::kTicksPerSecond);
  std::tm parts{};
  char text[32];
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

// dotnet-gcdump gives large objects a type of their own: "System.Byte[] (Bytes > 10K)".
std::string WithoutSizeClass(const std::string& name) {
  const size_t at = name.rfind(" (Bytes > ");
  return at != std::string::npos && name.ends_with(')') ? name.substr(0, at) : name;
}

snapshot::Type MakeType(const std::string& name) {
  snapshot::Type type;
  type.name = name;
  type.kind = name == "System.String" ? snapshot::TypeKind::kString
              : name.ends_with(']')   ? snapshot::TypeKind::kArray
                                      : snapshot::TypeKind::kUnknown;
  type.layout.component_size = 1;
  type.layout.explicit_slots = true;
  return type;
}

class Importer {
 public:
  Importer(const GcDump& dump, PlacedNodes placed, const ImportOptions& options)
      : dump_(dump), placed_(std::move(placed)), options_(options) {
    NumberTypes();
    Describe();
  }

  Result<Converted> Write(const std::string& path) {
    summary_.ranges = placed_.ranges;
    CAIRN_TRY(AddRoots());
    auto writer = snapshot::SnapshotWriter::Create(path, {options_.overwrite, {}});
    if (!writer) return tl::make_unexpected(std::move(writer).error());
    CAIRN_TRY(WriteObjects(**writer));
    AddProblems();
    snapshot::FillTotals(summary_);
    if (auto finished = (*writer)->Finish(summary_); !finished) return tl::make_unexpected(std::move(finished).error());
    return Converted{summary_.totals.objects, Lost()};
  }

 private:
  // Types of one name and module are one, as are those that differ in their size class only.
  void NumberTypes() {
    std::map<std::pair<std::string, std::string>, uint32_t> types;
    std::map<std::string, uint32_t> modules;
    for (const GcDumpType& from : dump_.Types()) {
      const std::string name = WithoutSizeClass(from.name);
      const auto [at, added] = types.try_emplace({name, from.module}, static_cast<uint32_t>(summary_.types.size()));
      type_of_.push_back(at->second);
      if (!added) continue;
      summary_.types.push_back(MakeType(name));
      if (from.module.empty()) continue;
      const auto [module, is_new] = modules.try_emplace(from.module, static_cast<uint32_t>(summary_.modules.size()));
      if (is_new) summary_.modules.push_back({from.module.substr(from.module.find_last_of("/\\") + 1), from.module});
      summary_.types.back().module = module->second;
    }
  }

  void Describe() {
    snapshot::Process& process = summary_.process;
    process.pid = dump_.ProcessId();
    process.name = dump_.ProcessName();
    process.gc_mode = process.runtime = "unknown";
    process.architecture = dump_.Is64Bit() ? "x64" : "x86";
    process.pointer_size = dump_.Is64Bit() ? 8 : 4;
    process.address_shift = dump_.Is64Bit() ? 3 : 2;
    snapshot::Capture& capture = summary_.capture;
    capture.id = options_.id;
    capture.captured_at = dump_.TimeTicks() > gcdump::kTicksAt1970 ? TimeOf(dump_.TimeTicks()) : options_.now;
    capture.cairn_version = options_.version;
    capture.gc_requested = capture.gc_actual = capture.roots = "full";
    capture.method = "pause";
    capture.memory.gc_committed_bytes = dump_.CommittedBytes();
    capture.memory.rss_bytes = dump_.ResidentBytes();
  }

  Status AddRoots() {
    auto roots = ReadRoots(dump_, placed_.is_root_node);
    if (!roots) return tl::make_unexpected(std::move(roots).error());
    for (ImportedRoot& from : *roots) {
      snapshot::Root& root = summary_.roots.emplace_back();
      root.kind = from.kind;
      root.name = std::move(from.name);
      root.object = placed_.addresses[from.node];
      root.pinning = from.kind == snapshot::RootKind::kHandlePinned;
    }
    return {};
  }

  Status WriteObjects(snapshot::SnapshotWriter& writer) {
    ChunkFile chunks(writer, summary_.types.size(), summary_.process.address_shift);
    std::vector<uint64_t> targets;
    GcDumpNode node;
    for (uint32_t range = 0; range < summary_.ranges.size(); ++range) {
      const size_t first = placed_.range_starts[range], end = first + summary_.ranges[range].objects;
      chunks.BeginRange(range);
      for (size_t i = first; i < end; ++i) {
        CAIRN_TRY(dump_.ReadNode(placed_.in_order[i], node));
        targets.clear();
        for (const uint32_t child : node.children) AddTarget(child, targets);
        summary_.ranges[range].edges += targets.size();
        CountObject(type_of_[node.type], placed_.bytes[i]);
        CAIRN_TRY(chunks.Add(type_of_[node.type], placed_.addresses[placed_.in_order[i]], placed_.bytes[i], targets));
      }
      CAIRN_TRY(chunks.EndRange());
    }
    summary_.totals.chunks = chunks.Chunks();
    return {};
  }

  void AddTarget(uint32_t child, std::vector<uint64_t>& targets) {
    if (const uint64_t address = placed_.addresses[child])
      targets.push_back(address);
    else
      ++dropped_edges_;
  }

  void CountObject(uint32_t type, uint64_t bytes) {
    ++summary_.types[type].objects;
    summary_.types[type].bytes += bytes;
  }

  void AddProblem(bool there, const char* code, const std::string& message, bool incomplete) {
    if (there) summary_.problems.push_back({code, message, incomplete});
  }

  void AddProblems() {
    const auto count = [](uint64_t number) { return std::to_string(number); };
    AddProblem(true, "import.gcdump",
               "Made from a .gcdump" + (dump_.Tool().empty() ? "" : " of " + dump_.Tool()) +
                   ": names of fields, threads, weak handles and gaps are not in it.",
               false);
    AddProblem(dump_.IsSampled(), "import.sampled",
               "The .gcdump is a sample of the heap: its counts and sizes stand for more than is in it.", true);
    AddProblem(dump_.NodeCount() >= kMostNodesOfTool, "import.cut",
               "The .gcdump has " + count(dump_.NodeCount()) + " nodes: the tool leaves out what exceeds 10,000,000.",
               true);
    AddProblem(placed_.undefined > 0 && dropped_edges_ > 0, "import.undefined_objects",
               count(dropped_edges_) + " references lead to objects that the .gcdump does not describe.", true);
    AddProblem(placed_.moved > 0, "import.moved_objects",
               count(placed_.moved) + " objects had no address of their own and were given one.", false);
    AddProblem(placed_.cut > 0, "import.cut_sizes",
               count(placed_.cut) + " objects reached into the next one and end there now.", false);
    summary_.complete = std::none_of(summary_.problems.begin(), summary_.problems.end(),
                                     [](const snapshot::Problem& problem) { return problem.incomplete; });
  }

  std::vector<std::string> Lost() const {
    std::vector<std::string> lost;
    if (dropped_edges_ > 0) lost.push_back("references to what is no object: " + std::to_string(dropped_edges_));
    if (placed_.moved > 0) lost.push_back("identities of objects without an address: " + std::to_string(placed_.moved));
    if (placed_.cut > 0) lost.push_back("sizes that reach into the next object: " + std::to_string(placed_.cut));
    return lost;
  }

  const GcDump& dump_;
  const PlacedNodes placed_;
  const ImportOptions& options_;
  snapshot::Summary summary_;
  std::vector<uint32_t> type_of_;  // by type of the .gcdump
  uint64_t dropped_edges_ = 0;
};

}  // namespace

Result<Converted> ImportGcDump(const GcDump& dump, const std::string& path, const ImportOptions& options) {
  auto placed = PlaceNodes(dump);
  if (!placed) return tl::make_unexpected(std::move(placed).error());
  return Importer(dump, std::move(*placed), options).Write(path);
}

}  // namespace cairn::convert
