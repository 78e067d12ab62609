#pragma once
// What an attach of our own needs: nobody else attaching, the library where the target can read it, a socket on which
// the collector calls, and a number by which it is known.

#include <cstdint>
#include <vector>

#include "collector/client/attach.h"
#include "collector/client/capture_listener.h"
#include "collector/client/capture_lock.h"
#include "collector/client/library_placement.h"
#include "collector/client/ready_target.h"

namespace cairn::client {

struct AttachMeans {
  CaptureLock lock;  // until the attach is over
  PlacedLibrary library;
  CaptureListener listener;
  std::vector<uint8_t> nonce;

  // Errors: those of CaptureLock, PlaceLibrary and CaptureListener.
  static Result<AttachMeans> Take(const Machine& machine, const ReadyTarget& ready);
  Attach With(const ReadyTarget& ready, const protocol::Options& options) const;
};

}  // namespace cairn::client
