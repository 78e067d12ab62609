#include "viewer/convert/gcdump_reader.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "viewer/convert/fast_reader.h"
#include "viewer/convert/gcdump_format.h"

namespace cairn::convert {
namespace {

constexpr int kMostCompressedBytes = 5;

tl::unexpected<Error> Damaged(const std::string& what) {
  return Fail(ErrorKind::kDamaged, "import.damaged", "The .gcdump is damaged: " + what + ".", "Collect it again.");
}

// Numbers of one node.
class NodeCursor {
 public:
  NodeCursor(std::span<const uint8_t> blob, size_t at) : blob_(blob), at_(at) {}

  int32_t Next() {
    int64_t value = 0;
    for (int i = 0; i < kMostCompressedBytes; ++i) {
      if (at_ >= blob_.size()) break;
      const uint8_t byte = blob_[at_++];
      const int64_t bits = byte & 0x7F;
      value = i == 0 ? (bits ^ 0x40) - 0x40 : value * 128 + bits;  // bit 6 of the first is the sign
      if (byte < 0x80) return static_cast<int32_t>(value);
    }
    failed_ = true;
    return 0;
  }
  bool Failed() const { return failed_; }
  size_t Left() const { return blob_.size() - at_; }

 private:
  std::span<const uint8_t> blob_;
  size_t at_;
  bool failed_ = false;
};

}  // namespace

class GcDumpParser {
 public:
  explicit GcDumpParser(std::vector<uint8_t> bytes) : reader_(bytes) { dump_.bytes_ = std::move(bytes); }

  Result<GcDump> Parse() {
    CAIRN_TRY(ReadSignature());
    if (const std::string type = reader_.Begin(); type != gcdump::kDumpType && !reader_.Failed())
      return NotGcDump("it holds a " + (type.empty() ? "null" : type));
    const int32_t version = reader_.Version();
    if (!reader_.Failed() && (version < 4 || version == 8))
      return Unsupported("version " + std::to_string(version) + " of the format");
    CAIRN_TRY(ReadGraph());
    ReadProcess();
    ReadTagged();
    if (reader_.Failed()) return Damaged(*reader_.Failed());
    CAIRN_TRY(Check());
    return std::move(dump_);
  }

 private:
  static tl::unexpected<Error> NotGcDump(const std::string& why) {
    return Fail(ErrorKind::kDamaged, "import.not_gcdump", "The file is no .gcdump: " + why + ".",
                "A .gcdump comes from dotnet-gcdump collect or PerfView.");
  }
  static tl::unexpected<Error> Unsupported(const std::string& what) {
    return Fail(ErrorKind::kFailed, "import.unsupported", "The .gcdump uses " + what + ", which is not read here.",
                "Collect it with dotnet-gcdump.");
  }

  Status ReadSignature() {
    const auto length = static_cast<size_t>(gcdump::kSignature.size());
    const bool length_is_right = static_cast<size_t>(reader_.Int32()) == length;
    const auto bytes = length_is_right ? reader_.Bytes(length, "the signature") : std::span<const uint8_t>();
    if (bytes.size() != length || std::memcmp(bytes.data(), gcdump::kSignature.data(), length) != 0)
      return NotGcDump("it does not start with " + std::string(gcdump::kSignature));
    return {};
  }

  Status ReadGraph() {
    const std::string type = reader_.Begin();
    if (reader_.Failed()) return Damaged(*reader_.Failed());
    if (type != gcdump::kGraphType) return Damaged("a " + type + " is where the graph should be");
    if (reader_.LeastReader() > 0) return Unsupported("names of types that are looked up later");
    reader_.Int64();  // the sum of all sizes
    dump_.root_ = static_cast<uint32_t>(reader_.Int32());
    ReadTypes();
    ReadNodes();
    reader_.SkipToEnd();  // whether it is a 64-bit process is told again
    if (reader_.Failed()) return Damaged(*reader_.Failed());
    return {};
  }

  void ReadTypes() {
    const uint32_t count = reader_.Count(12, "types");
    dump_.types_.reserve(count);
    for (uint32_t i = 0; i < count && !reader_.Failed(); ++i) {
      GcDumpType& type = dump_.types_.emplace_back();
      type.name = reader_.Text();
      type.size = reader_.Int32();
      type.module = reader_.Text();
    }
  }

  void ReadNodes() {
    const uint32_t nodes = reader_.Count(4, "nodes");
    dump_.offsets_.resize(nodes);
    const auto offsets = reader_.Bytes(size_t{nodes} * 4, "the places of the nodes");
    if (!offsets.empty()) std::memcpy(dump_.offsets_.data(), offsets.data(), offsets.size());
    dump_.blob_ = reader_.Bytes(reader_.Count(1, "bytes of nodes"), "the nodes");
    // The span is over what the parser was given; the bytes have moved, their place in memory has not.
    const uint32_t addresses = reader_.Count(8, "addresses");
    if (!reader_.Failed() && addresses != nodes) return reader_.Fail("there are not as many addresses as nodes");
    dump_.addresses_.resize(addresses);
    const auto bytes = reader_.Bytes(size_t{addresses} * 8, "the addresses");
    if (!bytes.empty()) std::memcpy(dump_.addresses_.data(), bytes.data(), bytes.size());
  }

