#pragma once
// From arguments to exit code.

#include <string>
#include <vector>

namespace cairn::cli {

// `arguments` without the program's name. The one place that turns errors into words and exit codes.
int RunProgram(const std::vector<std::string>& arguments);

}  // namespace cairn::cli
