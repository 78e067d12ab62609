#include "collector/capture/gc_events.h"

#include <cstring>

#include "collector/types/com_text.h"

namespace cairn::collector {

namespace {

constexpr uint64_t kGcKeyword = 0x1;
constexpr uint64_t kMovementKeyword = 0x400000;
constexpr uint64_t kHeapDumpKeywords = 0x100000;  // roots, objects, references

uint64_t WordAt(std::span<const uint8_t> payload, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, payload.data() + offset, sizeof word);
  return word;
}

}  // namespace

bool GcEventSession::Start(abi::ICorProfilerInfo12* info, bool with_roots) {
  return StartWith(info, with_roots ? kGcKeyword | kHeapDumpKeywords : kGcKeyword);
}

bool GcEventSession::StartRootsOnly(abi::ICorProfilerInfo12* info) { return StartWith(info, kHeapDumpKeywords); }

bool GcEventSession::StartWithMovement(abi::ICorProfilerInfo12* info) {
  return StartWith(info, kGcKeyword | kMovementKeyword);
}

bool GcEventSession::StartWith(abi::ICorProfilerInfo12* info, uint64_t keywords) {
  abi::EventPipeProviderConfig provider{CAIRN_WIDE("Microsoft-Windows-DotNETRuntime"), keywords,
                                        static_cast<uint32_t>(abi::EventPipeLevel::kInformational), nullptr};
  return abi::Succeeded(info->EventPipeStartSession(1, &provider, 0, &session_));
}

void GcEventSession::Stop(abi::ICorProfilerInfo12* info) {
  if (session_ == 0) return;
  info->EventPipeStopSession(session_);
  session_ = 0;
}

// Layout: four pairs (size, promoted) of generations 0 to 3, two words and three u32 about finalization,
// pins and handles, a u16; version 2 adds a pair for generation 4.
bool HeapStatsBytes(uint32_t version, std::span<const uint8_t> payload, uint64_t* bytes) {
  constexpr size_t kPair = 16, kFirstPairs = 4;
  constexpr size_t kFifthPair = kFirstPairs * kPair + 2 * 8 + 3 * 4 + 2;
  const bool has_fifth = version >= 2;
  if (payload.size() < (has_fifth ? kFifthPair + kPair : kFirstPairs * kPair)) return false;
  *bytes = 0;
  for (size_t i = 0; i < kFirstPairs; ++i) *bytes += WordAt(payload, i * kPair);
  if (has_fifth) *bytes += WordAt(payload, kFifthPair);
  return true;
}

// Layout: the name in UTF-16 with its final 0, u32 size of what follows, u16 version, then committed bytes as u64 each:
// in use, to be decommitted, free, free for all heaps, bookkeeping.
bool CommittedBytes(std::span<const uint8_t> payload, uint64_t* bytes) {
  constexpr char16_t kName[] = u"CommittedUsage";
  constexpr size_t kFirst = sizeof kName + 4 + 2, kParts = 5;
  if (payload.size() < kFirst + kParts * 8 || std::memcmp(payload.data(), kName, sizeof kName) != 0) return false;
  *bytes = 0;
  for (size_t i = 0; i < kParts; ++i) *bytes += WordAt(payload, kFirst + i * 8);
  return true;
}

// Layout: u64 final youngest desired size, i32 number of heaps, u32 condemned generation, …
bool CondemnedGeneration(std::span<const uint8_t> payload, uint8_t* generation) {
  constexpr size_t kOffset = 8 + 4;
  uint32_t condemned = 0;
  if (payload.size() < kOffset + sizeof condemned) return false;
  std::memcpy(&condemned, payload.data() + kOffset, sizeof condemned);
  *generation = static_cast<uint8_t>(condemned < 2 ? condemned : 2);
  return true;
}

}  // namespace cairn::collector
