#include "collector/capture/pause_walk.h"

#include <algorithm>

#include "collector/capture/chunk_packer.h"

namespace cairn::collector {

namespace {

void AddTo(WalkReport& total, const WalkReport& part) {
  total.objects += part.objects;
  total.bytes += part.bytes;
  total.free_objects += part.free_objects;
  total.free_bytes += part.free_bytes;
  total.edges += part.edges;
  total.chunks += part.chunks;
  const uint64_t kept = std::min<uint64_t>(part.problem_count, WalkReport::kMaxProblems);
  for (uint64_t i = 0; i < kept; ++i) total.Add(part.problems[i]);
  total.problem_count += part.problem_count - kept;
}

}  // namespace

PauseWalk::PauseWalk(const LayoutPolicy& layout, const Memories& memories)
    : memories_(memories), reports_(memories.size()) {
  for (const auto& memory : memories) walkers_.push_back(std::make_unique<HeapWalker>(layout, *memory));
}

void PauseWalk::Prepare(size_t ranges) {
  order_.Map(ranges);
  const auto helpers = static_cast<unsigned>(walkers_.size()) - 1;
  if (helpers > 0) crew_size_ = crew_.Start(helpers, WorkEntry, this);
  threads_ = MostThreads();
}

// Big ranges first, so that no thread is left with one at the end. Without room they keep their order.
void PauseWalk::SortRanges() {
  is_sorted_ = threads_ > 1 && ranges_.size() <= order_.Capacity();
  if (!is_sorted_) return;
  const std::span<uint32_t> order = order_.First(ranges_.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
    return ranges_[a].length != ranges_[b].length ? ranges_[a].length > ranges_[b].length : a < b;
  });
}

bool PauseWalk::Run(std::span<HeapRange> ranges, WalkReport& report) {
  ranges_ = ranges;
  SortRanges();
  next_ = 0;
  full_ = false;
  if (threads_ > 1) crew_.Call(threads_ - 1);
  Work(0);
  if (threads_ > 1) crew_.Wait();
  report = {};
  for (const WalkReport& part : reports_) AddTo(report, part);
  if (full_) EstimateNeed(report);
  return !full_;
}

void PauseWalk::WorkEntry(void* walk, unsigned member) { static_cast<PauseWalk*>(walk)->Work(member + 1); }

void PauseWalk::Work(unsigned walker) {
  for (uint32_t turn = next_++; turn < ranges_.size() && !full_; turn = next_++) {
    const uint32_t range = RangeAt(turn);
    AddTo(reports_[walker], walkers_[walker]->Walk(ranges_.subspan(range, 1), range));
    if (walkers_[walker]->BytesMissing() != 0) full_ = true;
  }
}

// As much for each byte of the heap as was needed so far.
void PauseWalk::EstimateNeed(const WalkReport& report) {
  uint64_t used = 0, length = 0;
  for (const auto& memory : memories_) used += memory->SpoolUsed();
  for (const HeapRange& range : ranges_) length += range.length;
  const uint64_t walked = std::max<uint64_t>(report.bytes + report.free_bytes, 1);
  bytes_needed_ =
      static_cast<uint64_t>(static_cast<double>(used) * static_cast<double>(length) / static_cast<double>(walked));
}

void PauseWalk::RunThroughApi(std::span<HeapRange> ranges, ObjectInspector& inspector, WalkReport& report) {
  threads_ = 1;
  report = First().WalkThroughApi(ranges, inspector);
}

bool PauseWalk::FinishTypes(std::span<HeapRange>, WalkReport&) {
  for (const auto& walker : walkers_) merged_.Add(walker->Types());
  return true;
}

SendOutcome PauseWalk::Send(ClientChannel& channel, const TypeRanking& ranking, const Between& between,
                            uint64_t* chunks) {
  *chunks = 0;
  for (size_t walker = 0; walker < walkers_.size(); ++walker) {
    std::vector<uint32_t> ranks;
    for (const uint32_t place : merged_.PlacesOf(walker)) ranks.push_back(ranking.Rank(place));
    ChunkPacker packer(ranks);
    SpoolBlock block{};
    WalkMemory& memory = *memories_[walker];
    for (uint64_t at = 0; memory.NextBlock(&at, &block);) {
      const std::vector<uint8_t>* payload = packer.Pack(block);
      if (payload == nullptr) return SendOutcome::kFailed;
      if (!channel.SendFrame(protocol::FrameKind::kChunk, *payload)) return SendOutcome::kClientGone;
      memory.Release(at);
      between(++*chunks);
    }
  }
  return SendOutcome::kSent;
}

}  // namespace cairn::collector
