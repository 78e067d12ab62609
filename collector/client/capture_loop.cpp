#include "collector/client/capture_loop.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::CaptureState;
using protocol::FrameKind;

constexpr milliseconds kLongestSleep{50};      // how soon a cancel is seen
constexpr milliseconds kLastWords{300};        // for a collector's refusal after a failed attach
constexpr milliseconds kCallBackWithin{5000};  // it connects before the attach is answered
constexpr milliseconds kLeavesWithin{3000};    // after its last frame
constexpr int kFramesPerRound = 64;

const char* StateText(CaptureState state) {
  switch (state) {
    case CaptureState::kConnected:
      return "the collector is there";
    case CaptureState::kAttached:
      return "attached";
    case CaptureState::kArmed:
      return "attached; waiting for the collection";
    case CaptureState::kCollecting:
      return "the runtime collects";
    case CaptureState::kWalking:
      return "walking the heap";
    case CaptureState::kNaming:
      return "the application runs again; naming types and roots";
    case CaptureState::kSending:
      return "receiving";
    case CaptureState::kDone:
      return "done";
    case CaptureState::kFailed:
      return "the collector gave up";
  }
  return "in an unknown state";
}

}  // namespace

Result<CaptureResult> CaptureLoop::Run() {
  Say(CaptureState::kConnected, "attaching");
  for (;;) {
    if (const auto error = GivenUp()) return Stop(*error);
    Wait();
    if (auto advanced = AdvanceAttach(); !advanced) return Stop(advanced.error());
    AcceptConnection();
    const auto next = ReadFrames();
    if (!next) return Stop(next.error());
    if (const auto read = ReadChild(); !read) return Stop(read.error());
    if ((main_ended_ || left_to_child_) && !WaitsForChild()) break;
  }
  if (child_.Broken()) return Stop(*child_.Broken());
  auto result = assembly_->Finish(left_to_child_);
  WaitForHangUp(kLeavesWithin);
  return result;
}

void CaptureLoop::Wait() const {
  const bool complete = stream_ && child_.WasOpened();
  pollfd entries[4] = {{parts_.attach.Fd(), parts_.attach.Events(), 0},
                       {complete ? -1 : parts_.listener.Fd(), POLLIN, 0},
                       {main_ended_ ? -1 : stream_.Get(), POLLIN, 0},
                       {child_.Fd(), POLLIN, 0}};
  auto until = Clock::now() + kLongestSleep;
  if (parts_.attach.Now() == Attach::State::kWaiting && !attach_error_)
    until = std::min(until, parts_.attach.NextTry());
  poll(entries, std::size(entries), MillisecondsUntil(until));
}

// A failed attach does not end the loop at once: the collector may have said why on its own socket.
Status CaptureLoop::AdvanceAttach() {
  if (attach_error_) return {};
  const auto before = parts_.attach.Now();
  const unsigned tries = parts_.attach.Tries();
  const Status advanced = parts_.attach.Advance();
  if (!advanced) {
    attach_error_ = advanced.error();
    attach_failed_at_ = Clock::now();
    return {};
  }
  if (parts_.attach.Now() == before && parts_.attach.Tries() == tries) return {};
  last_sign_ = Clock::now();
  if (parts_.attach.Now() == Attach::State::kAttached && !attached_at_) attached_at_ = Clock::now();
  if (parts_.attach.Retrying()) {
    // That collector connected before the answer, and has left again: the next connection is another one.
    DropStream();
    parts_.listener.TurnAwayAll();
    SayRetrying();
  }
  return {};
}

void CaptureLoop::SayRetrying() {
  const std::string text = parts_.attach.Beside()     ? "another profiler is active; attaching beside it"
                           : parts_.attach.IsActive() ? "another profiler is active; is it leaving?"
                                                      : "waiting for a background collection to end";
  if (text != said_retrying_) Say(CaptureState::kConnected, text);
  said_retrying_ = text;
}

// Before the pause, when it is known that the target stays attached.
void CaptureLoop::AcceptChild() {
  if (!greeted_ || child_.WasOpened()) return;
  UniqueFd connection = parts_.listener.Accept(parts_.target);
  if (connection) child_.Open(std::move(connection));
}

Status CaptureLoop::ReadChild() {
  const auto came = child_.Read(
      named_, [this](const Frame& frame) { return CheckHello(frame); },
      [this](Frame frame) { return PushFrame(std::move(frame)); });
  if (!came) return tl::make_unexpected(came.error());
  if (*came) last_sign_ = Clock::now();
  return {};
}

