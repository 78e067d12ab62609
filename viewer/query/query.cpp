#include "viewer/query/query.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace cairn::query {
namespace {

std::vector<TableShape> Shapes() {
  std::vector<TableShape> shapes;
  for (const auto shape : {ObjectsShape, EdgesShape, TypesShape, FieldsShape, RootsShape, StringsShape, SnapshotsShape})
    shapes.push_back(shape());
  return shapes;
}

// Cancels the work when the time is over, also while a table computes something and SQLite is not asked.
class Deadline {
 public:
  Deadline(analysis::Work& work, std::optional<std::chrono::milliseconds> time) : work_(work) {
    if (time) thread_ = std::thread([this, until = std::chrono::steady_clock::now() + *time] { Wait(until); });
  }
  Deadline(const Deadline&) = delete;
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  bool HasPassed() const { return passed_; }

 private:
  void Wait(std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_until(lock, until, [this] { return done_; })) return;
    passed_ = true;
    work_.Cancel();
  }

  analysis::Work& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::atomic<bool> passed_{false};
  std::thread thread_;
};

}  // namespace

Query::Query(std::span<session::SnapshotSession* const> sessions, analysis::Work& work) : work_(work) {
  for (session::SnapshotSession* session : sessions)
    snapshots_.push_back(std::make_unique<SnapshotData>(*session, static_cast<int64_t>(snapshots_.size()) + 1, work));
  for (TableShape& shape : Shapes()) tables_.push_back(std::make_unique<SessionTable>(std::move(shape), snapshots_));
}

Status Query::Run(const std::string& sql, const sql::QueryLimits& limits, sql::ResultSink& sink) {
  std::vector<sql::VirtualTable*> tables;
  for (const auto& table : tables_) tables.push_back(table.get());
  const Deadline deadline(work_, limits.time);
  Status done = sql::RunReadOnly(
      sql, tables, limits, [this] { return work_.Cancelled(); }, sink);
  if (!done && done.error().code == "cancelled" && deadline.HasPassed())
    return Fail(ErrorKind::kFailed, "query.timeout",
                "the query took longer than " + std::to_string(limits.time->count()) + " ms",
                "Let it look at less, or allow more time with --timeout. A recursion may have no end.");
  return done;
}

uint64_t Query::Visited(const std::string& table) const {
  for (const auto& one : tables_)
    if (one->Name() == table) return one->Visited();
  return 0;
}

std::vector<std::string> Query::Tables() {
  std::vector<std::string> lines;
  for (const TableShape& shape : Shapes()) {
    std::string line = shape.name + "(";
    for (const sql::TableColumn& column : shape.columns) line += (line.back() == '(' ? "" : ", ") + column.name;
    lines.push_back(line + ")");
  }
  return lines;
}

}  // namespace cairn::query
