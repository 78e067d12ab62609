#pragma once
// Watches a process from outside: attaches the collector with an observer (protocol::ObserverKind), sends it what to
// watch, hands over what it says block by block, and ends it in good order: when the time is over, when it is
// cancelled, when whoever takes the blocks has enough, or when the observer is done. What a block means is known to the
// observer's own two halves; this only carries them.
//
//   auto session = ObservationSession::Start(Machine::This(), request, cancel);
//   auto result = (*session)->Run([&](std::span<const uint8_t> block) { ...; return Status(); }, cancel);
//
// Thread rule: Start and Run block their thread; `cancel` may be set from another thread or a signal handler; Order
// from the thread that runs, or before it does. The collector leaves when this object goes, or when this process dies.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collector/client/frame_reader.h"
#include "collector/client/machine.h"
#include "collector/client/posix.h"
#include "collector/client/process_list.h"
#include "collector/client/start_listener.h"
#include "collector/protocol/messages.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct ObservationRequest {
  TargetName target;
  protocol::ObserverKind kind{};
  std::vector<uint8_t> wishes;               // as the observer reads them
  std::chrono::milliseconds duration{0};     // 0: until something else ends it
  std::chrono::milliseconds timeout{60000};  // without any sign of life where one is due
  std::string runtime = "first";             // first | one=VERSION | many
  std::string library;                       // empty: the one that belongs to this program
};

enum class ObservationEnding : uint8_t {
  kDone,
  kDuration,
  kCancelled,
  kRefusedByReader,
  kTargetExited,
  kCutOff,         // by the collector, while the process goes on: this side took nothing for too long
  kTargetStopped,  // and says nothing, so that the end was not waited for
  kRefused         // by the collector in the middle of it: it was out of memory, or worse
};

struct ObservationResult {
  ObservationEnding ending{};
  bool stays = false;            // the collector cannot leave the process any more
  bool is_complete = false;      // everything up to the end was sent; false: the process ended meanwhile, or worse
  bool is_cut = true;            // the collector's last word did not come: what belongs before it is missing
  bool was_away = false;         // this side took nothing for so long that the collector may have given up
  std::optional<Error> refusal;  // of kRefused
  std::chrono::nanoseconds watched{0};
};

// Why it is cut, as a sentence for people; empty where it is not.
std::string WhyCut(const ObservationResult& result);
// The same of one whose parts are nothing without the rest.
Error ErrorOfCut(const ObservationResult& result);

// Ends a trace of methods that runs in the process, and no other observation; its collector stays. False: something
// else is going on there, so that no trace can be.
Result<bool> EndTrace(const Machine& machine, int64_t pid);

class ObservationSession {
 public:
  // Errors: those of a capture's attach; observe.* and the observer's own refusals; observe.cancelled.
  static Result<std::unique_ptr<ObservationSession>> Start(const Machine& machine, const ObservationRequest& request,
                                                           const std::atomic<bool>& cancel);
  // Of a process that waits with its start until this has returned; the request's target is not used. It goes on
  // without where this fails. Errors: target.not_found; the observer's refusals.
  static Result<std::unique_ptr<ObservationSession>> StartWaiting(const Machine& machine, const StartListener& start,
                                                                  WaitingProcess waiting,
                                                                  const ObservationRequest& request,
                                                                  const std::atomic<bool>& cancel);
  ~ObservationSession();

  // The process, as this side sees it.
  int64_t Pid() const { return pid_; }
  // How its blocks' times become times of day, and whether the process can still be left.
  const protocol::Observing& Began() const { return began_; }
  uint64_t RealtimeNs(uint64_t monotonic_ns) const { return began_.realtime_ns + (monotonic_ns - began_.monotonic_ns); }
  // Something for the observer, later than its wishes.
  Status Order(std::span<const uint8_t> order);
  // A snapshot over the same attach: the collector connects to the socket that the options name. From the thread that
  // runs.
  Status AskCapture(const protocol::Options& options);

  // Called whenever the process is found stopped (SIGSTOP, a debugger) where it says nothing.
  void OnStopped(std::function<void()> tell) { on_stopped_ = std::move(tell); }

  // Until the end. An error of `take`, or of `pause`, ends the observation in good order and is given back; stream.*
  // where what comes is damaged. `pause`: nothing more has come for now, so that what was printed may be flushed.
  Result<ObservationResult> Run(const std::function<Status(std::span<const uint8_t>)>& take,
                                const std::function<Status()>& pause, const std::atomic<bool>& cancel);
  Result<ObservationResult> Run(const std::function<Status(std::span<const uint8_t>)>& take,
                                const std::atomic<bool>& cancel) {
    return Run(
        take, [] { return Status(); }, cancel);
  }

 private:
  ObservationSession() = default;
  friend class ObservationAttach;

  Status ReadAll(const std::function<Status(std::span<const uint8_t>)>& take);
  Status Take(const Frame& frame, const std::function<Status(std::span<const uint8_t>)>& take);
  void TakeRefusal(Error refusal);
  void AskForTheEnd(ObservationEnding why);
  bool GivesUp();
  void LookAtSilence();
  ObservationEnding WhyClosed() const;

  UniqueFd stream_;
  FrameReader reader_;
  int64_t pid_ = 0;
  uint64_t sent_ = 0;
  std::chrono::milliseconds duration_{0};
  protocol::Observing began_;
  ObservationResult result_;
  bool asked_ = false;           // for the end
  bool ended_ = false;           // kObservationEnd has come
  bool closed_ = false;          // nothing comes any more
  std::function<char()> state_;  // of the process: R S D T t, X for one that is gone
  std::function<void()> on_stopped_ = [] {};
  bool is_stopped_ = false;
  std::chrono::steady_clock::time_point looked_, heard_, leaves_until_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace cairn::client