void CaptureLoop::AcceptConnection() {
  if (left_to_child_) return;
  if (stream_) return AcceptChild();
  stream_ = parts_.listener.Accept(parts_.target);
  if (!stream_) return;
  reader_ = FrameReader();
  greeted_ = false;
  last_sign_ = Clock::now();
}

Result<CaptureLoop::Next> CaptureLoop::ReadFrames() {
  for (int i = 0; stream_ && !main_ended_ && i < kFramesPerRound; ++i) {
    Frame frame;
    const auto got = reader_.Read(stream_.Get(), frame);
    if (!got) {
      CAIRN_TRY(HandleStreamEnd(got.error()));
      return Next::kGoOn;
    }
    if (!*got) break;
    const auto next = HandleFrame(std::move(frame));
    last_sign_ = Clock::now();  // afterwards: a slow disk of ours is no silence of the target
    if (!next) return next;
    main_ended_ = *next == Next::kDone;
  }
  if (assembly_)
    if (const auto failed = assembly_->Failed()) return tl::make_unexpected(*failed);
  return Next::kGoOn;
}

Result<CaptureLoop::Next> CaptureLoop::HandleFrame(Frame frame) {
  if (!greeted_ && frame.kind != FrameKind::kHello && frame.kind != FrameKind::kRefused)
    return Fail(ErrorKind::kFailed, "stream.no_hello", "The collector spoke without a greeting.",
                "Use a collector library and a cairn of the same build.");
  if (frame.kind == FrameKind::kHello) CAIRN_TRY(CheckHello(frame));
  if (frame.kind == FrameKind::kRefused) CAIRN_TRY(Refused(frame));
  if (frame.kind == FrameKind::kState) Report(frame);
  named_ = named_ || frame.kind == FrameKind::kNamed;
  const bool end = frame.kind == FrameKind::kEnd;
  CAIRN_TRY(PushFrame(std::move(frame)));
  return end ? Next::kDone : Next::kGoOn;
}

Status CaptureLoop::CheckHello(const Frame& frame) {
  protocol::Hello hello;
  stream::RecordReader reader(frame.payload);
  reader(hello);
  if (!reader.Complete() || hello.version != protocol::kProtocolVersion)
    return Fail(ErrorKind::kFailed, "stream.version", "The collector speaks another version of the protocol.",
                "Use a collector library and a cairn of the same build.");
  if (std::memcmp(hello.nonce, parts_.nonce.data(), sizeof hello.nonce) != 0)
    return Fail(ErrorKind::kFailed, "stream.nonce",
                "What connected from the target does not know this capture's secret: it is not the collector "
                "that was attached.",
                "Capture again; if it stays, something else in the target talks to cairn's sockets.");
  greeted_ = true;
  return {};
}

Status CaptureLoop::Refused(const Frame& frame) {
  refused_ = true;
  protocol::Refused refused;
  stream::RecordReader reader(frame.payload);
  reader(refused);
  if (!reader.Complete() || refused.code.empty())
    refused = {"capture.refused", "The collector refused without saying why.", "Use a library of the same build."};
  return Fail(ErrorKind::kFailed, refused.code, refused.message, refused.hint);
}

Status CaptureLoop::PushFrame(Frame frame) {
  if (!assembly_) {
    auto assembler = parts_.make_assembler();
    if (!assembler) return tl::make_unexpected(assembler.error());
    assembly_ = std::make_unique<AssemblyThread>(std::move(*assembler));
  }
  assembly_->Push(std::move(frame));
  return {};
}

void CaptureLoop::Report(const Frame& frame) {
  protocol::State state;
  stream::RecordReader reader(frame.payload);
  reader(state);
  if (!reader.Complete()) return;
  state_ = state.state;
  parts_.progress({state.state, state.done, state.total, StateText(state.state)});
}

void CaptureLoop::Say(CaptureState state, const std::string& text) { parts_.progress({state, 0, 0, text}); }

void CaptureLoop::DropStream() {
  stream_.Reset();
  child_.Drop();
  named_ = main_ended_ = false;
  early_end_.reset();
  assembly_.reset();
}

// Before the attach is answered, a collector that hangs up may be one that will be asked again.
Status CaptureLoop::HandleStreamEnd(const Error& error) {
  stream_.Reset();
  // The target is gone, or its collector: what is left to come comes from the child.
  if (named_ && child_.WasOpened() && error.code == "stream.closed") {
    left_to_child_ = WhyEnded(error);
    return {};
  }
  if (attach_error_) return tl::make_unexpected(WhyEnded(*attach_error_));
  if (attached_at_ || error.code != "stream.closed") return tl::make_unexpected(WhyEnded(error));
  early_end_ = error;
  return {};
}

