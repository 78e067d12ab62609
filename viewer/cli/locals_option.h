#pragma once
// --ignore-locals, of commands that say what holds objects: whose locals do not count.

#include <string>
#include <vector>

#include "viewer/cli/command_line.h"
#include "viewer/cli/snapshot_output.h"
#include "viewer/session/ignored_locals.h"

namespace cairn::cli {

class LocalsOption {
 public:
  void Configure(CommandLine& line);
  bool IsGiven() const { return !texts_.empty(); }
  // Before any file is opened. Errors: usage.bad_value, those of patterns.
  Status Read();
  // The snapshot without these roots; nothing of it is taken from the cache, nor kept there.
  Result<OpenedSession> Open(const std::string& path) const;

 private:
  Status ReadOne(const std::string& text);

  std::vector<std::string> texts_;
  session::IgnoredLocals locals_;
};

}  // namespace cairn::cli
