#include "collector/client/control_socket.h"

#include <string_view>

#include "collector/client/socket_finder.h"
#include "collector/client/unix_socket.h"

namespace cairn::client {
namespace {

// Anybody may bind a socket of that name in a folder for all; only the target's own counts.
bool IsServedBy(const Target& target, const std::string& name) {
  const UniqueFd fd = ConnectBelow(target.tmp.fd.Get(), name);
  return fd && PeerOf(fd.Get()).pid == target.pid;
}

}  // namespace

bool IsControlName(const std::string& name, int64_t inner_pid) {
  const std::string prefix = "cairn-" + std::to_string(inner_pid) + "-";
  if (!name.starts_with(prefix)) return false;
  const std::string_view rest = std::string_view(name).substr(prefix.size());
  const size_t digits = rest.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && rest.substr(digits) == "-control";
}

std::optional<std::string> FindControlSocket(const Target& target) {
  if (!target.tmp.fd) return std::nullopt;
  for (const std::string& name : FolderEntries(target.tmp.fd.Get()))
    if (IsControlName(name, target.status.inner_pid) && IsServedBy(target, name)) return name;
  return std::nullopt;
}

}  // namespace cairn::client
