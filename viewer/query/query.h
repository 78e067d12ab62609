#pragma once
// SQL over snapshots: the tables objects, edges, types, fields, roots, strings and snapshots.
// Thread rule: one query at a time. Ownership: observes sessions and work.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/sql/read_only_query.h"
#include "viewer/query/session_table.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::query {

class Query {
 public:
  // Snapshots are numbered 1, 2, … in the order of `sessions`. `work` cancels it.
  Query(std::span<session::SnapshotSession* const> sessions, analysis::Work& work);

  // Errors: those of sql::RunReadOnly; the time includes what the tables compute.
  Status Run(const std::string& sql, const sql::QueryLimits& limits, sql::ResultSink& sink);

  // Rows of a table that the last runs looked at.
  uint64_t Visited(const std::string& table) const;
  // Every table with its columns, for help: "objects(snapshot, object, …)".
  static std::vector<std::string> Tables();

 private:
  analysis::Work& work_;
  Snapshots snapshots_;
  std::vector<std::unique_ptr<SessionTable>> tables_;
};

}  // namespace cairn::query
