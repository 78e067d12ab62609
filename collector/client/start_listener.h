#pragma once
// Where processes call that are started in order to be observed: the variables that make their runtimes load the
// collector, and the socket on which that calls before any managed code runs. The process waits until it is answered;
// when this object or its connection goes, it goes on without a collector.

#include <cstdint>
#include <string>
#include <vector>

#include "collector/client/capture_listener.h"
#include "collector/client/machine.h"
#include "collector/client/posix.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

// A process that waits with its start.
struct WaitingProcess {
  int64_t pid = 0;
  UniqueFd stream;
};

class StartListener {
 public:
  // Errors: those of StartEnvironment and CaptureListener.
  static Result<StartListener> Open(const Machine& machine, const std::vector<std::string>& environment,
                                    const std::string& library);

  // With which the command is to be started.
  const std::vector<std::string>& Environment() const { return environment_; }
  const std::vector<uint8_t>& Nonce() const { return nonce_; }
  const CaptureListener& Socket() const { return socket_; }
  // One that calls; one without a stream where nobody does.
  WaitingProcess Accept(const Machine& machine) const;
  // Was this process told to call here?
  bool Expects(const std::vector<std::string>& environment) const;

 private:
  explicit StartListener(CaptureListener socket) : socket_(std::move(socket)) {}

  CaptureListener socket_;
  std::vector<uint8_t> nonce_;
  std::string variable_;
  std::vector<std::string> environment_;
};

}  // namespace cairn::client
