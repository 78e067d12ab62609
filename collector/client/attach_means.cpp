#include "collector/client/attach_means.h"

#include <utility>

#include "collector/client/posix.h"

namespace cairn::client {

Result<AttachMeans> AttachMeans::Take(const Machine& machine, const ReadyTarget& ready) {
  auto lock = CaptureLock::Take(machine, ready.target);
  if (!lock) return tl::make_unexpected(lock.error());
  auto placed = PlaceLibrary(machine, ready.target, ready.library);
  if (!placed) return tl::make_unexpected(placed.error());
  auto listener = CaptureListener::Open(machine, ready.target);
  if (!listener) return tl::make_unexpected(listener.error());
  std::vector<uint8_t> nonce(protocol::kNonceBytes);
  FillRandom(nonce);
  return AttachMeans{std::move(*lock), std::move(*placed), std::move(*listener), std::move(nonce)};
}

Attach AttachMeans::With(const ReadyTarget& ready, const protocol::Options& options) const {
  return Attach(ready.target.Socket(), static_cast<pid_t>(ready.target.pid), library.path, options,
                !ready.other_profiler.empty());
}

}  // namespace cairn::client
