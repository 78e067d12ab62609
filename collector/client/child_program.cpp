#include "collector/client/child_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "collector/client/posix.h"

namespace cairn::client {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

Result<ChildProgram> ChildProgram::Start(const std::vector<std::string>& command) {
  return Start(command, OwnEnvironment());
}

Result<ChildProgram> ChildProgram::Start(const std::vector<std::string>& command,
                                         const std::vector<std::string>& environment) {
  const std::vector<char*> arguments = Pointers(command), variables = Pointers(environment);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Ignored here, and a program inherits what is ignored.
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGPIPE);
  sigaddset(&ours, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &ours);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0], nullptr, &attributes, arguments.data(), variables.data());
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return ChildProgram(pid);
  return Fail(ErrorKind::kFailed, "run.not_started", command[0] + " cannot be started: " + ErrnoText(error) + ".",
              "Is it on PATH, and executable?");
}

bool ChildProgram::HasEnded() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_;
}

int ChildProgram::Reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace cairn::client
