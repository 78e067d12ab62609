#pragma once
// Several snapshots of one process: `cairn watch`, and `cairn run` once the process is there.
// Thread rule: blocks its thread; `cancel` may be set from another thread or a signal handler.

#include <atomic>
#include <optional>

#include "collector/client/capture_session.h"
#include "collector/client/machine.h"
#include "collector/client/series_loop.h"
#include "collector/client/series_options.h"

namespace cairn::client {

struct SeriesRequest {
  CaptureRequest capture;  // its output is not used
  SeriesOptions options;
};

// Errors where no snapshot was taken: those of Capture; watch.no_limit (a share of a limit that is not there);
// output.no_folder, output.unwritable.
Result<SeriesResult> WatchSeries(const SeriesRequest& request, const SeriesEvents& events,
                                 const std::function<void(const CaptureProgress&)>& progress,
                                 const std::atomic<bool>& cancel);
Result<SeriesResult> WatchSeriesOn(const Machine& machine, const SeriesRequest& request, const SeriesEvents& events,
                                   const std::function<void(const CaptureProgress&)>& progress,
                                   const std::atomic<bool>& cancel);

// Makes the folder where it is missing.
Status PrepareFolder(const std::string& folder);

// Names of a series' files: FOLDER/NAME_PID_yyyyMMdd_HHmmss_0001.cairn. They sort in the order in which they were
// taken, also when the clock is set back.
class SeriesNames {
 public:
  SeriesNames(std::string folder, std::string name, int64_t pid)
      : folder_(std::move(folder)), name_(std::move(name)), pid_(pid) {}
  // A path where no file is.
  std::string Next(std::time_t now);

 private:
  std::string folder_, name_;
  int64_t pid_;
  std::time_t latest_ = 0;
  uint64_t number_ = 0;
};

}  // namespace cairn::client
