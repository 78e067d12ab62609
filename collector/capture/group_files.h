#pragma once
// Small files of /proc and of the control groups: read whole, numbers picked out. Folders are parameters so
// that tests lay them out themselves. Not for the pause.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cairn::collector {

inline constexpr uint64_t kUnknownNumber = ~uint64_t{0};

// Empty where there is no such file.
std::string ReadSmallFile(const std::string& path);

// The first number in `text`; kUnknownNumber for none ("max").
uint64_t FirstNumber(std::string_view text);

// The number behind `key` where that starts a line; kUnknownNumber for none.
uint64_t NumberAfter(std::string_view text, std::string_view key);

// Visits the folder of our group and of each above it, up to `root`. `controllers` as in /proc/self/cgroup: ""
// for version 2. In a container the path may lie outside the mount; then only what is there can be read.
void ForEachGroup(const std::string& proc, const std::string& root, std::string_view controllers,
                  const std::function<void(const std::string& folder)>& visit);

}  // namespace cairn::collector
