#pragma once
// Reads a .gcdump, which may be hostile, into plain arrays. Every count, label and length is checked before its use.
// Thread rule: built once; then reads from any thread. Memory: that of the file.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::convert {

struct GcDumpType {
  std::string name, module;  // module: empty where it has none
  int32_t size = 0;
};

// Where generations end in one stretch of the heap; the oldest one whose end lies above an address is its own.
struct GcDumpSegment {
  uint64_t start = 0, end = 0;
  uint64_t generation_end[5] = {};  // gen0, gen1, gen2, loh, poh
};

struct GcDumpNode {
  uint32_t type = 0;
  uint64_t size = 0;
  std::vector<uint32_t> children;
};

class GcDump {
 public:
  // Errors: import.missing, import.unreadable (kFailed), import.not_gcdump (kFailed), import.damaged (kDamaged),
  // import.unsupported (kFailed).
  static Result<GcDump> Read(const std::string& path);
  static Result<GcDump> Parse(std::vector<uint8_t> bytes);

  uint32_t NodeCount() const { return static_cast<uint32_t>(offsets_.size()); }
  uint32_t Root() const { return root_; }
  const std::vector<GcDumpType>& Types() const { return types_; }
  uint64_t AddressOf(uint32_t node) const { return addresses_[node]; }
  // A node that others refer to but that was never described.
  bool IsUndefined(uint32_t node) const { return offsets_[node] == 0; }
  // Decodes one node into `out`. Errors: import.damaged.
  Status ReadNode(uint32_t node, GcDumpNode& out) const;

  bool Is64Bit() const { return is_64_bit_; }
  // Counts or sizes stand for more than is here.
  bool IsSampled() const { return sampled_; }
  const std::vector<GcDumpSegment>& Segments() const { return segments_; }
  int64_t TimeTicks() const { return ticks_; }
  const std::string& ProcessName() const { return process_name_; }
  int32_t ProcessId() const { return process_id_; }
  uint64_t CommittedBytes() const { return committed_bytes_; }
  uint64_t ResidentBytes() const { return resident_bytes_; }
  const std::string& Tool() const { return tool_; }

 private:
  friend class GcDumpParser;

  std::vector<uint8_t> bytes_;
  std::span<const uint8_t> blob_;  // of bytes_
  std::vector<GcDumpType> types_;
  std::vector<uint32_t> offsets_;
  std::vector<uint64_t> addresses_;
  std::vector<GcDumpSegment> segments_;
  uint32_t root_ = 0;
  bool is_64_bit_ = true, sampled_ = false;
  int64_t ticks_ = 0;
  std::string process_name_, tool_;
  int32_t process_id_ = 0;
  uint64_t committed_bytes_ = 0, resident_bytes_ = 0;
};

}  // namespace cairn::convert
