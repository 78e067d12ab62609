#pragma once
// One process, looked at from outside before anything is done to it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collector/client/diagnostics_ipc.h"
#include "collector/client/machine.h"
#include "collector/client/target_folder.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

enum class Libc { kUnknown, kGlibc, kMusl };

struct Target {
  int64_t pid = 0;
  ProcStatus status;
  uint64_t start_time = 0;
  std::string executable;  // as the target sees it
  std::vector<std::string> command_line;
  std::optional<std::vector<std::string>> environment;
  std::optional<std::vector<MappedFile>> maps;
  TargetFolder tmp;                  // its temporary folder; not open when it cannot be
  bool tmp_missing = false;          // there is no such folder
  TargetFolder control;              // its CAIRN_CONTROL_DIR; not open where there is none
  std::vector<std::string> sockets;  // names of its diagnostics sockets there, the likeliest first
  std::string bundled_version;       // of the runtime that a self-contained application says it brings; may be empty

  bool Maps(const std::string& file_name) const;  // a mapped file of that name
  std::string MappedPath(const std::string& file_name) const;
  IpcAddress Socket() const;  // sockets must not be empty
};

// Error target.not_found.
Result<Target> InspectTarget(const Machine& machine, int64_t pid);

bool IsNativeAot(const Machine& machine, const Target& target);
bool IsDotnet(const Machine& machine, const Target& target);
Libc LibcOf(const Target& target);
const char* LibcName(Libc libc);
// The executable's ELF machine; 0 when it cannot be read.
uint16_t MachineOf(const Machine& machine, const Target& target);
// Short name for people: the entry assembly, the managed program of `dotnet x.dll`, or the executable.
std::string NameOf(const Target& target, const std::string& entry_assembly = {});
// Where the runtime does not tell: from the folder of libcoreclr.so (".../10.0.12/libcoreclr.so"), or from what lies
// there.
std::string RuntimeVersionOf(const Target& target);

}  // namespace cairn::client
