#include "collector/client/start_activation.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "collector/client/checks.h"
#include "collector/client/library_placement.h"
#include "collector/client/target.h"
#include "collector/protocol/protocol.h"
#include "collector/protocol/start.h"

namespace cairn::client {
namespace {

constexpr const char* kEnable = "CORECLR_ENABLE_PROFILING";
constexpr const char* kProfiler = "CORECLR_PROFILER";
constexpr const char* kPath = "CORECLR_PROFILER_PATH";
constexpr const char* kControl = "CAIRN_CONTROL_DIR";
constexpr const char* kCall = protocol::kStartVariable;  // of an observation above; nobody answers there

Status CheckFree(const std::vector<std::string>& environment) {
  const std::string profiler = FindVariable(environment, kProfiler).value_or("");
  if (FindVariable(environment, kEnable) != "1" || profiler.empty() || profiler == ClsidText()) return {};
  return Fail(ErrorKind::kFailed, "attach.other_profiler",
              "The command would start with another profiler: CORECLR_PROFILER=" + profiler + ".",
              "Leave out CORECLR_ENABLE_PROFILING; a runtime loads one profiler at its start.");
}

// Whatever their suffix: that of the architecture would be preferred to ours.
void RemoveVariables(std::vector<std::string>& environment, const std::string& prefix) {
  std::erase_if(environment, [&](const std::string& variable) { return variable.starts_with(prefix); });
}

// The folder of what cairn places belongs to this user, and nobody else may write to it.
std::string ParentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

std::string ClsidText() {
  const auto& b = protocol::kCollectorClsid;
  char text[40];
  std::snprintf(text, sizeof text, "{%02X%02X%02X%02X-%02X%02X-%02X%02X-%02X%02X-%02X%02X%02X%02X%02X%02X}", b[3], b[2],
                b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return text;
}

bool KeepsSocketOff(const std::vector<std::string>& environment) {
  Target target;
  target.environment = environment;
  return !CheckSwitches(target);
}

Result<std::vector<std::string>> StartEnvironment(const Machine& machine, std::vector<std::string> environment,
                                                  const std::string& library) {
  Target self;
  self.pid = getpid();
  self.environment = environment;
  CAIRN_TRY(CheckStartSwitches(self));
  CAIRN_TRY(CheckFree(environment));
  const auto located = LocateLibrary(machine, library);
  if (!located) return tl::make_unexpected(located.error());
  auto tmp = OpenTargetFolder(machine, self.pid, machine.own_tmp);
  if (!tmp) return tl::make_unexpected(tmp.error());
  self.tmp = std::move(*tmp);
  const auto placed = PlaceLibrary(machine, self, *located);
  if (!placed) return tl::make_unexpected(placed.error());
  RemoveVariables(environment, kPath);
  for (const char* variable : {kEnable, kProfiler, kControl, kCall})
    RemoveVariables(environment, variable + std::string("="));
  environment.push_back(kEnable + std::string("=1"));
  environment.push_back(kProfiler + ("=" + ClsidText()));
  environment.push_back(kPath + ("=" + placed->path));
  environment.push_back(kControl + ("=" + ParentOf(placed->path)));
  return environment;
}

}  // namespace cairn::client
