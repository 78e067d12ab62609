#include "viewer/cli/work_monitor.h"

#include <chrono>

#include "viewer/cli/interrupt.h"
#include "viewer/cli/progress.h"

namespace cairn::cli {
namespace {

// Below this everything is there in the blink of an eye.
constexpr uint64_t kWorthShowing = 1'000'000;
constexpr std::chrono::milliseconds kBetweenLooks(10);

}  // namespace

WorkMonitor::WorkMonitor(Console& console, analysis::Work& work, uint64_t objects) : console_(console), work_(work) {
  CatchInterrupts();
  thread_ = std::thread([this, show = objects >= kWorthShowing] { Watch(show); });
}

WorkMonitor::~WorkMonitor() {
  done_ = true;
  thread_.join();
}

void WorkMonitor::Quiet() {
  quiet_ = true;
  while (!silent_) std::this_thread::yield();
}

void WorkMonitor::Watch(bool show) {
  Progress progress(console_);
  for (; !done_; std::this_thread::sleep_for(kBetweenLooks)) {
    if (Interrupted()) work_.Cancel();
    if (quiet_) {
      progress.Clear();
      silent_ = true;
    } else if (const auto now = work_.Now(); show && *now.stage != '\0') {
      progress.Show(now.stage, now.done, now.total);
    }
  }
  silent_ = true;
}

}  // namespace cairn::cli
