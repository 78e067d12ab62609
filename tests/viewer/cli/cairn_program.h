#pragma once
// Runs the real cairn and catches what it says.

#include <string>
#include <vector>

namespace cairn::cli::testing {

struct Outcome {
  int code = -1;  // exit code; -signal where it was killed
  std::string out, err;
};

// Where the standard output goes; kClosedPipe: a reader that has already left; kClosed: there is none.
enum class StandardOutput { kCaught, kClosedPipe, kFullDisk, kClosed };

// In `folder`, without colour. `most_files`: how many may be open; 0: as usual.
Outcome RunCairn(const std::vector<std::string>& arguments, const std::string& folder = ".",
                 StandardOutput output = StandardOutput::kCaught, unsigned most_files = 0);

}  // namespace cairn::cli::testing
