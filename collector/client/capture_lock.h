#pragma once
// One capture per process at a time: a lock file beside the placed libraries, gone with this object.

#include <string>

#include "collector/client/target.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

class CaptureLock {
 public:
  // Errors: attach.in_progress, and those of OpenPlacementFolder.
  static Result<CaptureLock> Take(const Machine& machine, const Target& target);
  CaptureLock(CaptureLock&&) = default;
  CaptureLock& operator=(CaptureLock&&) = delete;
  ~CaptureLock();

 private:
  CaptureLock() = default;

  UniqueFd folder_, file_;
  std::string name_;
};

// "capture-PID-STARTTIME.lock"
bool IsLockName(const std::string& name);

}  // namespace cairn::client
