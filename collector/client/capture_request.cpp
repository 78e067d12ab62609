#include "collector/client/capture_request.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace cairn::client {
namespace {

constexpr milliseconds kLongestClientDeadline{30000};

bool KnownRuntimeChoice(const std::string& runtime) {
  constexpr std::string_view kOne = "one=";
  return runtime == "first" || runtime == "many" || (runtime.starts_with(kOne) && runtime.size() > kOne.size());
}

}  // namespace

Status CheckRequest(const CaptureRequest& request) {
  if (request.timeout <= milliseconds(0))
    return Fail(ErrorKind::kUsage, "usage.timeout", "The time-out must be longer than nothing.", "Pass --timeout 60s.");
  if (!KnownRuntimeChoice(request.runtime))
    return Fail(ErrorKind::kUsage, "usage.runtime", "--runtime does not know " + request.runtime + ".",
                "Pass first, one=VERSION or many.");
  if (request.wait_natural_ms > 0 && (request.gc != protocol::GcRequest::kYoung || request.light))
    return Fail(ErrorKind::kUsage, "usage.wait_natural", "--wait-natural waits for a young collection only.",
                "Leave it out, or leave out --gc full and --light.");
  return {};
}

Status CheckRuntime(const CaptureRequest& request, const std::string& version) {
  if (!request.runtime.starts_with("one=")) return {};
  const std::string wanted = request.runtime.substr(4);
  if (version == wanted || version.starts_with(wanted + ".")) return {};
  return Fail(
      ErrorKind::kFailed, "target.other_runtime",
      "The process runs .NET " + (version.empty() ? "of an unknown version" : version) + ", not " + wanted + ".",
      "Leave out --runtime.");
}

std::string DefaultOutput(const std::string& name, int64_t pid, std::time_t now) {
  std::string safe = name.empty() ? "process" : name;
  for (char& c : safe)
    if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '_';
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d_%H%M%S", &local);
  return safe + "_" + std::to_string(pid) + "_" + stamp + ".cairn";
}

Status CheckOutput(const std::string& output, bool overwrite) {
  std::error_code error;
  const std::filesystem::path path = output;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error))
    return Fail(ErrorKind::kFailed, "output.no_folder", "There is no folder " + folder.string() + " to write to.",
                "Make it first, or name another.");
  if (std::filesystem::is_directory(path, error))
    return Fail(ErrorKind::kUsage, "output.exists", output + " is a folder.", "Name a file.");
  if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    return Fail(ErrorKind::kUsage, "output.exists", output + " exists already.", "Pass --force to replace it.");
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return Fail(ErrorKind::kFailed, "output.unwritable",
              folder.string() + " cannot be written to: " + ErrnoText(errno) + ".", "Name another.");
}

// A fork takes as long as the page tables are large, which is known beforehand. How much of the memory is heap is
// known to the collector only, in the pause.
Status CheckPause(const CaptureRequest& request, const MachineConstants& machine, uint64_t resident_bytes) {
  if (request.max_pause_ms == 0 || request.method != protocol::WalkMethod::kFork) return {};
  const double ns_per_mib =
      machine.fork_ns_per_resident_mib != 0 ? machine.fork_ns_per_resident_mib : kUsualForkNsPerMib;
  const double expected_ms = ns_per_mib * static_cast<double>(resident_bytes) / (1 << 20) / 1e6;
  if (expected_ms <= request.max_pause_ms) return {};
  return Fail(ErrorKind::kFailed, "pause.over_limit",
              "A fork of the process would take about " + std::to_string(static_cast<uint64_t>(expected_ms)) +
                  " ms, and " + std::to_string(request.max_pause_ms) + " ms are allowed.",
              "Raise --max-pause, or leave out --method fork.");
}

protocol::GcRequest EffectiveGc(const CaptureRequest& request) {
  return request.light ? protocol::GcRequest::kFull : request.gc;
}

protocol::Options MakeOptions(const CaptureRequest& request, std::span<const uint8_t> nonce,
                              const std::string& socket_path, const MachineConstants& machine) {
  protocol::Options options;
  options.size = sizeof options;
  options.gc = EffectiveGc(request);
  options.method = request.method;
  options.strings = request.strings;
  options.self_check = request.self_check;
  options.max_pause_ms = request.max_pause_ms;
  options.client_deadline_ms = static_cast<uint32_t>(std::min(request.timeout, kLongestClientDeadline).count());
  options.walk_ps_per_object = machine.walk_ps_per_object;
  options.fork_ns_per_resident_mib = machine.fork_ns_per_resident_mib;
  options.values = request.values;
  options.light = request.light;
  options.wait_natural_ms = request.wait_natural_ms;
  std::memcpy(options.nonce, nonce.data(), sizeof options.nonce);
  std::memcpy(options.socket_path, socket_path.data(), std::min(socket_path.size(), sizeof options.socket_path - 1));
  return options;
}

}  // namespace cairn::client
