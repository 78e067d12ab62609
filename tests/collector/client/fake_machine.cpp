#include "tests/collector/client/fake_machine.h"

#include <algorithm>
#include <filesystem>

#include "tests/collector/client/small_elf.h"

namespace cairn::client::testing {
namespace {

namespace fs = std::filesystem;

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + '\0';
  return text;
}

std::string StatusText(const FakeProcess& process) {
  const std::string uid = std::to_string(process.uid), pid = std::to_string(process.pid);
  const std::string inner = process.inner_pid == process.pid ? "" : "\t" + std::to_string(process.inner_pid);
  return "Name:\tshop\nState:\t" + std::string(1, process.state) + " (whatever)\nUid:\t" + uid + "\t" + uid + "\t" +
         uid + "\t" + uid + "\nGid:\t0\t0\t0\t0\nNSpid:\t" + pid + inner + "\n";
}

// Field 22 is the start time; the command holds what parsers trip over.
std::string StatText(const FakeProcess& process) {
  std::string text = std::to_string(process.pid) + " (a b) c) " + process.state;
  for (int field = 4; field <= 21; ++field) text += " " + std::to_string(field);
  return text + " " + std::to_string(process.start_time) + " 23 24\n";
}

std::string MapsText(const FakeProcess& process) {
  std::string text = "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n";
  int inode = 100;
  for (const std::string& path : process.mapped)
    text += "7f0000002000-7f0000003000 r-xp 00000000 08:01 " + std::to_string(++inode) + "       " + path + "\n";
  return text;
}

}  // namespace

FakeMachine::FakeMachine() {
  for (const char* folder : {"proc", "root", "program", "out"}) fs::create_directories(folder_.File(folder));
  machine_.proc = ProcFs(folder_.File("proc"));
  machine_.own_tmp = Here("/t");
  machine_.program_folder = folder_.File("program");
  machine_.uid = geteuid();
  fs::create_directories(Here("/t"));
}

void FakeMachine::Add(const FakeProcess& process) {
  const std::string folder = folder_.File("proc/" + std::to_string(process.pid));
  fs::create_directories(folder + "/ns");
  fs::create_directories(Here(process.tmp));
  std::vector<std::string> environment = process.environment;
  environment.push_back("TMPDIR=" + process.tmp);
  WriteFile(folder + "/status", StatusText(process));
  WriteFile(folder + "/stat", StatText(process));
  WriteFile(folder + "/maps", MapsText(process));
  WriteFile(folder + "/cmdline", Joined(process.command_line));
  WriteFile(folder + "/statm", "1000 250 30 1 0 200 0\n");
  if (process.readable_environment) WriteFile(folder + "/environ", Joined(environment));
  const std::string program = Here(process.executable);
  fs::create_directories(fs::path(program).parent_path());
  WriteFile(program, process.executable_bytes.empty() ? MakeElf({}) : process.executable_bytes);
  for (const char* link : {"/root", "/exe", "/ns/mnt"}) fs::remove(folder + link);
  fs::create_symlink(folder_.File("root"), folder + "/root");
  fs::create_symlink(program, folder + "/exe");
  fs::create_symlink("mnt:[1]", folder + "/ns/mnt");
}

void FakeMachine::Remove(int64_t pid) { fs::remove_all(folder_.File("proc/" + std::to_string(pid))); }

std::vector<std::string> FakeMachine::Names(const std::string& path) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(Here(path))) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string FakeMachine::AddLibrary(const std::string& bytes) {
  const std::string path = machine_.program_folder + "/libcairn_collector.so";
  WriteFile(path, bytes);
  return path;
}

}  // namespace cairn::client::testing
