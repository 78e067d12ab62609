#include "collector/client/observation_session.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "collector/client/attach_means.h"
#include "collector/client/capture_request.h"
#include "collector/client/control_socket.h"
#include "collector/client/frame_reader.h"
#include "collector/client/on_machine.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;

constexpr milliseconds kSlice{50};
constexpr milliseconds kAttachWithin{30000};
constexpr milliseconds kStayedAnswersWithin{5000};
constexpr milliseconds kLeavesWithin{30000};
constexpr milliseconds kLeavesIn{100};
constexpr int kTriesToStart = 3;
constexpr milliseconds kStoppedAnswersWithin{1000};
constexpr milliseconds kAway{20000};  // the collector waits for half a minute
constexpr int kLooksForDeath = 10;

Status Send(int fd, FrameKind kind, uint64_t sequence, std::span<const uint8_t> payload) {
  const auto frame = MakeFrame(kind, sequence, payload);
  // Orders are short and rare: they fit into the socket's buffer.
  if (send(fd, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(frame.size()))
    return {};
  return Fail(ErrorKind::kFailed, "target.silent", "The collector in the process takes no orders.",
              "Is the process stopped?");
}

protocol::Options OptionsFor(const ObservationRequest& request, const CaptureRequest& attach,
                             std::span<const uint8_t> nonce, const CaptureListener& listener) {
  protocol::Options options = MakeOptions(attach, nonce, listener.Path());
  options.observe = request.kind;
  return options;
}

// The checks of a capture that takes its roots from events: what other profilers allow is the collector's to say.
CaptureRequest AsCapture(const ObservationRequest& request) {
  CaptureRequest capture;
  capture.target = request.target;
  capture.light = true;
  capture.timeout = request.timeout;
  capture.runtime = request.runtime;
  capture.library = request.library;
  return capture;
}

// Asked now and then, for as long as the observation lasts.
std::function<char()> StateOf(const Machine& machine, const Target& target) {
  return [proc = machine.proc, pid = target.pid, start = target.start_time] {
    const auto status = proc.Status(pid);
    const bool gone = !status || status->state == 'Z' || proc.StartTime(pid) != start;
    return gone ? 'X' : status->state;
  };
}

}  // namespace

// From the attach to the frame that says that the observer watches.
class ObservationAttach {
 public:
  ObservationAttach(const Machine& machine, const Target& target, const CaptureListener& listener, Attach attach,
                    std::vector<uint8_t> nonce, const ObservationRequest& request, const std::atomic<bool>& cancel)
      : target_(target),
        listener_(listener),
        attach_(std::move(attach)),
        nonce_(std::move(nonce)),
        request_(request),
        cancel_(cancel),
        session_(new ObservationSession) {
    session_->state_ = StateOf(machine, target);
  }

  // The collector has called already.
  void Adopt(UniqueFd stream) { session_->stream_ = std::move(stream); }
  // It must hear what it is to be before it gets its orders.
  Status Name(const protocol::Options& options) { return session_->AskCapture(options); }

  Result<std::unique_ptr<ObservationSession>> Run(milliseconds within) {
    const auto deadline = Clock::now() + within;
    while (!watches_) {
      if (cancel_) return Fail(ErrorKind::kFailed, "observe.cancelled", "It was cancelled before it began.", "");
      if (Clock::now() >= deadline)
        return Fail(ErrorKind::kFailed, "attach.timeout", "The runtime did not answer the attach in time.",
                    "It may be busy with another tool; try again.");
      Wait();
      const Status advanced = attach_.Advance();
      if (!session_->stream_) session_->stream_ = listener_.Accept(target_);
      const Status read = Read();  // the collector's own words come before the runtime's number
      if (!read) return tl::make_unexpected(read.error());
      if (!advanced) return tl::make_unexpected(WhyNot(advanced.error()).error());
    }
    session_->pid_ = target_.pid;
    session_->duration_ = request_.duration;
    return std::move(session_);
  }

 private:
  void Wait() const {
    pollfd entries[3] = {{attach_.Fd(), attach_.Events(), 0},
                         {session_->stream_ ? -1 : listener_.Fd(), POLLIN, 0},
                         {session_->stream_.Get(), POLLIN, 0}};
    poll(entries, std::size(entries), static_cast<int>(kSlice.count()));
  }

  Status Read() {
    Frame frame;
    while (session_->stream_ && !watches_) {
      const auto got = session_->reader_.Read(session_->stream_.Get(), frame);
      if (!got) return WhyNot(got.error());
      if (!*got) return {};
      const Status taken = Take(frame);
      if (!taken && frame.kind == FrameKind::kRefused) WaitUntilItIsGone();
      if (!taken) return WhyNot(taken.error());
    }
    return {};
  }

