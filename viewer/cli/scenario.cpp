#include "viewer/cli/scenario.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

extern char** environ;

namespace cairn::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{5};
constexpr milliseconds kPatience{3000};  // between a polite end and a hard one

// The process that waits for its end takes an interrupt, not the scenario: it is in a group of its own.
class Spawning {
 public:
  Spawning() {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
  }
  ~Spawning() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  // 0, or why not.
  int Shell(const std::string& command, std::vector<std::string> environment, pid_t& child) {
    std::string shell = "sh", option = "-c", text = command;
    char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    std::vector<char*> variables;
    for (std::string& variable : environment) variables.push_back(variable.data());
    variables.push_back(nullptr);
    return posix_spawn(&child, "/bin/sh", &files_, &attributes_, arguments, variables.data());
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

std::vector<std::string> EnvironmentWith(int64_t pid, uint64_t iteration) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("CAIRN_PID=") && !text.starts_with("CAIRN_ITERATION=")) variables.emplace_back(text);
  }
  variables.push_back(fmt::format("CAIRN_PID={}", pid));
  variables.push_back(fmt::format("CAIRN_ITERATION={}", iteration));
  return variables;
}

// False: not within this time.
bool EndsWithin(pid_t child, milliseconds time, int& status) {
  for (milliseconds waited{0}; waited < time; waited += kLook) {
    if (waitpid(child, &status, WNOHANG) == child) return true;
    std::this_thread::sleep_for(kLook);
  }
  return false;
}

void End(pid_t child) {
  int status = 0;
  kill(-child, SIGTERM);
  const bool ended = EndsWithin(child, kPatience, status);
  kill(-child, SIGKILL);  // also what it left behind
  if (!ended) waitpid(child, &status, 0);
}

Status Outcome(int status, const std::string& command, uint64_t iteration) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string end =
      WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status)) : fmt::format("signal {}", WTERMSIG(status));
  return Fail(ErrorKind::kFailed, "grow.scenario_failed",
              fmt::format("the scenario '{}' ended with {} in iteration {}", command, end, iteration),
              "Let it end with 0 when it did its work; its output is above.");
}

}  // namespace

Status RunScenario(const std::string& command, int64_t pid, uint64_t iteration, const std::atomic<bool>& cancel) {
  pid_t child = 0;
  if (const int reason = Spawning().Shell(command, EnvironmentWith(pid, iteration), child); reason != 0)
    return Fail(ErrorKind::kFailed, "grow.no_shell", fmt::format("/bin/sh cannot be started: {}", strerror(reason)));
  int status = 0;
  while (!EndsWithin(child, milliseconds{50}, status)) {
    if (!cancel.load()) continue;
    End(child);
    return Fail(ErrorKind::kFailed, "cancelled", "interrupted while the scenario ran");
  }
  return Outcome(status, command, iteration);
}

}  // namespace cairn::cli
