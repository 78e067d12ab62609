#pragma once
// A comparison is of the earlier with the later, in whatever order somebody chose them.
// Thread rule: a function that reads the small tables of each file.

#include <string>
#include <vector>

namespace cairn::presentation {

// The earliest first, as the files tell; at the same time, and where one does not tell, as they are given.
std::vector<std::string> InCaptureOrder(std::vector<std::string> files);

}  // namespace cairn::presentation
