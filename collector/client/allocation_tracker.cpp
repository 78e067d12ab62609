#include "collector/client/allocation_tracker.h"

#include <cstring>
#include <utility>

#include "snapshot-format/stream/records.h"

namespace cairn::client {

namespace {

constexpr milliseconds kJournalWithin{60000};  // behind the marker of its snapshot
constexpr milliseconds kResumesWithin{10000};
constexpr size_t kMostOrigins = size_t{8} << 20;

uint64_t MarkerOf(std::span<const uint8_t> nonce) {
  uint64_t marker = 0;
  std::memcpy(&marker, nonce.data(), sizeof marker);
  return marker;
}

}  // namespace

const char* PriceOfAllocations() {
  return "sampling allocations: about 1.3 µs for each 100 KB that are allocated, at most 2 % of one core; each "
         "snapshot "
         "takes a full blocking collection, during which the runtime also reports every object by an event (30 to 50 "
         "ns "
         "each); every background collection pauses the application for about 5 ns an object longer, every full "
         "blocking "
         "one for about half as long again; up to 64 MiB in the application for the journal. Concurrent collections "
         "stay on.";
}

Result<std::unique_ptr<AllocationTracker>> AllocationTracker::Start(const Machine& machine,
                                                                    const CaptureRequest& request,
                                                                    const std::atomic<bool>& cancel) {
  protocol::AllocationWishes wishes;
  wishes.follow = true;
  stream::RecordWriter writer;
  writer(wishes);
  ObservationRequest observation;
  observation.target = request.target;
  observation.kind = protocol::ObserverKind::kAllocations;
  observation.wishes = writer.Take();
  observation.timeout = request.timeout;
  observation.runtime = request.runtime;
  observation.library = request.library;
  auto session = ObservationSession::Start(machine, observation, cancel);
  if (!session) return tl::make_unexpected(session.error());
  return std::unique_ptr<AllocationTracker>(new AllocationTracker(std::move(*session)));
}

AllocationTracker::AllocationTracker(std::unique_ptr<ObservationSession> session)
    : session_(std::move(session)),
      profile_(*this),
      identity_([this](IdentityMap::Followed followed) { Store(std::move(followed)); }, IdentityMap::Follows::kSamples),
      pid_(session_->Pid()),
      thread_([this] { Run(); }) {}

// In good order, so that the collector is gone when this returns.
AllocationTracker::~AllocationTracker() {
  stop_ = true;
  thread_.join();
}

// ---- the thread ------------------------------------------------------------------------------------

void AllocationTracker::Run() {
  const auto take = [this](std::span<const uint8_t> block) {
    const std::lock_guard lock(mutex_);
    return profile_.TakeBlock(block);
  };
  const auto result = session_->Run(
      take, [this] { return SendOrders(); }, stop_);
  const std::lock_guard lock(mutex_);
  refusal_ = result ? result->refusal : std::nullopt;
  target_exited_ = result && result->ending == ObservationEnding::kTargetExited;
  ended_ = true;
  changed_.notify_all();
}

Status AllocationTracker::SendOrders() {
  const std::lock_guard lock(mutex_);
  for (const protocol::AllocationOrder order : std::exchange(orders_, {})) {
    const auto byte = static_cast<uint8_t>(order);
    (void)session_->Order({&byte, 1});
  }
  if (const auto asked = std::exchange(asked_, std::nullopt)) (void)session_->AskCapture(*asked);
  return {};
}

Status AllocationTracker::Profile::TakeBlock(std::span<const uint8_t> block) {
  const auto is = [&](protocol::AllocationBlock kind) {
    return !block.empty() && block[0] == static_cast<uint8_t>(kind);
  };
  if (is(protocol::AllocationBlock::kBegun)) tracker_.Begun();
  if (!is(protocol::AllocationBlock::kJournal)) return Take(block);
  if (tracker_.identity_.Read(block.subspan(1))) return {};
  return Fail(ErrorKind::kFailed, "stream.block", "The journal of collections is damaged.",
              "Try again; if it stays, report it.");
}

// What cannot be remembered any more is not followed.
void AllocationTracker::Profile::OnSample(const protocol::AllocationSample& sample) {
  if (origins_.size() < kMostOrigins) origins_[sample.key] = {ClassOf(sample.type), sample.size, FrameOf(sample.stack)};
}

SampledHeap AllocationTracker::Profile::Describe(const IdentityMap::Followed& followed) {
  SampledHeap heap;
  heap.sampling = Summarize();
  heap.sampling.lost = followed.lost;
  std::unordered_map<uint64_t, Origin> alive;
  for (const snapshot::IdentityRange& range : followed.ranges) {
    const uint64_t key = range.from >> IdentityMap::kOriginShift;
    const auto origin = origins_.find(key);
    const bool whole = origin != origins_.end() && range.from == IdentityMap::OriginOf(key) &&
                       range.length == origin->second.size && origin->second.class_id != 0;
    if (whole) alive.insert(*origin);
    if (whole && range.certain)
      heap.samples.push_back({range.to, origin->second.class_id, origin->second.size, origin->second.stack});
    else
      ++heap.doubtful;
  }
  origins_ = std::move(alive);  // the others are dead
  return heap;
}

void AllocationTracker::Begun() {
  ++begun_;
  changed_.notify_all();
}

void AllocationTracker::Store(IdentityMap::Followed followed) {
  followed_ = std::move(followed);
  changed_.notify_all();
}

// ---- the captures ----------------------------------------------------------------------------------

void AllocationTracker::Order(protocol::AllocationOrder order) {
  const std::lock_guard lock(mutex_);
  orders_.push_back(order);
}

Status AllocationTracker::Ask(const protocol::Options& options) {
  if (auto ended = Ended()) return tl::make_unexpected(*ended);
  Order(protocol::AllocationOrder::kStopSampling);
  const std::lock_guard lock(mutex_);
  asked_ = options;
  return {};
}

void AllocationTracker::Resume() {
  Order(protocol::AllocationOrder::kResumeSampling);
  std::unique_lock lock(mutex_);
  const uint64_t due = 1 + ++resumed_;  // it begins once without being asked to
  changed_.wait_for(lock, kResumesWithin, [&] { return ended_ || begun_ >= due; });
}

SampledHeap AllocationTracker::At(std::span<const uint8_t> nonce) {
  const uint64_t marker = MarkerOf(nonce);
  std::unique_lock lock(mutex_);
  const auto has_come = [&] { return followed_ && followed_->marker == marker; };
  changed_.wait_for(lock, kJournalWithin, [&] { return ended_ || has_come(); });
  if (has_come()) return profile_.Describe(*std::exchange(followed_, std::nullopt));
  SampledHeap unknown;
  unknown.sampling = profile_.Summarize();
  unknown.sampling.lost = "the journal of the collections before this snapshot did not arrive";
  return unknown;
}

std::optional<Error> AllocationTracker::Ended() const {
  const std::lock_guard lock(mutex_);
  if (!ended_) return std::nullopt;
  if (refusal_) return refusal_;
  if (target_exited_)
    return Error{ErrorKind::kFailed, "target.exited",
                 "Process " + std::to_string(pid_) + " ended while its allocations were sampled.",
                 "Start it again and capture."};
  return Error{ErrorKind::kFailed, "watch.tracking_ended",
               "The collector that sampled the allocations of process " + std::to_string(pid_) + " has left it.",
               "Was it ended by cairn detach? Start again."};
}

}  // namespace cairn::client
