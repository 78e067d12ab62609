#include "viewer/presentation/allocations/allocation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "viewer/presentation/quantity.h"

namespace cairn::presentation {

namespace {

using snapshot::AllocationTotal;
using snapshot::kNoId;
using snapshot::Sampling;
using snapshot::SamplingSource;

constexpr double kNineteenOfTwenty = 1.96;  // deviations

template <class Row, class Key>
void SortBySize(std::vector<Row>& rows, const Key& key) {
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
    return key(a).bytes != key(b).bytes ? key(a).bytes > key(b).bytes : key(a).samples > key(b).samples;
  });
}

std::vector<AllocationsOfStack> Sorted(const std::map<uint32_t, AllocationSum>& sums) {
  std::vector<AllocationsOfStack> rows;
  for (const auto& [stack, sum] : sums) rows.push_back({stack, sum});
  SortBySize(rows, [](const AllocationsOfStack& row) -> const AllocationSum& { return row.sum; });
  return rows;
}

const std::string& MethodOf(const Sampling& sampling, uint32_t frame) {
  return sampling.methods[sampling.frames[frame].method].name;
}

}  // namespace

void AllocationSum::Add(const AllocationTotal& total) {
  samples += total.samples;
  objects += total.objects;
  bytes += total.bytes;
  exact = exact && total.exact;
}

// Of n samples taken with probability p each, the estimate of their number has a deviation of sqrt((1 - p) / n) of it.
// One sample in k halves p as smaller objects would, so that p is what was seen of what there is.
std::optional<double> Uncertainty(const Sampling& sampling, const AllocationSum& sum) {
  if (sum.exact) return 0;
  if (sampling.source == SamplingSource::kTicks || sum.samples == 0) return std::nullopt;
  const double samples = static_cast<double>(sum.samples);
  const double seen = samples / static_cast<double>(std::max(sum.objects, sum.samples));
  return kNineteenOfTwenty * std::sqrt((1 - seen) / samples);
}

std::string UncertaintyWords(const Sampling& sampling, const AllocationSum& sum) {
  if (sum.samples == 0) return "";
  if (sum.exact) return "exact";
  const auto uncertainty = Uncertainty(sampling, sum);
  return uncertainty ? fmt::format("{:.0f} %", std::min(100 * *uncertainty, 999.0)) : "?";
}

std::string ShareWords(const AllocationSum& sum, uint64_t whole) {
  return fmt::format("{:.1f} %",
                     100 * static_cast<double>(sum.bytes) / static_cast<double>(std::max<uint64_t>(whole, 1)));
}

std::vector<AllocationsOfType> ByType(const Sampling& sampling) {
  std::map<std::string, std::pair<AllocationSum, std::map<uint32_t, AllocationSum>>> sums;
  for (const AllocationTotal& total : sampling.totals) {
    auto& [all, by_stack] = sums[total.type];
    all.Add(total);
    by_stack[total.stack].Add(total);
  }
  std::vector<AllocationsOfType> rows;
  for (const auto& [type, both] : sums) rows.push_back({type, both.first, Sorted(both.second)});
  SortBySize(rows, [](const AllocationsOfType& row) -> const AllocationSum& { return row.sum; });
  return rows;
}

std::vector<AllocationsOfStack> ByStack(const Sampling& sampling) {
  std::map<uint32_t, AllocationSum> sums;
  for (const AllocationTotal& total : sampling.totals) sums[total.stack].Add(total);
  return Sorted(sums);
}

std::vector<AllocationsOfMethod> ByMethod(const Sampling& sampling) {
  std::map<std::string, AllocationsOfMethod> rows;
  for (const AllocationTotal& total : sampling.totals) {
    std::unordered_set<uint32_t> seen;
    for (uint32_t frame = total.stack; frame != kNoId; frame = sampling.frames[frame].parent) {
      AllocationsOfMethod& row = rows[MethodOf(sampling, frame)];
      if (frame == total.stack) row.own.Add(total);
      if (seen.insert(sampling.frames[frame].method).second) row.bytes_with_callees += total.bytes;
    }
  }
  std::vector<AllocationsOfMethod> sorted;
  for (auto& [name, row] : rows) {
    row.method = name;
    row.own.exact = row.own.exact && row.own.samples > 0;
    sorted.push_back(std::move(row));
  }
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
    return a.own.bytes != b.own.bytes ? a.own.bytes > b.own.bytes : a.bytes_with_callees > b.bytes_with_callees;
  });
  return sorted;
}

