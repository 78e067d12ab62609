#pragma once
// A /proc and a target's file system in a temporary folder.

#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collector/client/machine.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client::testing {

struct FakeProcess {
  int64_t pid = getpid();  // the peer of its sockets is this test
  int64_t inner_pid = 7;
  char state = 'S';
  uid_t uid = geteuid();
  uint64_t start_time = 4711;
  std::string tmp = "/t";  // as it sees it
  std::vector<std::string> environment;
  std::vector<std::string> command_line = {"/usr/bin/dotnet", "/app/shop.dll", "--fast"};
  std::vector<std::string> mapped = {"/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so",
                                     "/lib/x86_64-linux-gnu/libc.so.6"};
  std::string executable = "/usr/bin/dotnet";  // below its root; an ELF file is put there
  std::string executable_bytes;                // empty: a plain x64 program
  bool readable_environment = true;
};

class FakeMachine {
 public:
  FakeMachine();

  void Add(const FakeProcess& process);
  void Remove(int64_t pid);
  const client::Machine& Machine() const { return machine_; }
  client::Machine& Machine() { return machine_; }
  // A path of the target's, as this test reaches it.
  std::string Here(const std::string& path) const { return folder_.File("root") + path; }
  std::string File(const std::string& name) const { return folder_.File(name); }
  // Names in a folder of the target's, sorted.
  std::vector<std::string> Names(const std::string& path) const;
  // A collector library beside the program.
  std::string AddLibrary(const std::string& bytes);

 private:
  snapshot::testing::TemporaryFolder folder_;
  client::Machine machine_;
};

}  // namespace cairn::client::testing
