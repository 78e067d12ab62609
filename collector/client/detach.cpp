#include <poll.h>

#include <algorithm>

#include "collector/client/control_socket.h"
#include "collector/client/frame_reader.h"
#include "collector/client/observation_session.h"
#include "collector/client/on_machine.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

constexpr milliseconds kDetachWithin{10000};

tl::unexpected<Error> NoAnswer(int64_t pid) {
  return Fail(ErrorKind::kFailed, "detach.no_answer",
              "The collector in process " + std::to_string(pid) + " did not say that it detached.",
              "Is the process stopped? Try again once it runs.");
}

// Its runtime lets nobody go any more.
tl::unexpected<Error> Refusal(const Frame& frame) {
  protocol::Refused refused;
  stream::RecordReader(frame.payload)(refused);
  return Fail(ErrorKind::kFailed, refused.code, refused.message, refused.hint);
}

Result<DetachResult> WaitForDetached(int fd, int64_t pid) {
  const auto deadline = Clock::now() + kDetachWithin;
  FrameReader reader;
  while (Clock::now() < deadline) {
    pollfd entry{fd, POLLIN, 0};
    if (poll(&entry, 1, MillisecondsUntil(deadline)) <= 0) continue;
    Frame frame;
    const auto got = reader.Read(fd, frame);
    if (!got) return NoAnswer(pid);
    if (*got && frame.kind == protocol::FrameKind::kDetached) return DetachResult{pid, true};
    if (*got && frame.kind == protocol::FrameKind::kRefused) return Refusal(frame);
  }
  return NoAnswer(pid);
}

}  // namespace

Result<DetachResult> DetachOn(const Machine& machine, int64_t pid) {
  const auto target = InspectTarget(machine, pid);
  if (!target) return tl::make_unexpected(target.error());
  const std::vector<Resident> residents = ConnectToResidents(*target);
  if (residents.empty())
    return Fail(
        ErrorKind::kFailed, "detach.none", "No collector stayed in process " + std::to_string(pid) + ".",
        "Captures, logs and allocations detach by themselves; only tracking, traces and start-up loading stay.");
  Result<DetachResult> result = DetachResult{pid, true};
  for (const Resident& resident : residents) {
    if (!SendAll(resident.stream.Get(), EmptyFrame(protocol::FrameKind::kDetach, 0))) return NoAnswer(pid);
    result = WaitForDetached(resident.stream.Get(), pid);
    if (!result) break;
  }
  return result;
}

Result<bool> EndTrace(const Machine& machine, int64_t pid) {
  const auto target = InspectTarget(machine, pid);
  if (!target) return tl::make_unexpected(target.error());
  std::vector<std::string> tracing;
  bool is_other = false;
  for (const Resident& resident : MeetResidents(*target, kDetachWithin)) {
    const bool traces = resident.observes == protocol::ObserverKind::kMethods;
    if (traces) tracing.push_back(resident.path);
    is_other |= resident.IsBusy() && !traces;
  }
  // Anew, since a conversation is numbered from its start.
  for (const Resident& resident : ConnectToResidents(*target)) {
    if (std::ranges::find(tracing, resident.path) == tracing.end()) continue;
    if (!SendAll(resident.stream.Get(), EmptyFrame(protocol::FrameKind::kDetach, 0))) return NoAnswer(pid);
    const auto ended = WaitForDetached(resident.stream.Get(), pid);
    if (!ended && ended.error().code != "observe.stays") return tl::make_unexpected(ended.error());
  }
  return !is_other;
}

Result<DetachResult> Detach(int64_t pid) { return DetachOn(Machine::This(), pid); }

}  // namespace cairn::client
