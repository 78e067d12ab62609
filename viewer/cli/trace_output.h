#pragma once
// What a trace of methods prints: each call as it comes, in the form that was asked for, and the sums at the end.
// Thread rule: one thread.

#include <functional>
#include <memory>
#include <vector>

#include "collector/client/method_log.h"
#include "viewer/cli/console.h"
#include "viewer/presentation/documents/trace_lines.h"
#include "viewer/presentation/render/csv_rows.h"

namespace cairn::cli {

class TraceOutput {
 public:
  // `out`: where the calls and sums go, in the console's format; notes go to the console.
  TraceOutput(Console& console, FdSink& out, const presentation::TextStyle& style)
      : console_(console), out_(out), style_(style), rows_(out) {}

  void Begin();
  // Error output.failed when nobody reads any more.
  Status Call(const client::LoggedCall& call, uint64_t realtime_ns);
  // What was printed is seen as it happens. Errors: those of FdSink::Finish.
  Status Flush() { return out_.Finish(); }
  // `lines`: calls were told one by one, so that there are sums of them where the collector's own did not come.
  void End(const client::MethodLog& log, bool complete, bool lines);
  // What the patterns match, without a trace.
  void List(const client::MethodLog& log);

 private:
  static std::vector<presentation::TraceSum> SumsOf(const client::MethodLog& log);
  void Notes(const presentation::TraceEnd& end);

  Console& console_;
  FdSink& out_;
  const presentation::TextStyle style_;
  presentation::CsvRows rows_;
};

}  // namespace cairn::cli
