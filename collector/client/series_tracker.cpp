#include "collector/client/series_tracker.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstring>
#include <utility>

#include "collector/client/attach_means.h"
#include "collector/client/capture_request.h"
#include "collector/client/machine_constants.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;

constexpr milliseconds kSlice{50};
constexpr milliseconds kAttachWithin{30000};
constexpr milliseconds kJournalWithin{60000};  // behind the last frame of its snapshot
constexpr milliseconds kLeavesWithin{10000};

Error Cancelled() { return {ErrorKind::kFailed, "capture.cancelled", "The series was cancelled.", ""}; }

// From the attach to the frame that says that the collector follows.
class TrackerAttach {
 public:
  TrackerAttach(const Target& target, const CaptureListener& listener, Attach attach, std::vector<uint8_t> nonce,
                const std::atomic<bool>& cancel)
      : target_(target), listener_(listener), attach_(std::move(attach)), nonce_(std::move(nonce)), cancel_(cancel) {}

  Status Run() {
    const auto deadline = Clock::now() + kAttachWithin;
    while (!follows_) {
      if (cancel_) return tl::make_unexpected(Cancelled());
      if (Clock::now() >= deadline)
        return Fail(ErrorKind::kFailed, "attach.timeout", "The runtime did not answer the attach in time.",
                    "It may be busy with another tool; try again.");
      Wait();
      const Status advanced = attach_.Advance();
      if (!stream_) stream_ = listener_.Accept(target_);
      const Status read = Read();  // the collector's own words come before the runtime's number
      if (!read) return read;
      if (!advanced) return advanced;
    }
    return {};
  }
  UniqueFd TakeStream() { return std::move(stream_); }
  FrameReader TakeReader() { return std::move(reader_); }

 private:
  void Wait() const {
    pollfd entries[3] = {
        {attach_.Fd(), attach_.Events(), 0}, {stream_ ? -1 : listener_.Fd(), POLLIN, 0}, {stream_.Get(), POLLIN, 0}};
    poll(entries, std::size(entries), static_cast<int>(kSlice.count()));
  }

  Status Read() {
    Frame frame;
    while (stream_ && !follows_) {
      const auto got = reader_.Read(stream_.Get(), frame);
      if (!got) return tl::make_unexpected(got.error());
      if (!*got) return {};
      CAIRN_TRY(Take(frame));
    }
    return {};
  }

  Status Take(const Frame& frame) {
    stream::RecordReader reader(frame.payload);
    if (frame.kind == FrameKind::kRefused) return tl::make_unexpected(RefusalIn(frame));
    if (frame.kind == FrameKind::kTracking) {
      follows_ = true;
      return {};
    }
    protocol::Hello hello;
    reader(hello);
    const bool known = frame.kind == FrameKind::kHello && reader.Complete() &&
                       hello.version == protocol::kProtocolVersion &&
                       std::memcmp(hello.nonce, nonce_.data(), sizeof hello.nonce) == 0;
    if (known) return {};
    return Fail(ErrorKind::kFailed, "stream.nonce",
                "What connected from the target is not the collector of this series.",
                "Use a collector library and a cairn of the same build.");
  }

  const Target& target_;
  const CaptureListener& listener_;
  Attach attach_;
  std::vector<uint8_t> nonce_;
  const std::atomic<bool>& cancel_;
  UniqueFd stream_;
  FrameReader reader_;
  bool follows_ = false;
};

Error AlreadyTracked(const Error& resident) {
  return {ErrorKind::kFailed, "watch.already_tracked", resident.message, resident.hint};
}

}  // namespace

const char* PriceOfTracking() {
  return "following objects: each snapshot takes a full blocking collection, during which the runtime also reports "
         "every object by an event (30 to 50 ns each); every background collection pauses the application for about "
         "5 ns an object longer (100 ms at 20 million), every full blocking one for about half as long again; up to "
         "64 MiB in the application for the journal. Concurrent collections stay on.";
}

Result<std::unique_ptr<SeriesTracker>> SeriesTracker::Start(const Machine& machine, const CaptureRequest& request,
                                                            const std::atomic<bool>& cancel) {
  const auto ready = MakeReady(machine, request);
  if (!ready && ready.error().code == "attach.resident") return tl::make_unexpected(AlreadyTracked(ready.error()));
  if (!ready) return tl::make_unexpected(ready.error());
  const auto means = AttachMeans::Take(machine, *ready);
  if (!means) return tl::make_unexpected(means.error());
  protocol::Options options = MakeOptions(request, means->nonce, means->listener.Path(), MachineConstants());
  options.track = 1;
  TrackerAttach attach(ready->target, means->listener, means->With(*ready, options), means->nonce, cancel);
  if (const Status attached = attach.Run(); !attached) return tl::make_unexpected(attached.error());
  return std::unique_ptr<SeriesTracker>(new SeriesTracker(attach.TakeStream(), attach.TakeReader(), ready->target.pid));
}

