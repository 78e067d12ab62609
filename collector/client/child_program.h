#pragma once
// A program started by us, with our own standard input and output, and how it ended.
// Thread rule: one thread.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::client {

// The variables of this process, "NAME=value".
std::vector<std::string> OwnEnvironment();

class ChildProgram {
 public:
  // Looked for on PATH, and started with these variables ("NAME=value"). Error run.not_started.
  static Result<ChildProgram> Start(const std::vector<std::string>& command,
                                    const std::vector<std::string>& environment);
  // With our own.
  static Result<ChildProgram> Start(const std::vector<std::string>& command);

  pid_t Pid() const { return pid_; }
  // Has it ended? Its process id stays its own until Reap.
  bool HasEnded() const;
  // Waits for its end. Its exit code; 128 and the signal's number where one killed it.
  int Reap();

 private:
  explicit ChildProgram(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

}  // namespace cairn::client
