#pragma once
// Watches long work from a thread of its own: shows where it is, and cancels it on Ctrl-C.
// Thread rule: made and ended by the thread that works; until Quiet nothing else may print to the standard error.

#include <atomic>
#include <thread>

#include "viewer/analysis/work.h"
#include "viewer/cli/console.h"

namespace cairn::cli {

class WorkMonitor {
 public:
  // Progress is shown of heaps of so many objects that a person would wait.
  WorkMonitor(Console& console, analysis::Work& work, uint64_t objects);
  ~WorkMonitor();
  WorkMonitor(const WorkMonitor&) = delete;
  WorkMonitor& operator=(const WorkMonitor&) = delete;

  // No more progress: results are being printed. Ctrl-C still cancels. Waits until the line is gone.
  void Quiet();

 private:
  void Watch(bool show);

  Console& console_;
  analysis::Work& work_;
  std::atomic<bool> done_{false}, quiet_{false}, silent_{false};
  std::thread thread_;
};

}  // namespace cairn::cli
