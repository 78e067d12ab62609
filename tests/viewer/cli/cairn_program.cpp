#include "tests/viewer/cli/cairn_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace cairn::cli::testing {
namespace {

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  void CloseRead() { Close(ends[0]); }
  void CloseWrite() { Close(ends[1]); }
  static void Close(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

[[noreturn]] void Become(const std::vector<std::string>& arguments, const std::string& folder, int out, int err,
                         unsigned most_files) {
  std::vector<char*> argv = {const_cast<char*>(CAIRN_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (chdir(folder.c_str()) != 0) _exit(126);
  if (out < 0)
    close(STDOUT_FILENO);
  else
    dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const rlimit few{most_files, most_files};
  if (most_files != 0 && setrlimit(RLIMIT_NOFILE, &few) != 0) _exit(125);
  execv(CAIRN_PROGRAM, argv.data());
  _exit(127);
}

// Both at once, so that neither pipe can fill up and stop the program.
void ReadBoth(Pipe& out, Pipe& err, Outcome& outcome) {
  pollfd polled[] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
  std::string* texts[] = {&outcome.out, &outcome.err};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (poll(polled, 2, -1) < 0) throw std::runtime_error("poll failed");
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t got = read(polled[i].fd, buffer, sizeof buffer);
      if (got <= 0)
        polled[i].fd = -1;
      else
        texts[i]->append(buffer, static_cast<size_t>(got));
    }
  }
}

int ExitCode(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

Outcome RunCairn(const std::vector<std::string>& arguments, const std::string& folder, StandardOutput output,
                 unsigned most_files) {
  Pipe out, err;
  int target = out.ends[1];
  if (output == StandardOutput::kClosedPipe) out.CloseRead();
  if (output == StandardOutput::kFullDisk) target = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (output == StandardOutput::kClosed) target = -1;
  const pid_t child = fork();
  if (child == 0) Become(arguments, folder, target, err.ends[1], most_files);
  if (output == StandardOutput::kFullDisk) close(target);
  out.CloseWrite();
  err.CloseWrite();
  Outcome outcome;
  ReadBoth(out, err, outcome);
  outcome.code = ExitCode(child);
  return outcome;
}

}  // namespace cairn::cli::testing
