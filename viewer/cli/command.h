#pragma once
// One command of the program: what help says of it, its options, and what it does.

#include <memory>
#include <string>
#include <vector>

#include "viewer/cli/command_line.h"
#include "viewer/cli/console.h"

namespace cairn::cli {

inline constexpr int kExitDone = 0, kExitCheckFailed = 1, kExitUsage = 2, kExitFailed = 3, kExitIncomplete = 4;

int ExitCodeOf(const Error& error);

class Command {
 public:
  virtual ~Command() = default;
  virtual CommandText Text() const = 0;
  virtual void Configure(CommandLine& line) = 0;
  // The exit code; an error has printed nothing yet.
  virtual Result<int> Run(Console& console) = 0;
};

}  // namespace cairn::cli
