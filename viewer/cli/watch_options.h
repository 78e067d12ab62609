#pragma once
// When the snapshots of a series are taken and which are kept: the options that watch and run share.

#include <chrono>
#include <optional>
#include <string>

#include "collector/client/series_options.h"
#include "viewer/cli/command_line.h"

namespace cairn::cli {

class WatchOptions {
 public:
  void Configure(CommandLine& line);
  // Snapshots for lines on the standard input too, where that is the command's own.
  void ConfigureLines(CommandLine& line);
  // Errors: usage.bad_value, usage.bad_size.
  Result<client::SeriesOptions> Options() const;

 private:
  Status TakeHeapTriggers(client::SeriesOptions& options) const;

  std::string folder_ = ".", grows_, over_, max_disk_;
  std::optional<std::chrono::milliseconds> every_, duration_;
  std::optional<uint64_t> count_, keep_last_;
  bool track_ = false, on_line_ = false;
};

}  // namespace cairn::cli
