#include "viewer/cli/target_options.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <system_error>

namespace cairn::cli {

Result<int64_t> ParsePid(const std::string& text) {
  int32_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size() || pid <= 0)
    return Fail(ErrorKind::kUsage, "usage.bad_pid", fmt::format("'{}' is not a process id", text),
                "cairn ps lists the .NET processes; -n NAME takes a name.");
  return pid;
}

void TargetOptions::Configure(CommandLine& line, const std::string& argument) {
  const bool or_file = argument != "PID";
  line.Argument(argument, pid_argument_, false,
                or_file ? "the process, by its id, or a snapshot" : "the process, by its id");
  line.Text("-p,--process-id", pid_option_, "PID", "the process, by its id");
  line.Text("-n,--name", name_, "NAME", "the process, by its name");
  line.Text("--diagnostic-port", port_, "SOCKET", "the process, by its diagnostics socket");
}

int TargetOptions::Given() const {
  return !pid_argument_.empty() + !pid_option_.empty() + !name_.empty() + !port_.empty();
}

std::string TargetOptions::File() const {
  std::error_code ignored;
  const bool is_path = pid_argument_.find_first_of("/.") != std::string::npos;
  if (Given() != 1 || ParsePid(pid_argument_) || !(is_path || std::filesystem::exists(pid_argument_, ignored)))
    return {};
  return pid_argument_;
}

Result<client::TargetName> TargetOptions::Target(const std::string& command) const {
  if (Given() == 0)
    return Fail(ErrorKind::kUsage, "usage.no_target", fmt::format("{} needs a process", command),
                fmt::format("cairn {} PID, or -n NAME, or --diagnostic-port SOCKET; cairn ps lists them.", command));
  if (Given() > 1)
    return Fail(ErrorKind::kUsage, "usage.several_targets", fmt::format("{} takes one process, named once", command),
                "Give one of PID, -p, -n and --diagnostic-port.");
  client::TargetName target;
  target.name = name_;
  target.diagnostic_port = port_;
  if (!name_.empty() || !port_.empty()) return target;
  auto pid = ParsePid(pid_argument_.empty() ? pid_option_ : pid_argument_);
  if (!pid) return tl::make_unexpected(std::move(pid).error());
  target.pid = *pid;
  return target;
}

}  // namespace cairn::cli
