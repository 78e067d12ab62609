#pragma once
// The sockets of collectors that stayed in a process, one for each of its runtimes: cairn-PID-STARTTIME-control,
// …-control2 and so on, numbers as the process sees them; in its CAIRN_CONTROL_DIR or beside the diagnostics socket.

#include <optional>
#include <string>
#include <vector>

#include "collector/client/posix.h"
#include "collector/client/target.h"
#include "collector/protocol/protocol.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

bool IsControlName(const std::string& name, int64_t inner_pid);

// A collector that stayed, connected to. Anybody may bind a socket of that name in a folder for all; only the target's
// own counts.
struct Resident {
  std::string path;  // of its socket, as the target sees it
  UniqueFd stream;
  bool takes_captures = false;  // it was loaded at the start, and takes light ones; else it serves a client already
  std::string runtime{};        // its version, as far as it said so
  bool greeted = false;         // one that is about to leave does not,
  bool gone = false;            // and hangs up once it has
  bool stays = false;           // its runtime lets it go no more
  // What it does for a client at this moment.
  protocol::ObserverKind observes = protocol::ObserverKind::kNone;
  bool follows = false;  // objects, for cairn watch --track

  bool IsBusy() const { return follows || observes != protocol::ObserverKind::kNone; }
};

// "cairn log watches process 7 at this moment.", and what can be done about it.
Error InUse(const Resident& resident, int64_t pid);

bool HasResident(const Target& target);
// All of them, without waiting for what they say.
std::vector<Resident> ConnectToResidents(const Target& target);
// All of them, each with what it says of itself within `timeout`.
std::vector<Resident> MeetResidents(const Target& target, milliseconds timeout);
// --runtime many of a process in which several take captures. Error target.several_runtimes names them.
Status CheckChoice(const Target& target, const std::string& choice, milliseconds timeout);
// Whether it takes captures, and is of the runtime that `choice` names: first, many, or one=VERSION.
bool TakesCapturesOf(const Resident& resident, const std::string& choice);
// The first that does.
std::optional<Resident> FindCapturing(const Target& target, const std::string& choice, milliseconds timeout);

// Asks for a capture, over a connection that the collector opens to the socket which the options name.
Status OrderCapture(const Resident& resident, const protocol::Options& options);

}  // namespace cairn::client