  // That the process ended is the reason, whatever else shows it.
  Status WhyNot(const Error& seen) const {
    const bool may_have_ended =
        seen.code == "stream.closed" || seen.code == "observe.refused" || seen.code.starts_with("ipc.");
    if (may_have_ended && session_->WhyClosed() == ObservationEnding::kTargetExited)
      return Fail(ErrorKind::kFailed, "target.exited",
                  "Process " + std::to_string(target_.pid) + " ended before it was watched.", "");
    return ordered_ || seen.code != "stream.closed" ? tl::make_unexpected(seen) : ordered_;
  }

  // The connection ends when nothing of the collector is left in the runtime, so that another attach may follow.
  void WaitUntilItIsGone() {
    const auto deadline = Clock::now() + kLeavesWithin;
    Frame frame;
    while (Clock::now() < deadline && session_->reader_.Read(session_->stream_.Get(), frame)) {
      pollfd entry{session_->stream_.Get(), POLLIN, 0};
      poll(&entry, 1, static_cast<int>(kSlice.count()));
    }
  }

  Status Take(const Frame& frame) {
    if (frame.kind == FrameKind::kRefused) return tl::make_unexpected(RefusalIn(frame));
    stream::RecordReader reader(frame.payload);
    if (frame.kind == FrameKind::kObserving && greeted_) {
      reader(session_->began_);
      watches_ = reader.Complete();
      if (watches_) return {};
    }
    protocol::Hello hello;
    reader(hello);
    const bool known = frame.kind == FrameKind::kHello && reader.Complete() &&
                       hello.version == protocol::kProtocolVersion &&
                       std::memcmp(hello.nonce, nonce_.data(), sizeof hello.nonce) == 0;
    if (!known)
      return Fail(ErrorKind::kFailed, "stream.nonce",
                  "What connected from the target is not the collector of this observation.",
                  "Use a collector library and a cairn of the same build.");
    greeted_ = true;
    // Where it cannot be sent, the reason may follow the greeting.
    ordered_ = session_->Order(request_.wishes);
    return {};
  }

  const Target& target_;
  const CaptureListener& listener_;
  Attach attach_;
  std::vector<uint8_t> nonce_;
  const ObservationRequest& request_;
  const std::atomic<bool>& cancel_;
  std::unique_ptr<ObservationSession> session_;
  Status ordered_;
  bool greeted_ = false, watches_ = false;
};

namespace {

// A collector that can no longer leave takes the order over its control socket; another kind hangs up.
Result<std::unique_ptr<ObservationSession>> StartStayed(const Machine& machine, const ObservationRequest& request,
                                                        const std::atomic<bool>& cancel) {
  const auto pid = ResolveTargetOn(machine, request.target);
  if (!pid) return tl::make_unexpected(pid.error());
  const auto target = InspectTarget(machine, *pid);
  if (!target) return tl::make_unexpected(target.error());
  const auto lock = CaptureLock::Take(machine, *target);
  if (!lock) return tl::make_unexpected(lock.error());
  const auto listener = CaptureListener::Open(machine, *target);
  if (!listener) return tl::make_unexpected(listener.error());
  std::vector<uint8_t> nonce(protocol::kNonceBytes);
  FillRandom(nonce);
  const protocol::Options options = OptionsFor(request, AsCapture(request), nonce, *listener);
  const auto residents = MeetResidents(*target, kStayedAnswersWithin);
  const auto resident = std::ranges::find_if(
      residents, [&](const Resident& one) { return !one.IsBusy() && TakesCapturesOf(one, request.runtime); });
  if (resident == residents.end())
    return tl::make_unexpected(residents.empty() ? InUse({}, *pid) : InUse(residents.front(), *pid));
  ObservationAttach attach(machine, *target, *listener, Attach([&] { return OrderCapture(*resident, options); }), nonce,
                           request, cancel);
  auto session = attach.Run(kStayedAnswersWithin);
  if (!session && session.error().code == "attach.timeout") return tl::make_unexpected(InUse(*resident, *pid));
  return session;
}

Result<std::unique_ptr<ObservationSession>> TryToStart(const Machine& machine, const ObservationRequest& request,
                                                       const std::atomic<bool>& cancel) {
  const CaptureRequest checks = AsCapture(request);
  CAIRN_TRY(CheckRequest(checks));
  const auto ready = MakeReady(machine, checks);
  if (!ready && ready.error().code == "attach.resident") return StartStayed(machine, request, cancel);
  if (!ready) return tl::make_unexpected(ready.error());
  const auto means = AttachMeans::Take(machine, *ready);
  if (!means) return tl::make_unexpected(means.error());
  const protocol::Options options = OptionsFor(request, checks, means->nonce, means->listener);
  ObservationAttach attach(machine, ready->target, means->listener, means->With(*ready, options), means->nonce, request,
                           cancel);
  return attach.Run(kAttachWithin);
}

// What is said of a process that was there a moment ago, a .NET one with a collector in it.
bool IsGoneBy(const Error& error) {
  return error.code == "target.not_found" || error.code == "target.not_dotnet" || error.code == "target.socket_stale";
}

}  // namespace

