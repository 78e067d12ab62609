#pragma once
// Constants of the conversation between the collector inside the target and the client outside it.
// PROTOCOL.md is the page that explains them. Plain data only; both sides are always of one build.

#include <cstddef>
#include <cstdint>

namespace cairn::protocol {

// CLSID {8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}, in the memory layout of a GUID.
inline constexpr uint8_t kCollectorClsid[16] = {0x52, 0x1E, 0x3A, 0x8C, 0x0D, 0x6B, 0x57, 0x4F,
                                                0x9E, 0x4B, 0xC4, 0x1A, 0x12, 0xDD, 0x5A, 0x01};

// The same collector, loaded beside another profiler: {8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A02}.
inline constexpr uint8_t kBesideClsid[16] = {0x52, 0x1E, 0x3A, 0x8C, 0x0D, 0x6B, 0x57, 0x4F,
                                             0x9E, 0x4B, 0xC4, 0x1A, 0x12, 0xDD, 0x5A, 0x02};

inline constexpr uint32_t kProtocolVersion = 2;

// ---- client data of the attach request -------------------------------------------------------------

inline constexpr uint32_t kOptionsMagic = 0x4F4E5243;  // "CRNO"
inline constexpr size_t kNonceBytes = 16;
inline constexpr size_t kSocketPathBytes = 108;  // sun_path, final 0 included

enum class GcRequest : uint8_t { kYoung = 0, kFull = 1 };
enum class WalkMethod : uint8_t { kAuto = 0, kPause = 1, kFork = 2 };
enum class StringCapture : uint8_t { kNone = 0, kHash = 1, kAll = 2 };
enum class SelfCheck : uint8_t { kSample = 0, kFull = 1 };
// What an observation watches (collector/observing). Do not renumber.
enum class ObserverKind : uint8_t {
  kNone = 0,
  kEvents = 1,
  kAllocations = 2,
  kMethods = 3,
  kIds = 4,
  kAllocationCounts = 5,  // from the start of the process only
};

// The option block, copied as it is.
struct Options {
  uint32_t magic = kOptionsMagic;
  uint32_t version = kProtocolVersion;
  uint32_t size = 0;  // sizeof(Options)
  GcRequest gc = GcRequest::kFull;
  WalkMethod method = WalkMethod::kAuto;
  StringCapture strings = StringCapture::kHash;
  SelfCheck self_check = SelfCheck::kSample;
  uint32_t max_pause_ms = 0;       // 0: no limit
  uint32_t client_deadline_ms = 0; // the collector gives up when the client does not read for so long
  // What the client has measured on this machine; 0: nothing yet.
  uint32_t walk_ps_per_object = 0;
  uint32_t fork_ns_per_resident_mib = 0;
  uint8_t values = 0;
  uint8_t light = 0;
  uint8_t track = 0;  // of an attach: stay, and tell what collections do to objects; of kCapture: always 1
  ObserverKind observe = ObserverKind::kNone;  // of an attach: no capture, but an observation
  uint32_t wait_natural_ms = 0;    // young only; 0: as the trigger sees fit (collector/capture/gc_trigger.h)
  uint8_t nonce[kNonceBytes] = {};
  char socket_path[kSocketPathBytes] = {};  // as the target sees it
};
// The end-to-end test of a late attach writes this block by hand.
static_assert(sizeof(Options) == 164);

// ---- frames ----------------------------------------------------------------------------------------

inline constexpr uint32_t kFrameMagic = 0x464E5243;  // "CRNF"
inline constexpr uint32_t kMaxFramePayload = 16u << 20;

// Both directions share one numbering. Do not renumber.
enum class FrameKind : uint16_t {
  // collector → client
  kHello = 1,
  kState = 2,       // progress
  kRanges = 3,
  kTypes = 4,       // layouts and counts, by ranked type id; complete after the last batch
  kChunk = 5,
  kTypeNames = 6,
  kModules = 7,
  kRoots = 8,
  kDependents = 9,
  kThreads = 10,
  kStatics = 11,
  kProblem = 12,
  kWalkEnd = 13,    // totals of the walk and its pause
  kEnd = 14,        // everything was sent; nothing follows
  kRefused = 15,    // nothing was captured and nothing follows
  kDetached = 16,   // the profiler is gone from the target; chunks may still follow
  kNamed = 17,      // everything but the chunks was sent; what comes next may come from the child alone
  kChildWalk = 18,  // of the child, behind its last chunk: what the walk counted
  kMethods = 20,    // code that delegates point to
  kChildEnd = 19,   // how the child ended and what it cost
  kTracking = 21,   // of a collector that stays with its client: it follows collections from here on
  kJournal = 22,    // records of collector/protocol/journal.h
  kObserving = 23,  // of an observation: everything is switched on
  kObserved = 24,   // blocks of its observer: u32 size, bytes, and again
  kObservationEnd = 25,  // nothing is switched on any more, and no block follows
  // client → collector
  kCancel = 64,
  kDetach = 65,     // to a collector that stayed
  kCapture = 66,    // to one that tracks: a snapshot now, over a connection of its own; the payload is an Options block
  kOrder = 67,      // to an observation: first what it is to watch, later what its observer understands
};

// Precedes each payload. `checksum` is CRC-32C of the header with checksum 0, then of the payload.
struct FrameHeader {
  uint32_t magic = kFrameMagic;
  FrameKind kind{};
  uint16_t reserved = 0;
  uint32_t payload_size = 0;
  uint32_t checksum = 0;
  uint64_t sequence = 0;  // 0, 1, 2 … per direction
};
static_assert(sizeof(FrameHeader) == 24);

// ---- states ----------------------------------------------------------------------------------------

// In this order; a capture never goes back. See collector/capture/capture_state_machine.h.
enum class CaptureState : uint8_t {
  kConnected = 0,   // socket open, nothing changed in the runtime yet
  kAttached = 1,    // event mask set; concurrent GC is off
  kArmed = 2,       // prepared; the next matching GC is taken
  kCollecting = 3,  // the GC runs
  kWalking = 4,     // inside GarbageCollectionFinished
  kNaming = 5,      // the application runs again; types and roots get their names
  kSending = 6,     // detach requested; the spool is compressed and sent
  kDone = 7,
  kFailed = 8,
};

inline constexpr const char* StateName(CaptureState state) {
  constexpr const char* kNames[] = {"connected", "attached", "armed",   "collecting", "walking",
                                    "naming",    "sending",  "done", "failed"};
  return static_cast<size_t>(state) < sizeof kNames / sizeof *kNames ? kNames[static_cast<size_t>(state)] : "unknown";
}

}  // namespace cairn::protocol
