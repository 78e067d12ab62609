#include "collector/client/sampled_objects.h"

#include <algorithm>

namespace cairn::client {

namespace {

constexpr uint64_t kLargestAlignment = 64;

bool IsIt(const FollowedSample& sample, const snapshot::Type& type, uint64_t size) {
  const bool same_size = sample.size <= size && size - sample.size < kLargestAlignment;
  return type.method_table == sample.class_id && same_size;
}

}  // namespace

SampledObjects::SampledObjects(std::vector<FollowedSample> samples, uint64_t doubtful)
    : samples_(std::move(samples)), doubtful_(doubtful) {
  std::ranges::sort(samples_, {}, &FollowedSample::address);
}

// The chunk's objects are in order of address.
void SampledObjects::Look(const stream::DecodedChunk& chunk, const std::vector<snapshot::Type>& types) {
  if (chunk.addresses.empty()) return;
  auto sample = std::ranges::lower_bound(samples_, chunk.addresses.front(), {}, &FollowedSample::address);
  for (size_t i = 0; i < chunk.addresses.size() && sample != samples_.end(); ++i) {
    while (sample != samples_.end() && sample->address < chunk.addresses[i]) ++sample;
    const bool found = sample != samples_.end() && sample->address == chunk.addresses[i] &&
                       IsIt(*sample, types[chunk.types[i]], chunk.sizes[i]);
    if (found) found_.push_back({sample->address, sample->stack});
  }
}

void SampledObjects::MoveTo(snapshot::Sampling& sampling) {
  std::ranges::sort(found_, {}, &snapshot::AllocatedObject::object);
  const auto same = [](const snapshot::AllocatedObject& a, const snapshot::AllocatedObject& b) {
    return a.object == b.object;
  };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  sampling.unmatched = doubtful_ + samples_.size() - found_.size();
  sampling.objects = std::move(found_);
}

}  // namespace cairn::client
