#include "viewer/presentation/pages/session_set.h"

namespace cairn::presentation {

Result<std::shared_ptr<session::SnapshotSession>> SessionSet::Get(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (const auto known = open_.find(path); known != open_.end()) return known->second;
  auto opened = session::SnapshotSession::Open(path, options_);
  if (!opened) return tl::make_unexpected(std::move(opened).error());
  return open_[path] = std::shared_ptr<session::SnapshotSession>(std::move(*opened));
}

void SessionSet::Close(const std::string& path) {
  const std::lock_guard lock(mutex_);
  open_.erase(path);
}

}  // namespace cairn::presentation
