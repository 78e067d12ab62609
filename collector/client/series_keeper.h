#pragma once
// Which files of a series may stay: the last few, or as many as fit. Knows only files that the series wrote.
// Thread rule: one thread.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace cairn::client {

class SeriesKeeper {
 public:
  SeriesKeeper(std::optional<uint64_t> keep_last, std::optional<uint64_t> max_bytes)
      : keep_last_(keep_last), max_bytes_(max_bytes) {}

  // Takes the newest file; returns the paths that must go for it, oldest first. The newest itself stays always.
  std::vector<std::string> Add(const std::string& path, uint64_t bytes);

 private:
  bool IsOver() const;

  struct File {
    std::string path;
    uint64_t bytes;
  };
  std::optional<uint64_t> keep_last_, max_bytes_;
  std::deque<File> files_;  // oldest first
  uint64_t total_ = 0;
};

}  // namespace cairn::client
