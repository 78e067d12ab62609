#pragma once
// How a capture is wished for: the options that capture, watch and run share.

#include <chrono>
#include <optional>

#include "collector/client/capture_session.h"
#include "viewer/cli/command_line.h"

namespace cairn::cli {

class CaptureOptions {
 public:
  void Configure(CommandLine& line);
  // All of the request but its target and its output. `full_for`: an option that was given and takes full collections,
  // as --light does; empty: none. Errors: usage.bad_value, usage.conflict.
  Result<client::CaptureRequest> Request(const std::string& full_for = {}) const;

 private:
  enum class Gc { kUnsaid, kYoung, kFull };

  void ConfigureLimits(CommandLine& line);
  Status CheckCollection(const std::string& full_for) const;

  client::CaptureRequest request_;
  Gc gc_ = Gc::kUnsaid;
  std::optional<std::chrono::milliseconds> max_pause_, wait_natural_, timeout_;
};

}  // namespace cairn::cli
