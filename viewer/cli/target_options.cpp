#include "viewer/cli/target_options.h"

#include <fmt/format.h>

#include <charconv>

namespace cairn::cli {

Result<int64_t> ParsePid(const std::string& text) {
  int32_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size() || pid <= 0)
    return Fail(ErrorKind::kUsage, "usage.bad_pid", fmt::format("'{}' is not a process id", text),
                "cairn ps lists the .NET processes; -n NAME takes a name.");
  return pid;
}

void TargetOptions::Configure(CommandLine& line) {
  line.Argument("PID", words_.pid_argument, false, "the process, by its id");
  line.Text("-p,--process-id", words_.pid_option, "PID", "the process, by its id");
  line.Text("-n,--name", words_.name, "NAME", "the process, by its name");
  line.Text("--diagnostic-port", words_.port, "SOCKET", "the process, by its diagnostics socket");
}

Result<client::TargetName> MakeTarget(const std::string& command, const TargetWords& words) {
  const int given = !words.pid_argument.empty() + !words.pid_option.empty() + !words.name.empty() + !words.port.empty();
  if (given == 0)
    return Fail(ErrorKind::kUsage, "usage.no_target", fmt::format("{} needs a process", command),
                fmt::format("cairn {} PID, or -n NAME, or --diagnostic-port SOCKET; cairn ps lists them.", command));
  if (given > 1)
    return Fail(ErrorKind::kUsage, "usage.several_targets", fmt::format("{} takes one process, named once", command),
                "Give one of PID, -p, -n and --diagnostic-port.");
  client::TargetName target;
  target.name = words.name;
  target.diagnostic_port = words.port;
  if (!words.name.empty() || !words.port.empty()) return target;
  auto pid = ParsePid(words.pid_argument.empty() ? words.pid_option : words.pid_argument);
  if (!pid) return tl::make_unexpected(std::move(pid).error());
  target.pid = *pid;
  return target;
}

}  // namespace cairn::cli
