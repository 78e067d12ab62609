#include <poll.h>

#include "collector/client/control_socket.h"
#include "collector/client/frame_reader.h"
#include "collector/client/on_machine.h"
#include "collector/client/unix_socket.h"

namespace cairn::client {
namespace {

constexpr milliseconds kDetachWithin{10000};

tl::unexpected<Error> NoAnswer(int64_t pid) {
  return Fail(ErrorKind::kFailed, "detach.no_answer",
              "The collector in process " + std::to_string(pid) + " did not say that it detached.",
              "Is the process stopped? Try again once it runs.");
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
  }
  return NoAnswer(pid);
}

}  // namespace

Result<DetachResult> DetachOn(const Machine& machine, int64_t pid) {
  const auto target = InspectTarget(machine, pid);
  if (!target) return tl::make_unexpected(target.error());
  const auto name = FindControlSocket(*target);
  const UniqueFd fd = name ? ConnectBelow(target->tmp.fd.Get(), *name) : UniqueFd();
  if (!fd || PeerOf(fd.Get()).pid != pid)
    return Fail(ErrorKind::kFailed, "detach.none", "No collector stayed in process " + std::to_string(pid) + ".",
                "Captures detach by themselves; only tracking and start-up loading stay.");
  if (!SendAll(fd.Get(), EmptyFrame(protocol::FrameKind::kDetach, 0))) return NoAnswer(pid);
  return WaitForDetached(fd.Get(), pid);
}

Result<DetachResult> Detach(int64_t pid) { return DetachOn(Machine::This(), pid); }

}  // namespace cairn::client