// A collector whose client died is still there for a moment.
Result<std::unique_ptr<ObservationSession>> ObservationSession::Start(const Machine& machine,
                                                                      const ObservationRequest& request,
                                                                      const std::atomic<bool>& cancel) {
  auto session = TryToStart(machine, request, cancel);
  for (int tries = 1; tries < kTriesToStart && !session && session.error().code == "attach.resident" && !cancel;
       ++tries) {
    std::this_thread::sleep_for(kLeavesIn);
    session = TryToStart(machine, request, cancel);
    if (!session && IsGoneBy(session.error()))
      return Fail(ErrorKind::kFailed, "target.exited", "The process ended before it was watched.", "");
  }
  return session;
}

Result<std::unique_ptr<ObservationSession>> ObservationSession::StartWaiting(const Machine& machine,
                                                                             const StartListener& start,
                                                                             WaitingProcess waiting,
                                                                             const ObservationRequest& request,
                                                                             const std::atomic<bool>& cancel) {
  const auto target = InspectTarget(machine, waiting.pid);
  if (!target) return tl::make_unexpected(target.error());
  const protocol::Options options = OptionsFor(request, AsCapture(request), start.Nonce(), start.Socket());
  ObservationAttach* asker = nullptr;
  ObservationAttach attach(machine, *target, start.Socket(), Attach([&] { return asker->Name(options); }),
                           start.Nonce(), request, cancel);
  asker = &attach;
  attach.Adopt(std::move(waiting.stream));
  return attach.Run(kAttachWithin);
}

// Where Run did not see the end, the broken connection is it.
ObservationSession::~ObservationSession() {
  if (stream_) shutdown(stream_.Get(), SHUT_RDWR);
}

Status ObservationSession::Order(std::span<const uint8_t> order) {
  return Send(stream_.Get(), FrameKind::kOrder, sent_++, order);
}

Status ObservationSession::AskCapture(const protocol::Options& options) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&options);
  return Send(stream_.Get(), FrameKind::kCapture, sent_++, {bytes, sizeof options});
}

