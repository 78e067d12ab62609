#pragma once
// Samples allocations of a process and follows the sampled objects to snapshots that are taken meanwhile: the collector
// stays attached, and each snapshot is a capture of its own over the same attach. The collector leaves the process when
// this object goes, or when this process dies.
// Thread rule: everything on the thread of the captures; a thread of its own reads what the collector says.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "collector/client/allocation_profile.h"
#include "collector/client/capture_context.h"
#include "collector/client/capture_session.h"
#include "collector/client/identity_map.h"
#include "collector/client/machine.h"
#include "collector/client/observation_session.h"
#include "collector/client/sampled_objects.h"

namespace cairn::client {

// What following sampled objects costs, for people, before it begins.
const char* PriceOfAllocations();

class AllocationTracker {
 public:
  // Errors: those of an observation.
  static Result<std::unique_ptr<AllocationTracker>> Start(const Machine& machine, const CaptureRequest& request,
                                                          const std::atomic<bool>& cancel);
  ~AllocationTracker();

  // Asks for a snapshot: the collector connects to the socket that the options name. Until Resume nothing is sampled:
  // while a snapshot is taken the runtime may tell of each sample twice. Resume returns when it is sampled again.
  Status Ask(const protocol::Options& options);
  void Resume();
  // At the snapshot whose options had this nonce. Waits for the journal.
  SampledHeap At(std::span<const uint8_t> nonce);
  // The collector is gone.
  std::optional<Error> Ended() const;

 private:
  class Profile final : public AllocationProfile {
   public:
    explicit Profile(AllocationTracker& tracker) : tracker_(tracker) {}
    Status TakeBlock(std::span<const uint8_t> block);
    SampledHeap Describe(const IdentityMap::Followed& followed);

   private:
    struct Origin {
      uint64_t class_id = 0, size = 0;
      uint32_t stack = 0;  // frame
    };
    void OnSample(const protocol::AllocationSample& sample) override;

    AllocationTracker& tracker_;
    std::unordered_map<uint64_t, Origin> origins_;  // by key
  };

  explicit AllocationTracker(std::unique_ptr<ObservationSession> session);
  void Run();
  Status SendOrders();
  void Store(IdentityMap::Followed followed);
  void Begun();
  void Order(protocol::AllocationOrder order);

  std::unique_ptr<ObservationSession> session_;
  Profile profile_;
  IdentityMap identity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<protocol::AllocationOrder> orders_;  // to be sent
  std::optional<protocol::Options> asked_;         // to be sent
  std::optional<IdentityMap::Followed> followed_;  // of the latest snapshot, until asked for
  uint64_t begun_ = 0, resumed_ = 0;               // how often the collector said so, and was asked to
  bool ended_ = false, target_exited_ = false;
  std::optional<Error> refusal_;  // of the collector, in the middle of it
  std::atomic<bool> stop_{false};
  const int64_t pid_;
  std::thread thread_;
};

}  // namespace cairn::client
