#include "viewer/presentation/allocations/allocation_document.h"

namespace cairn::presentation {

namespace {

Json SumOf(const snapshot::Sampling& sampling, const AllocationSum& sum) {
  const auto uncertainty = Uncertainty(sampling, sum);
  return {{"bytes", sum.bytes},
          {"objects", sum.objects},
          {"samples", sum.samples},
          {"uncertainty", uncertainty ? Json(*uncertainty) : Json()}};
}

Json StackOf(const snapshot::Sampling& sampling, const AllocationsOfStack& row) {
  Json json{{"frames", FramesOf(sampling, row.stack)}};
  json.update(SumOf(sampling, row.sum));
  return json;
}

Json TypeOf(const snapshot::Sampling& sampling, const AllocationsOfType& row) {
  Json json{{"type", row.type}};
  json.update(SumOf(sampling, row.sum));
  json["exact"] = row.sum.exact;
  Json stacks = Json::array();
  for (const AllocationsOfStack& stack : row.stacks) stacks.push_back(StackOf(sampling, stack));
  json["stacks"] = std::move(stacks);
  return json;
}

template <class Rows, class Make>
void PutRows(JsonDocument& document, const char* key, const Rows& rows, const Make& make) {
  JsonDocument::Elements elements(document, key);
  for (const auto& row : rows)
    if (!elements.Add(make(row))) break;
  elements.Finish();
}

}  // namespace

void PutAllocations(JsonDocument& document, const AllocationReport& report, AllocationsBy by) {
  const snapshot::Sampling& sampling = report.sampling;
  document.Put("seconds", sampling.seconds);
  document.Put("complete", report.complete);
  document.Put("estimated", !report.counted);
  document.Put("source", report.counted ? "counted" : SamplingSourceName(sampling.source));
  PutRows(document, "types", ByType(sampling), [&](const auto& row) { return TypeOf(sampling, row); });
  if (by == AllocationsBy::kStack)
    PutRows(document, "by_stack", ByStack(sampling), [&](const auto& row) { return StackOf(sampling, row); });
  if (by == AllocationsBy::kMethod)
    PutRows(document, "by_method", ByMethod(sampling), [&](const auto& row) {
      Json json{{"method", row.method}};
      json.update(SumOf(sampling, row.own));
      json["bytes_with_callees"] = row.bytes_with_callees;
      return json;
    });
  Json overhead = {{"samples", sampling.samples},           {"dropped", sampling.dropped},
                   {"left_out", report.left_out},           {"one_in", report.one_in},
                   {"without_stack", report.without_stack}, {"taken_ms", report.taken_seconds * 1000}};
  if (report.counted) {
    overhead["taken_ms"] = nullptr;
    overhead["dropped_bytes"] = report.dropped_bytes;
    overhead["dropped_stacks"] = report.dropped_stacks;
  }
  if (!report.has_costs)
    for (const char* unknown : {"left_out", "one_in", "without_stack", "taken_ms"}) overhead[unknown] = nullptr;
  document.Put("overhead", std::move(overhead));
}

}  // namespace cairn::presentation
