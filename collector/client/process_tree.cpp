#include "collector/client/process_tree.h"

#include <algorithm>
#include <map>

#include "collector/client/checks.h"
#include "collector/client/control_socket.h"
#include "collector/client/diagnostics_ipc.h"

namespace cairn::client {
namespace {

// Sockets of earlier processes of that number lie beside its own.
bool Listens(const Target& target) {
  return std::any_of(target.sockets.begin(), target.sockets.end(), [&](const std::string& name) {
    return IsListening({target.tmp.fd.Get(), name});
  });
}

}  // namespace

std::vector<int64_t> ProcessTree(const ProcFs& proc, int64_t root) {
  std::multimap<int64_t, int64_t> children;  // by parent
  for (const int64_t pid : proc.Pids())
    if (const auto parent = proc.Parent(pid)) children.emplace(*parent, pid);
  std::vector<int64_t> tree = {root};
  for (size_t at = 0; at < tree.size(); ++at) {
    const auto [first, last] = children.equal_range(tree[at]);
    for (auto child = first; child != last; ++child) tree.push_back(child->second);
  }
  return tree;
}

bool IsCalled(const Target& target, const std::string& name) {
  if (name.empty()) return true;
  const std::string& program = target.executable;
  return NameOf(target) == name || program.substr(program.rfind('/') + 1) == name;
}

std::optional<Target> FindWatched(const Machine& machine, int64_t root, const std::string& name) {
  for (const int64_t pid : ProcessTree(machine.proc, root)) {
    auto target = InspectTarget(machine, pid);
    if (target && IsCalled(*target, name) && (Listens(*target) || HasResident(*target))) return std::move(*target);
  }
  return std::nullopt;
}

Status CheckTreeSwitches(const Machine& machine, int64_t root, const std::string& name, bool at_start) {
  for (const int64_t pid : ProcessTree(machine.proc, root)) {
    const auto target = InspectTarget(machine, pid);
    if (target && target->sockets.empty() && target->Maps("libcoreclr.so") && IsCalled(*target, name))
      CAIRN_TRY(at_start ? CheckStartSwitches(*target) : CheckSwitches(*target));
  }
  return {};
}

}  // namespace cairn::client
