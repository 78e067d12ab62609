#pragma once
// A series whose objects are followed: keeps the collector attached, takes in its journal, and knows at each snapshot
// what became of the objects of the one before. The collector leaves the process when this object goes, or when this
// process dies.
// Thread rule: everything on the thread of the series; a thread of its own reads the journal.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "collector/client/capture_session.h"
#include "collector/client/frame_reader.h"
#include "collector/client/identity_map.h"
#include "collector/client/machine.h"
#include "collector/client/ready_target.h"

namespace cairn::client {

// What following objects costs, for people, before it begins.
const char* PriceOfTracking();

class SeriesTracker {
 public:
  // Attaches. Errors: those of a capture's attach; watch.already_tracked; track.other_profiler and the collector's
  // other refusals.
  static Result<std::unique_ptr<SeriesTracker>> Start(const Machine& machine, const CaptureRequest& request,
                                                      const std::atomic<bool>& cancel);
  ~SeriesTracker();

  // Asks for a snapshot: the collector connects to the socket that the options name.
  Status Ask(const protocol::Options& options);
  // What became of the objects of the snapshot before, at the one whose options had this nonce. Waits for the journal.
  snapshot::Tracking At(std::span<const uint8_t> nonce);
  // The snapshot asked for last is in a file, under this capture.id; without the call the next one has none before it.
  void Kept(const std::string& capture_id);
  // The collector is gone.
  std::optional<Error> Ended() const;

 private:
  SeriesTracker(UniqueFd stream, FrameReader reader, int64_t pid);
  void ReadAll();
  bool ReadOne();
  void TakeRefusal(const Frame& frame);
  void Store(IdentityMap::Followed followed);
  snapshot::Tracking Describe(IdentityMap::Followed followed) const;

  UniqueFd stream_;
  FrameReader reader_;
  const int64_t pid_;
  uint64_t sent_ = 0, asked_marker_ = 0;
  // The latest snapshot that was kept: the base of what follows.
  std::optional<uint64_t> kept_marker_;
  std::string kept_id_;  // its capture.id
  IdentityMap identity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<IdentityMap::Followed> followed_;  // of the latest snapshot, until asked for
  bool ended_ = false;
  std::optional<Error> refusal_;  // of the collector, in the middle of it
  std::thread thread_;
};

}  // namespace cairn::client
