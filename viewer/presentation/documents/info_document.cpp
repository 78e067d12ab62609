#include "viewer/presentation/documents/info_document.h"

#include <cmath>

#include "viewer/presentation/allocations/allocation_report.h"
#include "viewer/presentation/documents/imported.h"
#include "viewer/presentation/documents/problems.h"

namespace cairn::presentation {
namespace {

// Three decimals: a microsecond is the finest that the clocks of a capture can tell.
double Rounded(double ms) { return std::round(ms * 1000) / 1000; }

Json ProcessFields(const snapshot::Process& process) {
  return {{"pid", process.pid},         {"name", process.name},       {"command_line", process.command_line},
          {"runtime", process.runtime}, {"gc_mode", process.gc_mode}, {"architecture", process.architecture}};
}

Json TotalFields(const snapshot::Summary& summary) {
  const snapshot::Totals& totals = summary.totals;
  return {{"objects", totals.objects},       {"bytes", totals.bytes}, {"free_objects", totals.free_objects},
          {"free_bytes", totals.free_bytes}, {"edges", totals.edges}, {"types", totals.types},
          {"roots_count", totals.roots}};
}

Json PauseFields(const snapshot::Pause& pause) {
  return {{"total", Rounded(pause.total_ms)}, {"suspend", Rounded(pause.suspend_ms)}, {"gc", Rounded(pause.gc_ms)},
          {"roots", Rounded(pause.roots_ms)}, {"walk", Rounded(pause.walk_ms)},       {"fork", Rounded(pause.fork_ms)}};
}

Json MemoryFields(const snapshot::Memory& memory) {
  return {{"rss_bytes", memory.rss_bytes},
          {"gc_committed_bytes", memory.gc_committed_bytes},
          {"limit_bytes", memory.limit_bytes ? Json(*memory.limit_bytes) : Json(nullptr)},
          {"copied_bytes", memory.copied_bytes}};
}

Json CaptureFields(const snapshot::Capture& capture) {
  const double off_ms = capture.concurrent_gc_off_ms;
  return {{"roots", capture.roots},
          {"gc_requested", capture.gc_requested},
          {"gc_actual", capture.gc_actual},
          {"method", capture.method},
          {"threads", capture.threads},
          {"pause_ms", PauseFields(capture.pause_ms)},
          {"concurrent_gc_off_ms", off_ms < 0 ? Json(nullptr) : Json(Rounded(off_ms))},
          {"child_ms", Rounded(capture.child_ms)},
          {"elapsed_ms", Rounded(capture.elapsed_ms)},
          {"contents", {{"strings", capture.strings}, {"values", capture.values}}},
          {"memory", MemoryFields(capture.memory)}};
}

Json GenerationFields(const std::vector<snapshot::Range>& ranges) {
  Json generations = Json::array();
  const auto totals = snapshot::TotalsByGeneration(ranges);
  for (size_t i = 0; i < totals.size(); ++i)
    generations.push_back({{"name", snapshot::GenerationName(static_cast<snapshot::Generation>(i))},
                           {"objects", totals[i].objects},
                           {"bytes", totals[i].bytes},
                           {"free_objects", totals[i].free_objects},
                           {"free_bytes", totals[i].free_bytes},
                           {"ranges", totals[i].ranges}});
  return generations;
}

// Of a file of another tool these would be made up.
constexpr const char* kOfCapture[] = {"free_objects", "free_bytes", "gc_requested", "gc_actual",
                                      "method",       "threads",    "pause_ms",     "concurrent_gc_off_ms",
                                      "child_ms",     "elapsed_ms", "reconciled"};

Json VerifiedFields(const snapshot::VerifyReport& report) {
  return {{"frames", report.frames}, {"objects", report.objects}, {"edges", report.edges}, {"errors", report.errors}};
}

Json TrackingFields(const snapshot::Tracking& tracking) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"previous", text_or_null(tracking.previous)},
          {"lost", text_or_null(tracking.lost)},
          {"collections", tracking.collections},
          {"background", tracking.background}};
}

Json SamplingFields(const snapshot::Sampling& sampling) {
  return {{"source", SamplingSourceName(sampling.source)},
          {"seconds", sampling.seconds},
          {"mean_bytes", sampling.mean_bytes},
          {"samples", sampling.samples},
          {"dropped", sampling.dropped},
          {"objects", sampling.objects.size()},
          {"unmatched", sampling.unmatched},
          {"lost", sampling.lost.empty() ? Json() : Json(sampling.lost)}};
}

}  // namespace

Json InfoFields(const InfoDocument& document) {
  const snapshot::Summary& summary = *document.summary;
  const NamedSummary named{document.path, &summary, {}};
  Json fields = {{"snapshot", document.path}};
  fields.update(CompletenessFields({&named, 1}));
  fields["process"] = ProcessFields(summary.process);
  fields.update(TotalFields(summary));
  fields.update(CaptureFields(summary.capture));
  fields["file_bytes"] = document.file_bytes;
  fields["generations"] = GenerationFields(summary.ranges);
  fields["reconciled"] = {{"source", summary.capture.reconciled_source},
                          {"difference_bytes", summary.capture.reconciled_difference_bytes}};
  if (IsImported(summary)) {
    for (const char* field : kOfCapture) fields[field] = nullptr;
    for (Json& generation : fields["generations"]) generation["free_objects"] = generation["free_bytes"] = nullptr;
  }
  if (summary.tracking) fields["tracking"] = TrackingFields(*summary.tracking);
  if (summary.sampling) fields["sampling"] = SamplingFields(*summary.sampling);
  if (document.verified) fields["verified"] = VerifiedFields(*document.verified);
  return fields;
}

}  // namespace cairn::presentation
