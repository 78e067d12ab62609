#include "collector/client/diagnostics_ipc.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "collector/client/hresult_words.h"
#include "collector/client/unix_socket.h"

namespace cairn::client {
namespace {

tl::unexpected<Error> ConnectError(const IpcAddress& address, int error) {
  const std::string where = "diagnostics socket " + address.name;
  if (error == ECONNREFUSED)
    return Fail(ErrorKind::kFailed, "target.socket_stale", "Nobody listens on the " + where + ".",
                "Its process has ended, or has not begun to listen: try again.");
  if (error == EACCES || error == EPERM)
    return Fail(ErrorKind::kFailed, "target.other_user", "The " + where + " belongs to another user.",
                "Run cairn as the target's user or as root.");
  if (error == EAGAIN)
    return Fail(ErrorKind::kFailed, "ipc.busy", "Too many connections wait at the " + where + ".",
                "The runtime does not answer anybody; is it stopped?");
  return Fail(ErrorKind::kFailed, "target.no_socket", "The " + where + " cannot be opened: " + ErrnoText(error) + ".",
              "cairn ps lists the .NET processes.");
}

tl::unexpected<Error> Closed() {
  return Fail(ErrorKind::kFailed, "ipc.closed", "The runtime closed its diagnostics connection without an answer.",
              "Did the process end? cairn ps shows what runs.");
}

tl::unexpected<Error> NotResponding(milliseconds timeout) {
  return Fail(ErrorKind::kFailed, "target.not_responding",
              "The runtime did not answer within " + std::to_string(timeout.count()) + " ms.",
              "It may be stopped, in a debugger, or busy with another tool; cairn doctor PID tells.");
}

}  // namespace

Result<IpcExchange> IpcExchange::Start(const IpcAddress& address, std::vector<uint8_t> request, pid_t only) {
  IpcExchange exchange;
  exchange.request_ = std::move(request);
  exchange.fd_ = ConnectBelow(address.folder_fd, address.name);
  if (!exchange.fd_) return ConnectError(address, errno);
  exchange.peer_ = PeerOf(exchange.Fd()).pid;
  if (only != 0 && exchange.peer_ != 0 && exchange.peer_ != only)
    return Fail(ErrorKind::kFailed, "target.no_socket",
                "Another process than " + std::to_string(only) + " listens on its diagnostics socket now.",
                "Did it end? cairn ps shows what runs.");
  // The connection is open: the whole request leaves before anything else happens.
  if (auto sent = exchange.Send(); !sent) return tl::make_unexpected(sent.error());
  return exchange;
}

short IpcExchange::Events() const { return sent_ < request_.size() ? POLLOUT : POLLIN; }

Result<bool> IpcExchange::Advance() { return sent_ < request_.size() ? Send() : Receive(); }

Result<bool> IpcExchange::Send() {
  while (sent_ < request_.size()) {
    const ssize_t sent = send(Fd(), request_.data() + sent_, request_.size() - sent_, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return false;
    if (sent < 0) return Closed();
    sent_ += static_cast<size_t>(sent);
  }
  return false;
}

Result<bool> IpcExchange::Receive() {
  while (received_.size() < expected_) {
    const size_t had = received_.size();
    received_.resize(expected_);
    const ssize_t got = recv(Fd(), received_.data() + had, expected_ - had, 0);
    received_.resize(had + static_cast<size_t>(got > 0 ? got : 0));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return false;
    if (got <= 0) return Closed();
    if (received_.size() != kIpcHeaderBytes) continue;
    const auto size = AnswerSize(received_);
    if (!size) return tl::make_unexpected(size.error());
    expected_ = *size;
  }
  return true;
}

bool IsListening(const IpcAddress& address, pid_t only) {
  const UniqueFd connection = ConnectBelow(address.folder_fd, address.name);
  if (!connection) return errno != ECONNREFUSED;
  const pid_t peer = PeerOf(connection.Get()).pid;
  return only == 0 || peer == 0 || peer == only;
}

Result<IpcAnswer> RunCommand(const IpcAddress& address, std::vector<uint8_t> request, milliseconds timeout, pid_t* peer,
                             UniqueFd* connection) {
  const auto deadline = Clock::now() + timeout;
  auto exchange = IpcExchange::Start(address, std::move(request));
  if (!exchange) return tl::make_unexpected(exchange.error());
  if (peer) *peer = exchange->PeerPid();
  while (Clock::now() < deadline) {
    pollfd entry{exchange->Fd(), exchange->Events(), 0};
    if (poll(&entry, 1, MillisecondsUntil(deadline)) <= 0) continue;
    const auto done = exchange->Advance();
    if (!done) return tl::make_unexpected(done.error());
    if (!*done) continue;
    if (connection) *connection = exchange->TakeConnection();
    return exchange->Answer();
  }
  return NotResponding(timeout);
}

Result<RuntimeInfo> AskProcessInfo(const IpcAddress& address, milliseconds timeout, pid_t* peer) {
  uint32_t refused = 0;
  for (const auto version : {ProcessInfoVersion::k3, ProcessInfoVersion::k2, ProcessInfoVersion::k1}) {
    const auto answer = RunCommand(address, ProcessInfoRequest(version), timeout, peer);
    if (!answer) return tl::make_unexpected(answer.error());
    if (answer->ok) return ParseProcessInfo(version, answer->payload);
    refused = answer->hresult;
    if (refused != kUnknownCommand) break;
  }
  return tl::make_unexpected(HresultError(refused));
}

}  // namespace cairn::client
