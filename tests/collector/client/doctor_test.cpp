#include "collector/client/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "collector/client/checks.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeElf;

// What is sound has none, but for what limits captures.
bool HasItsRemedy(const Probe& probe) {
  const bool may_limit = probe.name == "profiler" || probe.name == "start-up";
  const bool limits = may_limit && probe.detail.find(kLightOrFullOnly) != std::string::npos;
  return probe.remedy.has_value() == (!probe.ok || limits);
}

class DoctorTest : public ::testing::Test {
 protected:
  DoctorTest() {
    machine_.Add({});
    machine_.AddLibrary(MakeElf({}));
    runtime_ = std::make_unique<FakeRuntime>(machine_.Here("/t/dotnet-diagnostic-7-4711-socket"));
  }
  // Names of the probes that are not ok; each must have its sentence and remedy.
  std::vector<std::string> Broken() {
    std::vector<std::string> names;
    probes_ = DiagnoseOn(machine_.Machine(), getpid());
    for (const Probe& probe : probes_) {
      EXPECT_FALSE(probe.detail.empty()) << probe.name;
      EXPECT_TRUE(HasItsRemedy(probe)) << probe.name;
      if (!probe.ok) names.push_back(probe.name);
    }
    return names;
  }
  std::string Detail(const std::string& name) const {
    const auto found = std::find_if(probes_.begin(), probes_.end(), [&](auto& probe) { return probe.name == name; });
    return found == probes_.end() ? "no such probe" : found->detail;
  }

  FakeMachine machine_;
  std::unique_ptr<FakeRuntime> runtime_;
  std::vector<Probe> probes_;
};

TEST_F(DoctorTest, AHealthyTargetPassesEveryLink) {
  EXPECT_THAT(Broken(), IsEmpty());
  std::vector<std::string> names;
  for (const Probe& probe : probes_) names.push_back(probe.name);
  EXPECT_THAT(names, ElementsAre("process", "user", "state", "dotnet", "switches", "socket", "answers", "profiler",
                                 "start-up", "library", "architecture", "placement", "memory"));
  EXPECT_THAT(Detail("answers"), HasSubstr("10.0.12"));
  EXPECT_THAT(Detail("architecture"), HasSubstr("x64, glibc"));
  // Nothing was changed.
  EXPECT_THAT(machine_.Names("/t"), ElementsAre("dotnet-diagnostic-7-4711-socket"));
  EXPECT_THAT(runtime_->Attaches(), IsEmpty());
}

TEST_F(DoctorTest, NoProcess) {
  const auto probes = DiagnoseOn(machine_.Machine(), 99);
  ASSERT_EQ(probes.size(), 1u);
  EXPECT_EQ(probes[0].name, "process");
  EXPECT_FALSE(probes[0].ok);
}

TEST_F(DoctorTest, AnotherUser) {
  FakeProcess process;
  process.uid = geteuid() + 1;
  machine_.Machine().uid = geteuid() + 2;
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("user"));
}

TEST_F(DoctorTest, StoppedIsNotAsked) {
  FakeProcess process;
  process.state = 'T';
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("state", "answers"));
  EXPECT_THAT(Detail("state"), HasSubstr("SIGSTOP"));
  EXPECT_THAT(runtime_->Commands(), IsEmpty());
  process.state = 't';
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("state", "answers"));
  EXPECT_THAT(Detail("state"), HasSubstr("debugger"));
}

TEST_F(DoctorTest, NativeAot) {
  FakeProcess process;
  process.mapped = {"/lib/x86_64-linux-gnu/libc.so.6"};
  process.executable_bytes = MakeElf({3, 62, {"libc.so.6"}, {"__managedcode"}});
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("dotnet"));
  EXPECT_THAT(Detail("dotnet"), HasSubstr("NativeAOT"));
}

TEST_F(DoctorTest, NotDotnet) {
  runtime_.reset();
  FakeProcess process;
  process.mapped = {"/lib/x86_64-linux-gnu/libc.so.6"};
  process.executable = "/usr/bin/sleep";
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("dotnet"));
  EXPECT_THAT(Detail("dotnet"), HasSubstr("sleep"));
  EXPECT_EQ(Detail("architecture"), "no such probe");
}

// An earlier process of that number left it, and nobody listens.
TEST_F(DoctorTest, ALeftSocketMakesNoDotnet) {
  runtime_.reset();
  const std::string path = machine_.Here("/t/dotnet-diagnostic-7-4711-socket");
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(left);
  FakeProcess process;
  process.mapped = {"/lib/x86_64-linux-gnu/libc.so.6"};
  process.executable = "/usr/bin/sleep";
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("dotnet"));
}

TEST_F(DoctorTest, ASingleFileHostIsDotnet) {
  FakeProcess process;
  process.mapped = {"/lib/x86_64-linux-gnu/libc.so.6"};
  process.executable_bytes = MakeElf({3, 62, {"libc.so.6"}, {"_tlgEventPtrs_DotNETRuntime"}});
  machine_.Add(process);
  runtime_.reset();
  EXPECT_THAT(Broken(), ElementsAre("socket", "answers"));
}

TEST_F(DoctorTest, DiagnosticsSwitchedOff) {
  runtime_.reset();
  for (const char* variable :
       {"DOTNET_EnableDiagnostics=0", "COMPlus_EnableDiagnostics=0", "DOTNET_EnableDiagnostics_IPC=0"}) {
    FakeProcess process;
    process.environment = {variable};
    machine_.Add(process);
    EXPECT_THAT(Broken(), ElementsAre("switches", "socket", "answers")) << variable;
    EXPECT_THAT(Detail("switches"), HasSubstr(variable));
    EXPECT_THAT(Detail("socket"), HasSubstr("switched off"));  // the sentence and its remedy stand there once
    EXPECT_EQ(
        std::count_if(probes_.begin(), probes_.end(),
                      [](const Probe& probe) { return probe.remedy.value_or("").starts_with("Start it without"); }),
        1)
        << variable;
  }
}

