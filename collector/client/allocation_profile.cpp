#include "collector/client/allocation_profile.h"

#include <algorithm>
#include <cmath>

#include "snapshot-format/stream/records.h"

namespace cairn::client {

namespace {

using protocol::AllocationBlock;
using snapshot::kNoId;

constexpr uint32_t kMostNumber = 1u << 24;
const std::string kNoStack = "(stack not known)";
const std::string kNoMethod = "(method not known)";
const std::string kNoType = "(type not known)";

Status Damaged() {
  return Fail(ErrorKind::kFailed, "stream.block", "What the collector says of allocations is damaged.",
              "Try again; if it stays, report it.");
}

template <class Message>
bool Read(std::span<const uint8_t> bytes, Message* message) {
  stream::RecordReader reader(bytes);
  reader(*message);
  return reader.Complete();
}

uint64_t Rounded(double value) { return static_cast<uint64_t>(std::llround(std::max(value, 0.0))); }

}  // namespace

double SampledShare(uint64_t size, uint64_t mean_bytes) {
  return -std::expm1(-static_cast<double>(size) / static_cast<double>(mean_bytes));
}

Status AllocationProfile::Take(std::span<const uint8_t> block) {
  if (block.empty()) return Damaged();
  const auto rest = block.subspan(1);
  const auto take = [&](auto message, auto function) {
    return Read(rest, &message) ? (this->*function)(message) : Damaged();
  };
  switch (static_cast<AllocationBlock>(block[0])) {
    case AllocationBlock::kBegun:
      return Read(rest, &begun_) && (begun_.mean_bytes != 0 || IsCounted()) ? Status() : Damaged();
    case AllocationBlock::kType:
      return take(protocol::AllocationType(), &AllocationProfile::TakeType);
    case AllocationBlock::kMethod:
      return take(protocol::AllocationMethod(), &AllocationProfile::TakeMethod);
    case AllocationBlock::kStack:
      return take(protocol::AllocationStack(), &AllocationProfile::TakeStack);
    case AllocationBlock::kSamples:
      return take(protocol::AllocationSamples(), &AllocationProfile::TakeSamples);
    case AllocationBlock::kCosts:
      return Read(rest, &costs_) ? Status() : Damaged();
    case AllocationBlock::kJournal:
      return {};
    case AllocationBlock::kCounts:
      return take(protocol::AllocationCounts(), &AllocationProfile::TakeCounts);
    case AllocationBlock::kCountCosts:
      return Read(rest, &count_costs_) ? Status() : Damaged();
  }
  return Damaged();
}

Status AllocationProfile::TakeType(const protocol::AllocationType& type) {
  if (type.number >= kMostNumber) return Damaged();
  if (type.number >= types_.size()) types_.resize(type.number + 1);
  types_[type.number] = type;
  return {};
}

Status AllocationProfile::TakeMethod(const protocol::AllocationMethod& method) {
  if (method.number >= kMostNumber) return Damaged();
  if (method.number >= methods_.size()) methods_.resize(method.number + 1, kNoId);
  methods_[method.number] = MethodNamed(method.name.empty() ? kNoMethod : method.name);
  return {};
}

// Overloads and compilations of one name are one.
uint32_t AllocationProfile::MethodNamed(const std::string& name) {
  const auto [at, is_new] = method_ids_.try_emplace(name, static_cast<uint32_t>(method_names_.size()));
  if (is_new) method_names_.push_back({name});
  return at->second;
}

AllocationProfile::Frame AllocationProfile::AddFrame(Frame parent, uint32_t method, bool cut) {
  const auto [at, is_new] = frame_ids_.try_emplace({parent, method, cut}, static_cast<Frame>(frames_.size()));
  if (is_new) frames_.push_back({parent, method, cut});
  return at->second;
}

// From the outermost frame inwards.
Status AllocationProfile::TakeStack(const protocol::AllocationStack& stack) {
  if (stack.number >= kMostNumber) return Damaged();
  Frame frame = kNoId;
  for (auto number = stack.methods.rbegin(); number != stack.methods.rend(); ++number) {
    const bool known = *number < methods_.size() && methods_[*number] != kNoId;
    frame = AddFrame(frame, known ? methods_[*number] : MethodNamed(kNoMethod), frame == kNoId && stack.cut);
  }
  if (stack.number >= stacks_.size()) stacks_.resize(stack.number + 1, kNoId);
  stacks_[stack.number] = frame;
  return {};
}

AllocationProfile::Frame AllocationProfile::FrameOf(uint32_t stack) {
  if (stack < stacks_.size() && stacks_[stack] != kNoId) return stacks_[stack];
  return AddFrame(kNoId, MethodNamed(kNoStack), false);
}

Status AllocationProfile::TakeSamples(const protocol::AllocationSamples& samples) {
  if (begun_.mean_bytes == 0) return Damaged();
  for (const protocol::AllocationSample& sample : samples.samples) {
    Add(sample);
    OnSample(sample);
  }
  return {};
}

void AllocationProfile::Add(const protocol::AllocationSample& sample) {
  const double size = std::max(static_cast<double>(sample.size), 1.0);
  double objects = 1;
  if (!sample.exact && begun_.source == protocol::AllocationSource::kSamples)
    objects = sample.one_in / SampledShare(std::max<uint64_t>(sample.size, 1), begun_.mean_bytes);
  else if (!sample.exact)
    objects = static_cast<double>(sample.amount) * sample.one_in / size;
  const uint32_t type = sample.type < types_.size() ? sample.type : 0;
  Sum& sum = totals_[{type, FrameOf(sample.stack), sample.exact}];
  ++sum.samples;
  sum.objects += objects;
  sum.bytes += objects * size;
}

Status AllocationProfile::TakeCounts(const protocol::AllocationCounts& counts) {
  if (!IsCounted()) return Damaged();
  for (const protocol::AllocationCount& count : counts.counts) {
    Count& sum = counts_[{count.type < types_.size() ? count.type : 0, FrameOf(count.stack)}];
    sum.objects += count.objects;
    sum.bytes += count.bytes;
  }
  return {};
}

const std::string& AllocationProfile::TypeNamed(uint32_t type) const {
  return type < types_.size() && !types_[type].name.empty() ? types_[type].name : kNoType;
}

snapshot::Sampling AllocationProfile::Summarize() const {
  const bool counted = IsCounted();
  snapshot::Sampling sampling;
  sampling.source = begun_.source == protocol::AllocationSource::kTicks ? snapshot::SamplingSource::kTicks
                                                                        : snapshot::SamplingSource::kSamples;
  sampling.seconds = static_cast<double>(counted ? count_costs_.elapsed_ns : costs_.elapsed_ns) / 1e9;
  sampling.mean_bytes = begun_.mean_bytes;
  sampling.samples = counted ? count_costs_.objects : costs_.samples;
  sampling.dropped = counted ? count_costs_.dropped_objects : costs_.dropped;
  sampling.methods = method_names_;
  sampling.frames = frames_;
  for (const auto& [key, sum] : totals_) {
    const auto& [type, frame, exact] = key;
    sampling.totals.push_back({TypeNamed(type), frame, sum.samples, Rounded(sum.objects), Rounded(sum.bytes), exact});
  }
  for (const auto& [key, sum] : counts_)
    sampling.totals.push_back({TypeNamed(key.first), key.second, sum.objects, sum.objects, sum.bytes, true});
  std::ranges::stable_sort(sampling.totals, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return sampling;
}

}  // namespace cairn::client
