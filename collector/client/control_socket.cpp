#include "collector/client/control_socket.h"

#include <poll.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "collector/client/frame_reader.h"
#include "collector/client/socket_finder.h"
#include "collector/client/unix_socket.h"
#include "collector/protocol/messages.h"
#include "collector/protocol/occupation.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;

bool AllDigits(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

void ConnectBelowFolder(const Target& target, const TargetFolder& folder, std::vector<Resident>& residents) {
  if (!folder.fd) return;
  std::vector<std::string> names = FolderEntries(folder.fd.Get());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!IsControlName(name, target.status.inner_pid)) continue;
    UniqueFd stream = ConnectBelow(folder.fd.Get(), name);
    if (stream && PeerOf(stream.Get()).pid == target.pid)
      residents.push_back({folder.path + "/" + name, std::move(stream)});
  }
}

// True: it has said all that it says of itself.
bool Understand(const Frame& frame, Resident& resident) {
  resident.greeted = true;
  stream::RecordReader reader(frame.payload);
  if (frame.kind == FrameKind::kObserving) {
    protocol::Occupation occupation;
    reader(occupation);
    resident.observes = occupation.kind;
    resident.stays = occupation.stays;
    return !occupation.takes_captures;
  }
  protocol::Hello hello;
  reader(hello);
  resident.follows = frame.kind == FrameKind::kTracking;
  resident.takes_captures = frame.kind == FrameKind::kHello && hello.version == protocol::kProtocolVersion;
  if (resident.takes_captures) resident.runtime = hello.runtime_version;
  return true;
}

// The greeting is the first thing that it says.
void Meet(Resident& resident, Clock::time_point deadline) {
  FrameReader reader;
  Frame frame;
  for (auto got = reader.Read(resident.stream.Get(), frame); got; got = reader.Read(resident.stream.Get(), frame)) {
    if (*got && Understand(frame, resident)) return;
    if (*got) continue;
    pollfd entry{resident.stream.Get(), POLLIN, 0};
    if (poll(&entry, 1, MillisecondsUntil(deadline)) <= 0) return;
  }
  resident.gone = !resident.greeted;
}

// What runs, and what ends it other than its own Ctrl-C.
std::pair<std::string, std::string> WordsFor(const Resident& resident, const std::string& pid) {
  const std::string detach = "cairn detach " + pid;
  if (resident.follows) return {"cairn watch --track follows the objects of process " + pid, detach};
  switch (resident.observes) {
    case protocol::ObserverKind::kEvents:
      return {"cairn log watches process " + pid, detach};
    case protocol::ObserverKind::kAllocations:
      return {"cairn samples the allocations of process " + pid, detach};
    case protocol::ObserverKind::kMethods:
      return {"cairn trace logs methods of process " + pid, "cairn trace " + pid + " --undo"};
    case protocol::ObserverKind::kIds:
      return {"cairn ids lists the IDs of process " + pid, detach};
    case protocol::ObserverKind::kAllocationCounts:
      return {"cairn counts the allocations of process " + pid, detach};
    case protocol::ObserverKind::kNone:
      break;
  }
  return {"A cairn collector stays in process " + pid, detach};
}

}  // namespace

Error InUse(const Resident& resident, int64_t pid) {
  const auto [what, end] = WordsFor(resident, std::to_string(pid));
  if (!resident.IsBusy() && resident.stays)
    return {
        ErrorKind::kFailed, "attach.resident", what + " since methods of it were traced, and cannot leave it.",
        "Captures with --light or --gc full, logs and traces reach it; all else takes a restart of the application."};
  if (!resident.IsBusy() && !resident.greeted)
    return {ErrorKind::kFailed, "attach.resident", what + " and says nothing of itself.",
            "One that is about to leave is gone in a moment: try again. Else end it with: " + end + "."};
  if (!resident.IsBusy()) return {ErrorKind::kFailed, "attach.resident", what + ".", "End it with: " + end + "."};
  return {ErrorKind::kFailed, "attach.resident", what + " at this moment.",
          "Wait until that has ended, or end it with: " + end + "."};
}

bool IsControlName(const std::string& name, int64_t inner_pid) {
  constexpr std::string_view kSuffix = "-control";
  const std::string prefix = "cairn-" + std::to_string(inner_pid) + "-";
  if (!name.starts_with(prefix)) return false;
  const std::string_view rest = std::string_view(name).substr(prefix.size());
  const size_t suffix = rest.find(kSuffix);
  if (suffix == 0 || suffix == std::string_view::npos) return false;
  return AllDigits(rest.substr(0, suffix)) && AllDigits(rest.substr(suffix + kSuffix.size()));
}

std::vector<Resident> ConnectToResidents(const Target& target) {
  std::vector<Resident> residents;
  ConnectBelowFolder(target, target.control, residents);
  if (target.control.path != target.tmp.path) ConnectBelowFolder(target, target.tmp, residents);
  return residents;
}

bool HasResident(const Target& target) { return !ConnectToResidents(target).empty(); }

std::vector<Resident> MeetResidents(const Target& target, milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  std::vector<Resident> residents = ConnectToResidents(target);
  for (Resident& resident : residents) Meet(resident, deadline);
  return residents;
}

Status CheckChoice(const Target& target, const std::string& choice, milliseconds timeout) {
  if (choice != "many") return {};
  std::string runtimes, hint;
  size_t count = 0;
  for (const Resident& resident : MeetResidents(target, timeout)) {
    if (!resident.takes_captures) continue;
    runtimes += (count == 0 ? ".NET " : " and .NET ") + resident.runtime;
    hint += (count++ == 0 ? "Capture each: --runtime one=" : ", --runtime one=") + resident.runtime;
  }
  if (count < 2) return {};
  return Fail(
      ErrorKind::kFailed, "target.several_runtimes",
      "Process " + std::to_string(target.pid) + " has " + runtimes + " in it, and a snapshot holds the heap of one.",
      hint + ".");
}

bool TakesCapturesOf(const Resident& resident, const std::string& choice) {
  const std::string wanted = choice.starts_with("one=") ? choice.substr(4) : "";
  const std::string& version = resident.runtime;
  return resident.takes_captures && (wanted.empty() || version == wanted || version.starts_with(wanted + "."));
}

std::optional<Resident> FindCapturing(const Target& target, const std::string& choice, milliseconds timeout) {
  for (Resident& resident : MeetResidents(target, timeout))
    if (TakesCapturesOf(resident, choice)) return std::move(resident);
  return std::nullopt;
}

Status OrderCapture(const Resident& resident, const protocol::Options& options) {
  const std::span payload(reinterpret_cast<const uint8_t*>(&options), sizeof options);
  // Orders are short and rare: they always fit into the socket's buffer.
  if (SendAll(resident.stream.Get(), MakeFrame(FrameKind::kCapture, 0, payload))) return {};
  return Fail(ErrorKind::kFailed, "target.silent", "The collector at " + resident.path + " takes no orders.",
              "Is the process stopped, or another capture going on? Try again in a moment.");
}

}  // namespace cairn::client
