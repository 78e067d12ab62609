#include "viewer/presentation/documents/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/presentation/time_text.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;

double Microseconds(uint64_t ns) { return static_cast<double>(ns) / 1e3; }

// "850 ns", "12.3 us", "1.23 ms", "4.56 s".
std::string Duration(uint64_t ns) {
  if (ns < 1000) return fmt::format("{} ns", ns);
  if (ns < 1'000'000) return fmt::format("{:.1f} us", static_cast<double>(ns) / 1e3);
  if (ns < kNsPerSecond) return fmt::format("{:.2f} ms", static_cast<double>(ns) / 1e6);
  return fmt::format("{:.2f} s", static_cast<double>(ns) / 1e9);
}

std::string ExceptionName(const std::string& type) { return type.empty() ? "(unknown)" : type; }

Json SumDocument(const TraceSum& sum) {
  return {{"method", sum.method},
          {"module", sum.module},
          {"not_traced", sum.not_traced.empty() ? Json(nullptr) : Json(sum.not_traced)},
          {"calls", sum.calls},
          {"returned", sum.returned},
          {"exceptions", sum.exceptions},
          {"total_us", Microseconds(sum.total_ns)},
          {"longest_us", Microseconds(sum.longest_ns)}};
}

}  // namespace

Json TraceDocument(const TraceCall& call) {
  const Json name = call.thread_name.empty() ? Json(nullptr) : Json(call.thread_name);
  return {{"schema", 1},
          {"time", UtcTime(call.realtime_ns)},
          {"thread", {{"os_id", call.thread}, {"managed_id", nullptr}, {"name", name}}},
          {"method", call.method},
          {"phase", call.leave ? "leave" : "enter"},
          {"duration_us", call.leave ? Json(Microseconds(call.duration_ns)) : Json(nullptr)},
          {"exception", call.exception ? Json(ExceptionName(*call.exception)) : Json(nullptr)}};
}

Json TraceDocument(const TraceEnd& end) {
  Json methods = Json::array();
  for (const TraceSum& sum : end.sums) methods.push_back(SumDocument(sum));
  return {{"schema", 1},
          {"methods", std::move(methods)},
          {"lost_lines", end.lost_lines},
          {"not_counted", end.not_counted},
          {"reverted", end.reverted},
          {"not_reverted", end.not_reverted},
          {"complete", end.complete}};
}

std::vector<Column> TraceColumns() {
  return {
      {"time", "Time"},   {"thread", "Thread", Format::kNumber},        {"thread_name", "Name"},   {"method", "Method"},
      {"phase", "Phase"}, {"duration_us", "Duration", Format::kNumber}, {"exception", "Exception"}};
}

std::vector<Cell> TraceCells(const TraceCall& call) {
  return {UtcTime(call.realtime_ns),
          uint64_t{call.thread},
          call.thread_name.empty() ? Cell() : Cell(call.thread_name),
          call.method,
          std::string(call.leave ? "leave" : "enter"),
          call.leave ? Cell(Microseconds(call.duration_ns)) : Cell(),
          call.exception ? Cell(ExceptionName(*call.exception)) : Cell()};
}

std::string TraceLine(const TraceCall& call) {
  std::string line = fmt::format("{} {:>7} {:15} {} {}", LocalTimeOfDay(call.realtime_ns), call.thread,
                                 VisibleText(call.thread_name), call.leave ? '<' : '>', VisibleText(call.method));
  if (call.leave) line += "  " + Duration(call.duration_ns);
  if (call.exception) line += "  " + VisibleText(ExceptionName(*call.exception));
  return line + "\n";
}

TraceSumTable::TraceSumTable(std::vector<TraceSum> sums) : sums_(std::move(sums)) {
  std::ranges::stable_sort(sums_, [](const TraceSum& a, const TraceSum& b) { return a.total_ns > b.total_ns; });
}

std::vector<Column> TraceSumTable::Columns() const {
  return {{"calls", "Calls", Format::kCount},
          {"running", "Running", Format::kCount, Shown::kEverywhere, true},
          {"exceptions", "Exceptions", Format::kCount, Shown::kEverywhere, true},
          {"total", "Total", Format::kText, Shown::kTextOnly},
          {"mean", "Mean", Format::kText, Shown::kTextOnly},
          {"longest", "Longest", Format::kText, Shown::kTextOnly},
          {"method", "Method"},
          {"not_traced", "Not traced", Format::kText, Shown::kEverywhere, true}};
}

std::vector<Cell> TraceSumTable::Row(uint64_t row) const {
  const TraceSum& sum = sums_[row];
  const uint64_t running = sum.calls > sum.returned ? sum.calls - sum.returned : 0;
  return {sum.calls,
          running,
          sum.exceptions,
          Duration(sum.total_ns),
          sum.returned == 0 ? Cell() : Cell(Duration(sum.total_ns / sum.returned)),
          Duration(sum.longest_ns),
          sum.method,
          sum.not_traced.empty() ? Cell() : Cell(sum.not_traced)};
}

}  // namespace cairn::presentation
