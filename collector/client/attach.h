#pragma once
// Asks the runtime to load the collector, again and again while a background collection is in the way.
// Never blocks: poll Fd() for Events(), call Advance, and look at NextTry for when to wake.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collector/client/diagnostics_ipc.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

class Attach {
 public:
  enum class State { kWaiting, kAsked, kAttached };

  // `beside`: a main profiler is known to be there.
  Attach(IpcAddress address, pid_t target, std::string library, const protocol::Options& options, bool beside = false);

  // To a collector that stays: `ask` sends the order, and there is nothing to wait for.
  explicit Attach(std::function<Status()> ask);

  State Now() const { return state_; }
  // -1 while nothing is asked.
  int Fd() const { return exchange_ ? exchange_->Fd() : -1; }
  short Events() const { return exchange_ ? exchange_->Events() : 0; }
  Clock::time_point NextTry() const { return next_try_; }
  unsigned Tries() const { return tries_; }
  // The runtime said that it has a main profiler, and the collector is loaded beside it: it then takes a full
  // collection's roots from events, or refuses a young one.
  bool Beside() const { return beside_; }
  // The runtime spoke of a main profiler, which may be ours on its way out.
  bool IsActive() const { return active_answers_ > 0; }
  // True when the last try failed because of a background collection or another profiler, and there will be another.
  bool Retrying() const { return state_ == State::kWaiting && tries_ > 0; }

  // Starts a due try, or reads the answer to the one before. Errors: those of HresultError and of
  // diagnostics_ipc.h; attach.concurrent_gc once it was retried for long enough.
  Status Advance();

 private:
  Status Ask();
  Status Judge(const IpcAnswer& answer);
  void GoBeside();
  void TryAgainIn(milliseconds pause);

  IpcAddress address_;
  pid_t target_ = 0;
  std::string library_;
  protocol::Options options_;
  State state_ = State::kWaiting;
  std::optional<IpcExchange> exchange_;
  std::function<Status()> order_;
  unsigned tries_ = 0, active_answers_ = 0;
  bool beside_ = false;
  Clock::time_point next_try_, give_up_;
};

}  // namespace cairn::client