void ObservationSession::AskForTheEnd(ObservationEnding why) {
  if (asked_ || ended_) return;
  asked_ = true;
  result_.ending = why;
  const auto frame = EmptyFrame(FrameKind::kCancel, sent_++);
  (void)send(stream_.Get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

Result<ObservationResult> ObservationSession::Run(const std::function<Status(std::span<const uint8_t>)>& take,
                                                  const std::function<Status()>& pause,
                                                  const std::atomic<bool>& cancel) {
  const auto began = looked_ = heard_ = Clock::now();
  Status taken;
  while (!closed_ && !GivesUp()) {
    if (cancel) AskForTheEnd(ObservationEnding::kCancelled);
    if (duration_.count() != 0 && Clock::now() - began >= duration_) AskForTheEnd(ObservationEnding::kDuration);
    if ((asked_ || ended_) && leaves_until_ == Clock::time_point::max()) {
      leaves_until_ = Clock::now() + kLeavesWithin;
      result_.watched = Clock::now() - began;
    }
    result_.was_away |= Clock::now() - looked_ >= kAway;
    looked_ = Clock::now();
    pollfd entry{stream_.Get(), POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(kSlice.count())) <= 0) {
      LookAtSilence();
      continue;
    }
    Status read = ReadAll(taken ? take : [](std::span<const uint8_t>) { return Status(); });
    const Status paused = pause();
    if (read && taken) read = paused;
    heard_ = Clock::now();
    is_stopped_ = false;
    if (read) continue;
    if (!taken) return tl::make_unexpected(taken.error());
    taken = read;
    if (taken.error().code.starts_with("stream.")) break;
    AskForTheEnd(ObservationEnding::kRefusedByReader);
  }
  if (!taken) return tl::make_unexpected(taken.error());
  if (result_.watched.count() == 0) result_.watched = Clock::now() - began;
  return result_;
}

// A process that is stopped does not hear that it is over. Once it goes on, its collector finds the connection broken,
// and leaves.
bool ObservationSession::GivesUp() {
  const auto now = Clock::now();
  const bool stopped = is_stopped_ && asked_ && !ended_ && now - heard_ >= kStoppedAnswersWithin;
  if (!stopped && now < leaves_until_) return false;
  if (!ended_) result_.ending = stopped ? ObservationEnding::kTargetStopped : ObservationEnding::kCutOff;
  return true;
}

void ObservationSession::LookAtSilence() {
  if (Clock::now() - heard_ < kStoppedAnswersWithin) return;
  const char state = state_ ? state_() : '?';
  const bool was_stopped = std::exchange(is_stopped_, state == 'T' || state == 't');
  if (is_stopped_ && !was_stopped) on_stopped_();
}

// A process that dies closes its sockets a moment before it is gone.
ObservationEnding ObservationSession::WhyClosed() const {
  for (int i = 0; i < kLooksForDeath && state_; ++i) {
    if (state_() == 'X') return ObservationEnding::kTargetExited;
    std::this_thread::sleep_for(kSlice);
  }
  return state_ ? ObservationEnding::kCutOff : ObservationEnding::kTargetExited;
}

std::string WhyCut(const ObservationResult& result) {
  if (!result.is_cut) return {};
  switch (result.ending) {
    case ObservationEnding::kTargetExited:
      return "The process was killed or crashed: what happened at the very end is missing.";
    case ObservationEnding::kCutOff:
      if (!result.was_away)
        return "The connection to the collector in the process broke, and the process goes on: what happened since "
               "then is missing.";
      return "The collector in the process ended it, since for half a minute nothing was taken from it: was cairn "
             "stopped, or did nobody read what it printed? What happened since then is missing.";
    case ObservationEnding::kRefused:
      return result.refusal->message + " What happened since then is missing.";
    case ObservationEnding::kTargetStopped:
      return "The process is stopped (SIGSTOP, or a debugger), so that it was not waited for: what was not sent before "
             "is missing. The collector leaves once the process goes on.";
    default:
      return "The process did not say that it has ended: what happened last may be missing.";
  }
}

Error ErrorOfCut(const ObservationResult& result) {
  if (result.refusal) return *result.refusal;
  if (result.ending == ObservationEnding::kTargetExited)
    return {ErrorKind::kFailed, "target.exited", "The process ended before everything was told.", ""};
  return {ErrorKind::kFailed, "observe.cut", WhyCut(result), "Try again."};
}

// What lies there now, but never so much of it that time and cancel are not looked at.
Status ObservationSession::ReadAll(const std::function<Status(std::span<const uint8_t>)>& take) {
  constexpr int kAtOnce = 16;
  Frame frame;
  for (int i = 0; i < kAtOnce && !closed_; ++i) {
    const auto got = reader_.Read(stream_.Get(), frame);
    if (!got && got.error().code == "stream.closed") {
      closed_ = true;
      if (!ended_) result_.ending = WhyClosed();
      return {};
    }
    if (!got) return tl::make_unexpected(got.error());
    if (!*got) return {};
    CAIRN_TRY(Take(frame, take));
  }
  return {};
}

// What came before it stays; the collector leaves, and closes.
void ObservationSession::TakeRefusal(Error refusal) {
  ended_ = true;
  result_.ending = ObservationEnding::kRefused;
  result_.refusal = std::move(refusal);
}

Status ObservationSession::Take(const Frame& frame, const std::function<Status(std::span<const uint8_t>)>& take) {
  if (frame.kind == FrameKind::kRefused) TakeRefusal(RefusalIn(frame));
  stream::RecordReader reader(frame.payload);
  if (frame.kind == FrameKind::kObservationEnd) {
    protocol::ObservationEnd end;
    reader(end);
    ended_ = true;
    result_.stays = end.stays;
    result_.is_complete = !end.target_exits;
    result_.is_cut = false;
    if (end.target_exits) result_.ending = ObservationEnding::kTargetExited;
  }
  if (frame.kind == FrameKind::kDetached) closed_ = true;
  if (frame.kind != FrameKind::kObserved) return {};
  std::span<const uint8_t> rest(frame.payload);
  while (!rest.empty()) {
    uint32_t size = 0;
    if (rest.size() >= sizeof size) std::memcpy(&size, rest.data(), sizeof size);
    if (rest.size() < sizeof size || size > rest.size() - sizeof size)
      return Fail(ErrorKind::kFailed, "stream.block", "A block of the collector is longer than its frame.",
                  "Try again; if it stays, report it.");
    CAIRN_TRY(take(rest.subspan(sizeof size, size)));
    rest = rest.subspan(sizeof size + size);
  }
  return {};
}

}  // namespace cairn::client