std::optional<Error> CaptureLoop::GivenUp() const {
  const auto now = Clock::now();
  if (parts_.cancel)
    return Error{ErrorKind::kFailed, "capture.cancelled", "The capture was cancelled; nothing was written.", ""};
  if (attach_error_ && now - attach_failed_at_ >= kLastWords) return WhyEnded(*attach_error_);
  if (attached_at_ && early_end_) return WhyEnded(*early_end_);
  if (attached_at_ && !stream_ && !left_to_child_ && now - *attached_at_ >= kCallBackWithin)
    return Error{ErrorKind::kFailed, "attach.no_connection", "The collector was loaded, but did not call back.",
                 "See that the target may connect to sockets in its temporary folder."};
  if (now - last_sign_ >= parts_.timeout) return Silence();
  return std::nullopt;
}

Error CaptureLoop::Silence() const {
  const auto status = parts_.machine.proc.Status(parts_.target.pid);
  const std::string when = " in the state \"" + std::string(StateName(state_)) + "\"";
  const std::string waited = std::to_string(parts_.timeout.count()) + " ms";
  if (status && status->state == 'T')
    return {ErrorKind::kFailed, "target.stopped", "The target was stopped (SIGSTOP) during the capture" + when + ".",
            "Let it go on (kill -CONT) and capture again."};
  if (!attached_at_)
    return {ErrorKind::kFailed, "attach.timeout", "The runtime did not answer the attach within " + waited + ".",
            "It may be busy with another tool; try again, or raise --timeout."};
  return {ErrorKind::kFailed, "target.silent", "The target gave no sign of life for " + waited + when + ".",
          "Raise --timeout if its machine is very busy."};
}

// Another profiler, or ours that has not left yet.
bool CaptureLoop::MapsCollector() const {
  for (const MappedFile& file : parts_.machine.proc.Maps(parts_.target.pid).value_or(std::vector<MappedFile>()))
    if (file.path.find("libcairn_collector") != std::string::npos) return true;
  return false;
}

Error CaptureLoop::EarlierCollector() const {
  const std::string pid = std::to_string(parts_.target.pid);
  return {ErrorKind::kFailed, "attach.resident", "An earlier cairn collector is still active in process " + pid + ".",
          "Try again in a moment; one that stays is ended by: cairn detach " + pid + "."};
}

bool CaptureLoop::TargetGone() const {
  const auto status = parts_.machine.proc.Status(parts_.target.pid);
  if (!status || status->state == 'Z' || status->state == 'X') return true;
  return parts_.machine.proc.StartTime(parts_.target.pid) != parts_.target.start_time;
}

// A process that dies closes its sockets a moment before it is gone.
Error CaptureLoop::WhyEnded(const Error& error) const {
  if (error.code == "attach.other_profiler" && MapsCollector()) return EarlierCollector();
  if (error.code != "stream.closed" && error.code != "ipc.closed") return error;
  for (int i = 0; i < 10; ++i) {
    if (TargetGone())
      return {ErrorKind::kFailed, "target.exited", "The target ended during the capture.",
              "Start it again and capture."};
    std::this_thread::sleep_for(milliseconds(20));
  }
  if (error.code == "ipc.closed") return error;
  return {ErrorKind::kFailed, "capture.cut", error.message, "Capture again; if it stays, report it."};
}

Result<CaptureResult> CaptureLoop::Stop(const Error& error) {
  if (refused_) WaitForHangUp(kLeavesWithin);
  SendCancel();
  stream_.Reset();
  child_.Drop();
  const bool nothing_wanted = error.code == "capture.cancelled";
  if (nothing_wanted || !assembly_) return tl::make_unexpected(error);
  return assembly_->Finish(error);
}

// After its last frame the collector hangs up when nothing of the capture is left in the target, so that
// another attach may follow at once.
void CaptureLoop::WaitForHangUp(milliseconds longest) {
  const auto deadline = Clock::now() + longest;
  Frame ignored;
  while (stream_ && !parts_.cancel && Clock::now() < deadline) {
    pollfd entry{stream_.Get(), POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>(kLongestSleep.count())) > 0 && !reader_.Read(stream_.Get(), ignored))
      stream_.Reset();
  }
}

void CaptureLoop::SendCancel() const {
  if (!stream_) return;
  const auto frame = EmptyFrame(FrameKind::kCancel, 0);
  (void)send(stream_.Get(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace cairn::client
