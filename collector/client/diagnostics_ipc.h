#pragma once
// One command to a runtime's diagnostics server: connect, send, read the answer; each with a time-out.
// The server reads one command at a time and waits without end, so nothing here connects without sending.

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collector/client/ipc_messages.h"
#include "collector/client/posix.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// Where a runtime listens. `folder_fd` must outlive its use; -1: `name` is a whole path.
struct IpcAddress {
  int folder_fd = -1;
  std::string name;
};

// A command on its way; never blocks. Poll Fd() for Events(), then call Advance.
class IpcExchange {
 public:
  // Errors: target.socket_stale (nobody listens), target.other_user, target.no_socket, ipc.busy.
  // `only`: nothing is sent where another process listens (target.no_socket); 0: whoever listens.
  static Result<IpcExchange> Start(const IpcAddress& address, std::vector<uint8_t> request, pid_t only = 0);

  int Fd() const { return fd_.Get(); }
  short Events() const;
  // Goes on as far as possible; true when the answer is there. Errors: ipc.closed, ipc.bad_answer.
  Result<bool> Advance();
  Result<IpcAnswer> Answer() const { return ParseAnswer(received_); }
  // The connection, once the answer is there: of a trace, whose events follow.
  UniqueFd TakeConnection() { return std::move(fd_); }
  // Process that listens, as this process sees it; 0 when it is not visible from here.
  pid_t PeerPid() const { return peer_; }

 private:
  Result<bool> Send();
  Result<bool> Receive();

  UniqueFd fd_;
  pid_t peer_ = 0;
  std::vector<uint8_t> request_;
  size_t sent_ = 0;
  std::vector<uint8_t> received_;
  size_t expected_ = kIpcHeaderBytes;
};

// Does anybody listen there, or `only` that process? A file outlives its process, and the next process may be given the
// same number. The runtime sees a connection that closes without a word, and drops it.
bool IsListening(const IpcAddress& address, pid_t only = 0);

// Runs one command to its end; `connection` is left open where it is asked for. Error target.not_responding when
// `timeout` runs out.
Result<IpcAnswer> RunCommand(const IpcAddress& address, std::vector<uint8_t> request, milliseconds timeout,
                             pid_t* peer = nullptr, UniqueFd* connection = nullptr);

// ProcessInfo3, else 2, else 1, whatever the runtime knows; `timeout` for each.
Result<RuntimeInfo> AskProcessInfo(const IpcAddress& address, milliseconds timeout, pid_t* peer = nullptr);

}  // namespace cairn::client
