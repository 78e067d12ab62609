#include "viewer/presentation/documents/grow_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "viewer/analysis/growth.h"
#include "viewer/presentation/quantity.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::presentation {
namespace {

using session::GrowingPath;

// To a thousandth.
double PerIteration(std::span<const uint64_t> values, uint64_t iterations) {
  const double growth = analysis::TypicalGrowth(values) / static_cast<double>(iterations);
  return std::round(growth * 1000) / 1000;
}

Json PathFieldsOf(const GrowingPath& path, uint64_t iterations) {
  return {{"fingerprint", path.fingerprint},
          {"type", path.type},
          {"path", path.path},
          {"per_iteration",
           {{"objects", PerIteration(path.objects, iterations)},
            {"bytes", PerIteration(path.bytes, iterations)},
            {"retained", PerIteration(path.retained, iterations)}}},
          {"objects", path.objects},
          {"bytes", path.bytes},
          {"retained", path.retained}};
}

// "150 → 160 → 170".
template <class Write>
std::string Series(const std::vector<uint64_t>& values, Write write) {
  std::string text;
  for (const uint64_t value : values) text += (text.empty() ? "" : " → ") + write(value);
  return text;
}

void WritePath(const GrowingPath& path, uint64_t iterations, TextStyle style, ByteSink& sink) {
  const double retained = PerIteration(path.retained, iterations);
  const std::string size =
      retained < 0 ? "less" : HumanBytes(static_cast<uint64_t>(std::llround(std::max(0.0, retained))));
  sink.Write("\n" + style.Bad("GROWS") + " " +
             style.Bold(fmt::format("{:g} objects of {} an iteration, {} retained",
                                    PerIteration(path.objects, iterations), VisibleText(path.type), size)) +
             "\n");
  sink.Write("  " + VisibleText(path.path) + "\n");
  sink.Write("  objects   " + Series(path.objects, GroupedCount) + "\n");
  sink.Write("  retained  " + Series(path.retained, HumanBytes) + "\n");
  sink.Write(style.Faint("  fingerprint " + VisibleText(path.fingerprint)) + "\n");
}

std::string Verdict(const GrowReport& report) {
  const std::string of =
      fmt::format("{} with {} between two", Counted(report.snapshots.size(), "snapshot", "snapshots"),
                  Counted(report.iterations, "iteration", "iterations"));
  if (!report.complete) return "nothing can be said: a snapshot is incomplete (" + of + ")";
  if (!report.growing.empty())
    return fmt::format("{}: {}", Counted(report.growing.size(), "path grows", "paths grow"), of);
  const bool early = report.snapshots.size() < report.planned_snapshots;
  return "nothing grows: " + of + (early ? "; stopped early" : "");
}

}  // namespace

Json GrowFields(const GrowReport& report, std::optional<uint64_t> top) {
  Json growing = Json::array();
  for (const GrowingPath& path : report.growing) {
    if (top && growing.size() == *top) break;
    growing.push_back(PathFieldsOf(path, report.iterations));
  }
  return {{"ok", report.IsOk()},
          {"iterations", report.iterations},
          {"snapshots", report.snapshots},
          {"growing", std::move(growing)}};
}

void WriteGrowText(const GrowReport& report, std::optional<uint64_t> top, TextStyle style, ByteSink& sink) {
  const size_t shown = static_cast<size_t>(std::min<uint64_t>(report.growing.size(), top.value_or(UINT64_MAX)));
  for (size_t i = 0; i < shown; ++i) WritePath(report.growing[i], report.iterations, style, sink);
  if (shown < report.growing.size())
    sink.Write(style.Faint(fmt::format("… {}", Counted(report.growing.size() - shown, "more path", "more paths"))) +
               "\n");
  const std::string verdict = Verdict(report);
  sink.Write((shown > 0 ? "\n" : "") + (report.IsOk() ? style.Good(verdict) : style.Bad(verdict)) + "\n");
}

}  // namespace cairn::presentation