uint64_t AllocatedBytes(const Sampling& sampling) {
  uint64_t bytes = 0;
  for (const AllocationTotal& total : sampling.totals) bytes += total.bytes;
  return bytes;
}

std::vector<std::string> FramesOf(const Sampling& sampling, uint32_t stack) {
  std::vector<std::string> names;
  bool cut = false;
  for (uint32_t frame = stack; frame != kNoId; frame = sampling.frames[frame].parent) {
    names.push_back(MethodOf(sampling, frame));
    cut = sampling.frames[frame].cut;
  }
  if (cut) names.push_back("(more frames)");
  return names;
}

std::string StackLine(const Sampling& sampling, uint32_t stack, size_t most) {
  const std::vector<std::string> names = FramesOf(sampling, stack);
  std::string line;
  for (size_t i = 0; i < names.size() && i < most; ++i) line += (i == 0 ? "" : " < ") + names[i];
  if (names.size() > most) line += " < …";
  return line;
}

const char* SamplingSourceName(SamplingSource source) { return source == SamplingSource::kTicks ? "ticks" : "samples"; }

std::string SamplingWords(const Sampling& sampling) {
  if (sampling.source == SamplingSource::kTicks)
    return "approximate: by ticks, whose shares may be off by much; large objects exactly";
  return fmt::format("estimated without bias: one allocation in a mean of {} bytes, at random",
                     GroupedCount(sampling.mean_bytes));
}

namespace {

uint64_t ObjectsOfCutStacks(const Sampling& sampling) {
  uint64_t objects = 0;
  for (const AllocationTotal& total : sampling.totals) {
    uint32_t frame = total.stack;
    while (sampling.frames[frame].parent != kNoId) frame = sampling.frames[frame].parent;
    if (sampling.frames[frame].cut) objects += total.objects;
  }
  return objects;
}

std::vector<std::string> CountNotes(const AllocationReport& report) {
  const Sampling& sampling = report.sampling;
  std::vector<std::string> notes = {
      fmt::format("exact: every allocation in {:.1f} s was counted, {} objects", sampling.seconds, sampling.samples)};
  if (sampling.dropped > 0)
    notes.push_back(
        fmt::format("INCOMPLETE: {} objects of together {} bytes stand in no row, since there were more types and "
                    "stacks than there is room for in the process",
                    sampling.dropped, report.dropped_bytes));
  if (report.dropped_stacks > 0)
    notes.push_back(
        fmt::format("INCOMPLETE: {} objects stand under no stack, since there were more stacks than there "
                    "is room for in the process",
                    report.dropped_stacks));
  if (report.without_stack > 0)
    notes.push_back(fmt::format("the runtime did not tell the stack of {} objects", report.without_stack));
  if (const uint64_t cut = ObjectsOfCutStacks(sampling); cut > 0)
    notes.push_back(fmt::format("of {} objects only the innermost frames of the stack were kept (--depth)", cut));
  return notes;
}

}  // namespace

std::vector<std::string> AllocationNotes(const AllocationReport& report) {
  if (report.counted) return CountNotes(report);
  const Sampling& sampling = report.sampling;
  const double seconds = std::max(sampling.seconds, 1e-3);
  std::vector<std::string> notes;
  if (sampling.source == SamplingSource::kTicks)
    notes.push_back(
        "approximate: this runtime tells of allocations by ticks, whose shares may be off by much; large "
        "objects are counted exactly (.NET 10 samples without bias)");
  std::string taken =
      fmt::format("{} samples in {:.1f} s, {} dropped", sampling.samples, sampling.seconds, sampling.dropped);
  if (report.has_costs)
    taken += fmt::format("; they took {:.2f} % of one core from the application", 100 * report.taken_seconds / seconds);
  notes.push_back(std::move(taken));
  if (report.left_out > 0)
    notes.push_back(
        fmt::format("to stay below the limit, {} samples were not looked at: up to {} stand behind each "
                    "(--max-overhead)",
                    report.left_out, report.one_in));
  if (report.without_stack > 0)
    notes.push_back(fmt::format("the runtime did not tell the stack of {} samples", report.without_stack));
  return notes;
}

}  // namespace cairn::presentation