SeriesTracker::SeriesTracker(UniqueFd stream, FrameReader reader, int64_t pid)
    : stream_(std::move(stream)),
      reader_(std::move(reader)),
      pid_(pid),
      identity_([this](IdentityMap::Followed followed) { Store(std::move(followed)); }),
      thread_([this] { ReadAll(); }) {}

// The collector is told, so that it is gone when this returns.
SeriesTracker::~SeriesTracker() {
  const auto frame = EmptyFrame(FrameKind::kDetach, sent_);
  (void)send(stream_.Get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLeavesWithin, [this] { return ended_; });
  }
  shutdown(stream_.Get(), SHUT_RDWR);
  thread_.join();
}

Status SeriesTracker::Ask(const protocol::Options& options) {
  protocol::FrameHeader header;
  header.kind = FrameKind::kCapture;
  header.sequence = sent_++;
  header.payload_size = sizeof options;
  const std::span<const uint8_t> payload(reinterpret_cast<const uint8_t*>(&options), sizeof options);
  header.checksum = FrameChecksum(header, payload);
  uint8_t bytes[sizeof header + sizeof options];
  std::memcpy(bytes, &header, sizeof header);
  std::memcpy(bytes + sizeof header, &options, sizeof options);
  std::memcpy(&asked_marker_, options.nonce, sizeof asked_marker_);
  // Orders are short and rare: they always fit into the socket's buffer.
  if (send(stream_.Get(), bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(sizeof bytes))
    return {};
  const auto ended = Ended();
  return tl::make_unexpected(ended ? *ended
                                   : Error{ErrorKind::kFailed, "target.silent",
                                           "The collector that follows objects takes no orders.",
                                           "Is the process stopped?"});
}

// ---- the journal -----------------------------------------------------------------------------------

void SeriesTracker::ReadAll() {
  while (ReadOne()) continue;
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// False: nothing comes any more.
bool SeriesTracker::ReadOne() {
  Frame frame;
  const auto got = reader_.Read(stream_.Get(), frame);
  if (!got) return false;
  if (!*got) {
    pollfd entry{stream_.Get(), POLLIN, 0};
    return poll(&entry, 1, -1) >= 0 || errno == EINTR;
  }
  if (frame.kind == FrameKind::kRefused) TakeRefusal(frame);
  if (frame.kind == FrameKind::kJournal) return identity_.Read(frame.payload);
  return frame.kind != FrameKind::kDetached;
}

void SeriesTracker::TakeRefusal(const Frame& frame) {
  const std::lock_guard lock(mutex_);
  refusal_ = RefusalIn(frame);
}

void SeriesTracker::Store(IdentityMap::Followed followed) {
  const std::lock_guard lock(mutex_);
  followed_ = std::move(followed);  // over that of a snapshot that nobody kept
  changed_.notify_all();
}

snapshot::Tracking SeriesTracker::At(std::span<const uint8_t> nonce) {
  uint64_t marker = 0;
  std::memcpy(&marker, nonce.data(), sizeof marker);
  std::unique_lock lock(mutex_);
  const auto has_come = [&] { return followed_ && followed_->marker == marker; };
  changed_.wait_for(lock, kJournalWithin, [&] { return ended_ || has_come(); });
  if (!has_come()) {
    snapshot::Tracking unknown;
    unknown.lost = "the journal of the collections before this snapshot did not arrive";
    return unknown;
  }
  return Describe(*std::exchange(followed_, std::nullopt));
}

snapshot::Tracking SeriesTracker::Describe(IdentityMap::Followed followed) const {
  snapshot::Tracking tracking;
  tracking.collections = followed.collections;
  tracking.background = followed.background;
  if (!followed.base) return tracking;
  const bool is_kept = followed.base == kept_marker_;
  if (is_kept) tracking.previous = kept_id_;
  tracking.lost = is_kept ? followed.lost : "the snapshot before was not kept";
  if (tracking.lost.empty()) tracking.ranges = std::move(followed.ranges);
  return tracking;
}

void SeriesTracker::Kept(const std::string& capture_id) {
  kept_marker_ = asked_marker_;
  kept_id_ = capture_id;
}

std::optional<Error> SeriesTracker::Ended() const {
  const std::lock_guard lock(mutex_);
  if (refusal_) return refusal_;
  if (!ended_) return std::nullopt;
  return Error{ErrorKind::kFailed, "watch.tracking_ended",
               "The collector that followed the objects of process " + std::to_string(pid_) +
                   " has left it, so the series ends here.",
               "Was it ended by cairn detach? Start watch --track again."};
}

}  // namespace cairn::client
