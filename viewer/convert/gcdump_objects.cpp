#include "viewer/convert/gcdump_objects.h"

#include <algorithm>

#include "snapshot-format/stream/chunk.h"
#include "viewer/convert/gcdump_roots_reader.h"

namespace cairn::convert {
namespace {

// Objects further apart lie in ranges of their own.
constexpr uint64_t kMostGap = 1u << 20;
// Addresses above are none of a process.
constexpr uint64_t kHighest = 1ull << 57;

class NodePlacer {
 public:
  explicit NodePlacer(const GcDump& dump) : dump_(dump), unit_(dump.Is64Bit() ? 8 : 4) {}

  Result<PlacedNodes> Place() {
    CAIRN_TRY(ReadNodes());
    SortByAddress();
    MoveHomeless();
    FitSizes();
    MakeRanges();
    return std::move(placed_);
  }

 private:
  Status ReadNodes() {
    const uint32_t nodes = dump_.NodeCount();
    placed_.is_root_node.resize(nodes);
    placed_.addresses.resize(nodes);
    sizes_.resize(nodes);
    GcDumpNode node;
    for (uint32_t i = 0; i < nodes; ++i) {
      if (dump_.IsUndefined(i)) {
        ++placed_.undefined;
        continue;
      }
      CAIRN_TRY(dump_.ReadNode(i, node));
      placed_.is_root_node[i] = IsRootNode(dump_, i, node.type);
      if (placed_.is_root_node[i]) continue;
      placed_.in_order.push_back(i);
      placed_.addresses[i] = dump_.AddressOf(i);
      sizes_[i] = stream::AlignUp(std::max<uint64_t>(node.size, unit_), unit_);
    }
    return {};
  }

  bool HasHome(uint32_t node) const {
    const uint64_t address = placed_.addresses[node];
    return address != 0 && address % unit_ == 0 && address < kHighest;
  }

  void SortByAddress() {
    std::sort(placed_.in_order.begin(), placed_.in_order.end(), [&](uint32_t a, uint32_t b) {
      return std::pair(placed_.addresses[a], a) < std::pair(placed_.addresses[b], b);
    });
  }

  // Those without a place, and the second ones at one address, go behind all others.
  void MoveHomeless() {
    std::vector<uint32_t> homeless, at_home;
    uint64_t end = kMostGap, last = 0;
    for (const uint32_t node : placed_.in_order) {
      const bool stays = HasHome(node) && placed_.addresses[node] != last;
      (stays ? at_home : homeless).push_back(node);
      if (!stays) continue;
      last = placed_.addresses[node];
      end = last + sizes_[node];
    }
    uint64_t next = stream::AlignUp(end + 2 * kMostGap, 4096);
    for (const uint32_t node : homeless) {
      placed_.addresses[node] = next;
      next += sizes_[node];
    }
    placed_.moved = homeless.size();
    placed_.in_order = std::move(at_home);
    placed_.in_order.insert(placed_.in_order.end(), homeless.begin(), homeless.end());
  }

  void FitSizes() {
    placed_.bytes.reserve(placed_.in_order.size());
    for (size_t i = 0; i < placed_.in_order.size(); ++i) {
      const uint32_t node = placed_.in_order[i];
      uint64_t bytes = sizes_[node];
      if (i + 1 < placed_.in_order.size()) {
        const uint64_t room = placed_.addresses[placed_.in_order[i + 1]] - placed_.addresses[node];
        placed_.cut += bytes > room;
        bytes = std::min(bytes, room);
      }
      placed_.bytes.push_back(bytes);
    }
  }

  // The oldest generation whose end lies above the address; without segments nothing is known.
  snapshot::Generation GenerationOf(uint64_t address) const {
    for (const GcDumpSegment& segment : dump_.Segments()) {
      if (address < segment.start || address >= segment.end) continue;
      for (const unsigned generation : {4u, 3u, 2u, 1u, 0u})
        if (address < segment.generation_end[generation]) return static_cast<snapshot::Generation>(generation);
    }
    return snapshot::Generation::kGen2;
  }

  bool StartsRange(uint64_t address, snapshot::Generation generation) const {
    if (placed_.ranges.empty()) return true;
    const snapshot::Range& last = placed_.ranges.back();
    return generation != last.generation || address - (last.start + last.length) > kMostGap;
  }

  void MakeRanges() {
    for (size_t i = 0; i < placed_.in_order.size(); ++i) {
      const uint64_t address = placed_.addresses[placed_.in_order[i]];
      const snapshot::Generation generation = GenerationOf(address);
      if (StartsRange(address, generation)) {
        placed_.range_starts.push_back(static_cast<uint32_t>(i));
        snapshot::Range& range = placed_.ranges.emplace_back();
        range.start = address;
        range.generation = generation;
        range.alignment = unit_;
      }
      Extend(placed_.ranges.back(), address, placed_.bytes[i]);
    }
    for (snapshot::Range& range : placed_.ranges) range.walked = range.reserved = range.length;
  }

  static void Extend(snapshot::Range& range, uint64_t address, uint64_t bytes) {
    const uint64_t gap = address - (range.start + range.length);
    range.free_objects += gap > 0;
    range.free_bytes += gap;
    range.largest_free = std::max(range.largest_free, gap);
    range.length += gap + bytes;
    range.bytes += bytes;
    ++range.objects;
  }

  const GcDump& dump_;
  const uint32_t unit_;
  PlacedNodes placed_;
  std::vector<uint64_t> sizes_;  // by node
};

}  // namespace

Result<PlacedNodes> PlaceNodes(const GcDump& dump) { return NodePlacer(dump).Place(); }

}  // namespace cairn::convert
