#include "viewer/cli/trace_output.h"

#include <fmt/format.h>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/text_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {

using presentation::TraceCall;
using presentation::TraceEnd;
using presentation::TraceSum;

void TraceOutput::Begin() {
  if (console_.format == OutputFormat::kCsv) rows_.Begin(presentation::TraceColumns());
}

Status TraceOutput::Call(const client::LoggedCall& logged, uint64_t realtime_ns) {
  TraceCall call{realtime_ns,  logged.thread->os_id, logged.thread->name, *logged.method,
                 logged.leave, logged.duration_ns,   std::nullopt};
  if (logged.exception != nullptr) call.exception = *logged.exception;
  bool wanted = true;
  if (console_.format == OutputFormat::kJson)
    wanted = out_.Write(presentation::JsonText(presentation::TraceDocument(call)) + "\n");
  else if (console_.format == OutputFormat::kCsv)
    wanted = rows_.Row(presentation::TraceCells(call));
  else
    wanted = out_.Write(presentation::TraceLine(call));
  if (wanted) return {};
  return Fail(ErrorKind::kFailed, "output.closed", "nobody reads what is printed any more");
}

void TraceOutput::End(const client::MethodLog& log, bool complete, bool lines) {
  TraceEnd end;
  const bool has_sums = log.HasTotals() || lines;
  if (has_sums) end.sums = SumsOf(log);
  end.lost_lines = log.Totals().lost_lines;
  end.not_counted = log.Totals().not_counted;
  end.reverted = log.Reverted().reverted;
  end.not_reverted = log.Reverted().refused;
  end.complete = complete;
  if (console_.format == OutputFormat::kJson)
    out_.Write(presentation::JsonText(presentation::TraceDocument(end)) + "\n");
  if (console_.format == OutputFormat::kText && has_sums) {
    presentation::TextTable text(out_, style_);
    out_.Write("\n");
    Emit(presentation::TraceSumTable(end.sums), std::nullopt, text);
  }
  Notes(end);
  if (!has_sums) console_.Note("What was counted is not known any more.");
  if (has_sums && !log.HasTotals()) console_.Note("The sums are those of the calls above.");
}

void TraceOutput::Notes(const TraceEnd& end) {
  using presentation::Counted;
  if (end.lost_lines != 0)
    console_.Note(fmt::format("{} came faster than they could be told; the sums count them.",
                              Counted(end.lost_lines, "line", "lines")));
  if (end.not_counted != 0)
    console_.Note(fmt::format("{} on threads for which there was no room are not counted.",
                              Counted(end.not_counted, "call", "calls")));
  if (end.not_reverted != 0)
    console_.Note(fmt::format("The runtime refused to put {} back.", Counted(end.not_reverted, "method", "methods")));
}

void TraceOutput::List(const client::MethodLog& log) {
  if (console_.format == OutputFormat::kJson) {
    TraceEnd end;
    end.sums = SumsOf(log);
    out_.Write(presentation::JsonText(presentation::TraceDocument(end)) + "\n");
    return;
  }
  for (const protocol::TracedMethod& method : log.Methods()) {
    const std::string why = method.not_traced.empty() ? "" : "  (not traced: " + method.not_traced + ")";
    out_.Write(presentation::VisibleText(method.name + "  " + method.module + why) + "\n");
  }
}

std::vector<TraceSum> TraceOutput::SumsOf(const client::MethodLog& log) {
  std::vector<TraceSum> sums;
  for (const protocol::TracedMethod& method : log.Methods())
    sums.push_back({method.name, method.module, method.not_traced, 0, 0, 0, 0, 0});
  for (const protocol::MethodTotal& total : log.Totals().methods) {
    if (total.method >= sums.size()) continue;
    TraceSum& sum = sums[total.method];
    sum.calls = total.enters;
    sum.returned = total.leaves;
    sum.exceptions = total.exceptions;
    sum.total_ns = total.total_ns;
    sum.longest_ns = total.longest_ns;
  }
  return sums;
}

}  // namespace cairn::cli