TEST_F(DoctorTest, SilentRuntime) {
  runtime_->manner = FakeRuntime::Manner::kSilent;
  EXPECT_THAT(Broken(), ElementsAre("answers"));
}

TEST_F(DoctorTest, AnotherProfilerCountsOnlyWhenItIsMapped) {
  FakeProcess process;
  process.environment = {"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER_PATH_64=/opt/apm/libapm.so"};
  machine_.Add(process);
  EXPECT_THAT(Broken(), IsEmpty());
  process.mapped.push_back("/opt/apm/libapm.so");
  machine_.Add(process);
  EXPECT_THAT(Broken(), IsEmpty()) << "a capture is possible beside it";
  EXPECT_THAT(Detail("profiler"), HasSubstr("/opt/apm/libapm.so"));
  EXPECT_THAT(Detail("profiler"), HasSubstr("--gc full"));
  EXPECT_FALSE(CheckBeside({}, "/opt/apm/libapm.so", protocol::GcRequest::kFull, "6.0.36"));
}

TEST_F(DoctorTest, ResidentCollector) {
  FakeRuntime control(machine_.Here("/t/cairn-7-4711-control"));
  EXPECT_THAT(Broken(), ElementsAre("profiler"));
  const auto& remedy = std::find_if(probes_.begin(), probes_.end(), [](auto& p) { return !p.ok; })->remedy;
  EXPECT_THAT(*remedy, HasSubstr("cairn detach " + std::to_string(getpid())));
}

TEST_F(DoctorTest, LibraryMissingOrWrong) {
  machine_.AddLibrary(MakeElf({3, 183, {}, {}}));
  EXPECT_THAT(Broken(), ElementsAre("architecture"));
  EXPECT_THAT(Detail("architecture"), HasSubstr("arm64"));
  std::filesystem::remove(machine_.Machine().program_folder + "/libcairn_collector.so");
  EXPECT_THAT(Broken(), ElementsAre("library", "architecture"));
}

TEST_F(DoctorTest, ARuntimeThatWaitsAtItsPort) {
  FakeProcess process;
  process.environment = {"DOTNET_DiagnosticPorts=/run/monitor.sock"};
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("answers"));
  EXPECT_THAT(Detail("answers"), HasSubstr("DOTNET_DiagnosticPorts=/run/monitor.sock"));
  process.mapped.push_back("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/System.Private.CoreLib.dll");
  machine_.Add(process);
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DoctorTest, AStartThatFailed) {
  FakeProcess process;
  process.environment = {"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER={8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}",
                         "CORECLR_PROFILER_PATH=/opt/libcairn_collector.so"};
  machine_.Add(process);
  EXPECT_THAT(Broken(), ElementsAre("start-up"));
  EXPECT_THAT(Detail("start-up"), HasSubstr("/opt/libcairn_collector.so"));
  std::filesystem::create_directories(machine_.Here("/opt"));
  testing::WriteFile(machine_.Here("/opt/libcairn_collector.so"), MakeElf({}));
  EXPECT_THAT(Broken(), ElementsAre("start-up"));
  EXPECT_THAT(Detail("start-up"), HasSubstr("not loaded"));
  process.mapped.push_back("/opt/libcairn_collector.so");
  machine_.Add(process);
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DoctorTest, UnsafePlacement) {
  const std::string folder = machine_.Here("/t/" + PlacementFolderName(geteuid()));
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  EXPECT_THAT(Broken(), ElementsAre("placement"));
}

std::vector<std::string> BrokenAtStart(const std::vector<std::string>& environment,
                                       const std::vector<std::string>& command) {
  std::vector<std::string> names;
  for (const Probe& probe : DiagnoseEnvironment(environment, command)) {
    EXPECT_EQ(probe.ok, !probe.remedy) << probe.name;
    if (!probe.ok && probe.name != "library") names.push_back(probe.name);  // none lies beside a test
  }
  return names;
}

TEST(DoctorEnvironment, EachVariableHasItsProbe) {
  const std::vector<std::string> good = {"PATH=/usr/bin:/bin", "TMPDIR=/tmp"};
  EXPECT_THAT(BrokenAtStart(good, {"sh"}), IsEmpty());
  EXPECT_THAT(BrokenAtStart(good, {"no-such-program"}), ElementsAre("command"));
  EXPECT_THAT(BrokenAtStart(good, {}), ElementsAre("command"));
  auto with = [&](const std::string& variable) {
    auto environment = good;
    environment.insert(environment.begin(), variable);
    return BrokenAtStart(environment, {"/bin/sh"});
  };
  EXPECT_THAT(with("DOTNET_EnableDiagnostics=0"), ElementsAre("switches"));
  EXPECT_THAT(with("DOTNET_EnableDiagnostics_Profiler=0"), ElementsAre("switches"));
  EXPECT_THAT(with("DOTNET_EnableDiagnostics_IPC=0"), IsEmpty());  // start-up loading does not need it
  EXPECT_THAT(with("TMPDIR=/no/such/folder"), ElementsAre("tmp"));
  EXPECT_THAT(BrokenAtStart({"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER={X}"}, {"/bin/sh"}),
              ElementsAre("profiler"));
}

}  // namespace
}  // namespace cairn::client