  void ReadProcess() {
    dump_.is_64_bit_ = reader_.Byte() != 0;
    const float counts = reader_.Float(), sizes = reader_.Float();
    if (reader_.Begin() == gcdump::kJsInfoType) reader_.SkipToEnd();
    if (reader_.Begin() == gcdump::kHeapInfoType) ReadSegments();
    reader_.Text();  // log
    dump_.ticks_ = reader_.Int64();
    reader_.Text();  // machine
    dump_.process_name_ = reader_.Text();
    dump_.process_id_ = reader_.Int32();
    dump_.committed_bytes_ = static_cast<uint64_t>(reader_.Int64());
    dump_.resident_bytes_ = static_cast<uint64_t>(reader_.Int64());
    const uint32_t multipliers = reader_.Count(4, "multipliers");
    reader_.Bytes(size_t{multipliers} * 4, "the multipliers");
    dump_.sampled_ = counts != 1 || sizes != 1 || multipliers > 0;
  }

  void ReadSegments() {
    reader_.Int64();  // their length
    const uint32_t count = reader_.Count(49, "segments");
    for (uint32_t i = 0; i < count && !reader_.Failed(); ++i) {
      if (reader_.Begin() != gcdump::kSegmentType) return reader_.Fail("a segment is expected");
      GcDumpSegment& segment = dump_.segments_.emplace_back();
      segment.start = static_cast<uint64_t>(reader_.Int64());
      segment.end = static_cast<uint64_t>(reader_.Int64());
      const int generations = reader_.Version() >= 1 ? 5 : 4;
      for (int g = 0; g < generations; ++g) segment.generation_end[g] = static_cast<uint64_t>(reader_.Int64());
      reader_.SkipToEnd();
    }
    reader_.SkipToEnd();
  }

  // COM objects, which lie in a region of their own, and the tool. What does not follow this form is left alone.
  void ReadTagged() {
    if (reader_.Byte() != gcdump::kSkipRegion) return;
    reader_.Int32();
    if (!reader_.Begin().empty()) return;
    if (reader_.Byte() == gcdump::kString) dump_.tool_ = reader_.Text();
  }

  Status Check() const {
    if (dump_.types_.empty()) return Damaged("it has no type");
    if (dump_.root_ >= dump_.NodeCount()) return Damaged("its root is no node");
    for (const uint32_t offset : dump_.offsets_)
      if (offset >= dump_.blob_.size()) return Damaged("a node lies outside the nodes");
    return {};
  }

  FastReader reader_;
  GcDump dump_;
};

Result<GcDump> GcDump::Parse(std::vector<uint8_t> bytes) { return GcDumpParser(std::move(bytes)).Parse(); }

Result<GcDump> GcDump::Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    const bool missing = errno == ENOENT;
    return Fail(ErrorKind::kFailed, missing ? "import.missing" : "import.unreadable",
                path + " cannot be read: " + std::strerror(errno) + ".", "Check the name.");
  }
  const std::streamoff length = file.tellg();
  if (length < 0 || length > std::streamoff{UINT32_MAX})
    return Fail(ErrorKind::kDamaged, "import.not_gcdump", path + " is no .gcdump: it is no file of at most 4 GiB.",
                "A .gcdump comes from dotnet-gcdump collect or PerfView.");
  std::vector<uint8_t> bytes(static_cast<size_t>(length));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), length))
    return Fail(ErrorKind::kFailed, "import.unreadable", path + " cannot be read.", "Check the file.");
  return Parse(std::move(bytes));
}

Status GcDump::ReadNode(uint32_t node, GcDumpNode& out) const {
  NodeCursor cursor(blob_, offsets_[node]);
  const int32_t head = cursor.Next();
  out.type = static_cast<uint32_t>(head) >> 1;
  if (head < 0 || out.type >= types_.size()) return Damaged("node " + std::to_string(node) + " has no type");
  const int32_t size = head & 1 ? cursor.Next() : types_[out.type].size;
  out.size = size > 0 ? static_cast<uint64_t>(size) : 0;
  const int32_t children = cursor.Next();
  if (children < 0 || static_cast<size_t>(children) > cursor.Left())
    return Damaged("node " + std::to_string(node) + " has more references than there are bytes");
  out.children.clear();
  for (int32_t i = 0; i < children; ++i) {
    const int64_t child = int64_t{node} + cursor.Next();
    if (child < 0 || child >= int64_t{NodeCount()})
      return Damaged("node " + std::to_string(node) + " refers to a node that is not there");
    out.children.push_back(static_cast<uint32_t>(child));
  }
  if (cursor.Failed()) return Damaged("node " + std::to_string(node) + " ends too early");
  return {};
}

}  // namespace cairn::convert
