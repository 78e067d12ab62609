#pragma once
// What the runtime's start waits at until an observation watches, or is known not to.
// Thread rule: Shut and Wait by the thread that starts the runtime, Open by the observation's.

#include <condition_variable>
#include <mutex>

namespace cairn::collector {

class StartGate {
 public:
  void Shut();
  // The first word counts. True: somebody waits for this one, and everything is his from here on.
  bool Open(bool watches);
  // The runtime waits with its start.
  bool IsShut();
  // What Open was told.
  bool Wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool shut_ = false, watches_ = false;
};

}  // namespace cairn::collector
