#pragma once
// The snapshots that are open, each once.
// Thread rule: every method from any thread.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

class SessionSet {
 public:
  explicit SessionSet(session::SnapshotSession::Options options) : options_(std::move(options)) {
    options_.cache.asked = asked_;
  }

  // Opens it where it is not. Errors: those of SnapshotSession::Open.
  Result<std::shared_ptr<session::SnapshotSession>> Get(const std::string& path);
  // While it lives, somebody asks: results stay in memory.
  std::shared_ptr<void> Asking() {
    ++*asked_;
    return {nullptr, [asked = asked_](void*) { --*asked; }};
  }
  // Held while a query runs: SQLite allows one at a time.
  std::timed_mutex& QueryTurn() { return query_turn_; }
  // Whoever still uses it keeps it; the next Get opens the file anew.
  void Close(const std::string& path);

 private:
  const std::shared_ptr<std::atomic<unsigned>> asked_ = std::make_shared<std::atomic<unsigned>>(0);
  session::SnapshotSession::Options options_;
  std::mutex mutex_;
  std::timed_mutex query_turn_;
  std::map<std::string, std::shared_ptr<session::SnapshotSession>> open_;
};

}  // namespace cairn::presentation
