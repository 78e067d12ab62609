#include "collector/client/start_listener.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "collector/client/start_activation.h"
#include "collector/client/target_folder.h"
#include "collector/protocol/protocol.h"
#include "collector/protocol/start.h"

namespace cairn::client {
namespace {

std::string Hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

Result<CaptureListener> ListenFor(const Machine& machine) {
  Target self;
  self.pid = getpid();
  self.status.uid = machine.uid;
  auto tmp = OpenTargetFolder(machine, self.pid, machine.own_tmp);
  if (!tmp) return tl::make_unexpected(tmp.error());
  self.tmp = std::move(*tmp);
  return CaptureListener::Open(machine, self);
}

}  // namespace

Result<StartListener> StartListener::Open(const Machine& machine, const std::vector<std::string>& environment,
                                          const std::string& library) {
  auto prepared = StartEnvironment(machine, environment, library);
  if (!prepared) return tl::make_unexpected(prepared.error());
  auto socket = ListenFor(machine);
  if (!socket) return tl::make_unexpected(socket.error());
  StartListener start(std::move(*socket));
  start.nonce_.resize(protocol::kNonceBytes);
  FillRandom(start.nonce_);
  start.variable_ = std::string(protocol::kStartVariable) + "=" + Hex(start.nonce_) + ":" + start.socket_.Path();
  prepared->push_back(start.variable_);
  start.environment_ = std::move(*prepared);
  return start;
}

WaitingProcess StartListener::Accept(const Machine& machine) const {
  UniqueFd stream(accept4(socket_.Fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!stream) return {};
  const Peer peer = PeerOf(stream.Get());
  if (peer.pid == 0 || peer.uid != machine.uid) return {};
  return {peer.pid, std::move(stream)};
}

bool StartListener::Expects(const std::vector<std::string>& environment) const {
  return std::ranges::find(environment, variable_) != environment.end();
}

}  // namespace cairn::client
