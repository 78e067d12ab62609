#pragma once
// What happens while the application stands still.
// Call-site rule: inside GarbageCollectionFinished with the runtime suspended and this collection's roots
// recorded. Allocates nothing of ours: ranges go into prepared mappings, objects into the touched spool,
// names of short-lived functions into the namer's buffer. What the runtime allocates itself is one handle
// per collectible context; a heap that doubled its ranges since the attach costs one more mapping.

#include <cstdint>

#include "collector/capture/capture_context.h"

namespace cairn::collector {

enum class PauseOutcome : uint8_t {
  kWalked,  // or forked
  kNoBounds,
  kOverLimit,
  kForkFailed,
  kSpoolFull,  // and no fork was possible
};

PauseOutcome WalkInPause(CaptureContext& capture);

}  // namespace cairn::collector
