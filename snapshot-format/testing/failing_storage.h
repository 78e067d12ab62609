#pragma once
// An SQLite VFS that fails on purpose, in front of the system's own. Pass its name to
// SnapshotWriter::Options::vfs. Thread rule: one at a time, one thread.

#include <cstdint>
#include <memory>
#include <string>

namespace cairn::snapshot::testing {

class FailingStorage {
 public:
  enum class Failure : uint8_t { kDiskFull, kInputOutput };

  // Writes from number `fail_at` on (0, 1, 2 …) fail; ~0 for none.
  FailingStorage(Failure failure, uint64_t fail_at);
  ~FailingStorage();
  FailingStorage(const FailingStorage&) = delete;
  FailingStorage& operator=(const FailingStorage&) = delete;

  const std::string& Vfs() const;
  uint64_t Writes() const;  // that were asked for so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::snapshot::testing
