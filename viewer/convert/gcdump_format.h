#pragma once
// The bytes of a .gcdump: an object tree in the FastSerialization format, which holds one MemoryGraph.
//
//   i32 20, "!FastSerialization.1"
//   GCHeapDump { MemoryGraph { types, offsets of the nodes, blob of nodes, addresses }, what is known of the process }
//   end tag, table of forward references, its place, the place of that
//
// A node of the blob: cint(type × 2 + e), if e: cint(size), cint(children), children × cint(child − own number).
// A cint is a signed 32-bit number in groups of seven bits, the high ones first.

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::convert::gcdump {

inline constexpr std::string_view kSignature = "!FastSerialization.1";

// Tags before values.
inline constexpr uint8_t kNull = 1, kReference = 2, kBegin = 4, kEnd = 6, kByte = 8, kInt16 = 9, kInt32 = 10,
                         kInt64 = 11, kSkipRegion = 12, kString = 13, kBlob = 14;

inline constexpr char kDumpType[] = "GCHeapDump", kGraphType[] = "Graphs.MemoryGraph",
                      kHeapInfoType[] = "DotNetHeapInfo", kSegmentType[] = "GCHeapDumpSegment",
                      kJsInfoType[] = "JSHeapInfo";
inline constexpr char kUndefined[] = "UNDEFINED";

// Nodes that stand for roots, as the tools for .NET call them.
inline constexpr char kRootNode[] = "[.NET Roots]", kStatics[] = "[static vars]",
                      kThreadStatics[] = "[thread static vars]", kLocals[] = "[local vars]",
                      kOtherRoots[] = "[other roots]";
inline constexpr std::string_view kStaticStart = "[static var ", kThreadStaticStart = "[thread static var ",
                                  kLocalStart = "[local var ";

// .NET counts time in 100 ns since the year 1.
inline constexpr int64_t kTicksPerSecond = 10'000'000;
inline constexpr int64_t kTicksAt1970 = 621'355'968'000'000'000;

template <class Put>
void PutCompressed(int32_t value, Put put) {
  int groups = 1;
  while (groups < 5 && (value < -(1 << (7 * groups - 1)) || value >= 1 << (7 * groups - 1))) ++groups;
  for (int i = groups - 1; i >= 0; --i) {
    const uint8_t bits = static_cast<uint8_t>((value >> (7 * i)) & 0x7F);
    put(static_cast<uint8_t>(bits | (i > 0 ? 0x80 : 0)));
  }
}

}  // namespace cairn::convert::gcdump
