#pragma once
// The last part of a module's path, as people know it.

#include <string>
#include <string_view>

namespace cairn::collector {

inline std::string FileNameOf(std::string_view path) { return std::string(path.substr(path.find_last_of("/\\") + 1)); }

}  // namespace cairn::collector
