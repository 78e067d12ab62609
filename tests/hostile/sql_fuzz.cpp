// Any text as a query over a small snapshot: answered or refused, within its time and memory, the snapshot untouched.

#include "tests/hostile/small_snapshot.h"
#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/query/query.h"

namespace {

using namespace cairn;

// Looks at every cell.
class Nowhere final : public sql::ResultSink {
 public:
  void Columns(const std::vector<std::string>& names) override { seen_ += names.size(); }
  bool Row(std::span<const sql::Value> cells) override { return (seen_ += cells.size()) < 100000; }

 private:
  uint64_t seen_ = 0;
};

struct Snapshot {
  Snapshot() {
    if (!hostile::SmallSnapshot().Write(path)) __builtin_trap();
    session = std::move(*session::SnapshotSession::Open(path));
    bytes = snapshot::testing::ReadAll(path);
  }
  std::string path = hostile::ScratchFolder() + "queried.cairn";
  std::unique_ptr<session::SnapshotSession> session;
  std::vector<uint8_t> bytes;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Snapshot snapshot;
  session::SnapshotSession* const sessions[] = {snapshot.session.get()};
  analysis::Work work;
  query::Query query(sessions, work);
  Nowhere sink;
  sql::QueryLimits limits;
  limits.time = std::chrono::milliseconds(50);
  limits.memory_bytes = uint64_t{64} << 20;
  (void)query.Run(std::string(reinterpret_cast<const char*>(data), size), limits, sink);
  static unsigned runs = 0;
  if (++runs % 256 == 0 && snapshot::testing::ReadAll(snapshot.path) != snapshot.bytes) __builtin_trap();
  return 0;
}
