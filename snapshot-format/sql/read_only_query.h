#pragma once
// One SQL statement that can read given tables and nothing else: no other file, no setting, no write, no extension;
// within a time and an amount of memory.
// Thread rule: one query at a time in a process, since SQLite bounds memory per process; Cancel from any thread.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"
#include "snapshot-format/sql/virtual_table.h"

namespace cairn::sql {

struct QueryLimits {
  std::optional<std::chrono::milliseconds> time;  // none: as long as it takes
  uint64_t memory_bytes = uint64_t{1} << 30;      // what SQLite holds: sorted, grouped and remembered rows
};

// A row at a time; text is valid until the next one.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void Columns(const std::vector<std::string>& names) = 0;
  // False: enough.
  virtual bool Row(std::span<const Value> cells) = 0;
};

// `is_cancelled` is asked again and again. Errors: query.invalid (kUsage: no SQL, or none of one statement),
// query.refused (kUsage: it would do more than read), query.timeout, query.memory, cancelled, and those of the tables.
Status RunReadOnly(const std::string& sql, std::span<VirtualTable* const> tables, const QueryLimits& limits,
                   const std::function<bool()>& is_cancelled, ResultSink& sink);

}  // namespace cairn::sql
