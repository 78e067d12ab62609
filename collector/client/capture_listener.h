#pragma once
// The socket that the collector calls back: beside the target's diagnostics socket, random name, mode
// 0600, owned by the target's user. Closed and unlinked with this object, so that an attach which the
// target carries out too late finds nobody.

#include <optional>
#include <string>

#include "collector/client/target.h"
#include "collector/client/unix_socket.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

class CaptureListener {
 public:
  // Errors: listener.path_too_long, listener.failed.
  static Result<CaptureListener> Open(const Machine& machine, const Target& target);
  CaptureListener(CaptureListener&&) = default;
  CaptureListener& operator=(CaptureListener&&) = delete;
  ~CaptureListener();

  int Fd() const { return socket_.Get(); }
  const std::string& Path() const { return path_; }  // as the target sees it
  // A connection of the target itself; an empty one when somebody else called, or nobody.
  UniqueFd Accept(const Target& target) const;
  // Hangs up on everybody who waits.
  void TurnAwayAll() const;

 private:
  CaptureListener() = default;

  UniqueFd folder_, socket_;
  std::string name_, path_;
};

// "cairn-0123456789abcdef-capture"
bool IsListenerName(const std::string& name);

}  // namespace cairn::client
