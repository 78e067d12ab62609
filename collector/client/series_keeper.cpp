#include "collector/client/series_keeper.h"

namespace cairn::client {

bool SeriesKeeper::IsOver() const {
  return (keep_last_ && files_.size() > *keep_last_) || (max_bytes_ && total_ > *max_bytes_);
}

std::vector<std::string> SeriesKeeper::Add(const std::string& path, uint64_t bytes) {
  files_.push_back({path, bytes});
  total_ += bytes;
  std::vector<std::string> gone;
  while (files_.size() > 1 && IsOver()) {
    total_ -= files_.front().bytes;
    gone.push_back(files_.front().path);
    files_.pop_front();
  }
  return gone;
}

}  // namespace cairn::client
