#pragma once
// Calls of methods as they come: one JSON document, CSV record or line of text each, and the sums at the end.
// Thread rule: pure functions and plain data.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

struct TraceCall {
  uint64_t realtime_ns = 0;  // since 1970
  uint32_t thread = 0;       // the system's id
  std::string thread_name;   // empty: not known
  std::string method;
  bool leave = false;
  uint64_t duration_ns = 0;              // of a leave
  std::optional<std::string> exception;  // of a leave; empty: of a type that is not known
};

struct TraceSum {
  std::string method, module;
  std::string not_traced;                            // why; empty: it was
  uint64_t calls = 0, returned = 0, exceptions = 0;  // returned: left in one way or another
  uint64_t total_ns = 0, longest_ns = 0;
};

struct TraceEnd {
  std::vector<TraceSum> sums;
  uint64_t lost_lines = 0, not_counted = 0;
  uint32_t reverted = 0, not_reverted = 0;
  bool complete = true;  // the process was there to the end
};

Json TraceDocument(const TraceCall& call);
Json TraceDocument(const TraceEnd& end);

std::vector<Column> TraceColumns();
std::vector<Cell> TraceCells(const TraceCall& call);

// "09:30:00.123456  4243 worker        < Shop.Order.Save  1.234 ms  System.IO.IOException"
std::string TraceLine(const TraceCall& call);

// Methods by total duration.
class TraceSumTable : public Table {
 public:
  explicit TraceSumTable(std::vector<TraceSum> sums);
  std::vector<Column> Columns() const override;
  uint64_t RowCount() const override { return sums_.size(); }
  std::vector<Cell> Row(uint64_t row) const override;

 private:
  std::vector<TraceSum> sums_;
};

}  // namespace cairn::presentation
