// Each broken link of loading the collector at the start, and what loads it.

#include "collector/client/start_checks.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "collector/client/checks.h"
#include "collector/client/start_activation.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using testing::FakeMachine;
using testing::FakeProcess;
using ::testing::HasSubstr;
using testing::MakeElf;
using testing::WriteFile;

constexpr const char* kEnable = "CORECLR_ENABLE_PROFILING=1";
constexpr const char* kClass = "CORECLR_PROFILER={8c3a1e52-6b0d-4f57-9e4b-c41a12dd5a01}";
constexpr const char* kPath = "CORECLR_PROFILER_PATH=/opt/libcairn_collector.so";

class StartChecksTest : public ::testing::Test {
 protected:
  StartChecksTest() {
    fs::create_directories(machine_.Here("/opt"));
    WriteFile(machine_.Here("/opt/libcairn_collector.so"), MakeElf({}));
  }
  // The code of the first broken link; its sentence and its remedy must be there, and end as sentences do.
  std::string Code(std::vector<std::string> environment) {
    FakeProcess process;
    process.environment = std::move(environment);
    machine_.Add(process);
    auto target = InspectTarget(machine_.Machine(), process.pid);
    EXPECT_TRUE(target);
    target->status.uid = uid_;
    const Status status = CheckStart({machine_.Machine(), *target, elf_machine_, libc_});
    if (status) return {};
    last_ = status.error();
    EXPECT_TRUE(last_.message.ends_with('.')) << last_.message;
    EXPECT_TRUE(last_.hint.ends_with('.')) << last_.hint;
    return last_.code;
  }

  FakeMachine machine_;
  uid_t uid_ = geteuid();
  uint16_t elf_machine_ = EM_X86_64;
  Libc libc_ = Libc::kGlibc;
  Error last_;
};

TEST_F(StartChecksTest, AllThatIsNeeded) { EXPECT_EQ(Code({kEnable, kClass, kPath}), ""); }

TEST_F(StartChecksTest, EachVariable) {
  const struct {
    std::vector<std::string> environment;
    const char* code;
    const char* word;
  } cases[] = {
      {{kClass, kPath}, "start.not_enabled", "CORECLR_ENABLE_PROFILING is not"},
      {{"CORECLR_ENABLE_PROFILING=true", kClass, kPath}, "start.not_enabled", "true"},
      {{kEnable, kPath}, "start.no_class", "CORECLR_PROFILER"},
      {{kEnable, "CORECLR_PROFILER={1}", kPath}, "start.wrong_class", "{1}"},
      {{kEnable, "CORECLR_PROFILER={1}", "CORECLR_PROFILER_PATH=/opt/apm.so"}, "start.other_profiler", "/opt/apm.so"},
      {{kEnable, kClass}, "start.no_path", "CORECLR_PROFILER_PATH"},
      {{kEnable, kClass, "CORECLR_PROFILER_PATH_32=/opt/libcairn_collector.so"}, "start.other_suffix", "_32"},
      {{kEnable, kClass, "CORECLR_PROFILER_PATH=libcairn_collector.so"}, "start.relative_path", "full path"},
      {{kEnable, kClass, "CORECLR_PROFILER_PATH=/opt/no.so"}, "start.missing", "/opt/no.so"},
      {{kEnable, kClass, "CORECLR_PROFILER_PATH=/opt"}, "start.missing", "no file"},
      {{kEnable, kClass, kPath, "DOTNET_EnableDiagnostics=0"}, "target.diagnostics_off", "DOTNET_EnableDiagnostics=0"},
      {{kEnable, kClass, kPath, "COMPlus_EnableDiagnostics_Profiler=0"}, "target.diagnostics_off", "_Profiler=0"},
      {{kEnable, kClass, kPath, "CAIRN_CONTROL_DIR=/no/folder"}, "start.control_folder", "/no/folder"},
      {{kEnable, kClass, kPath, "CAIRN_CONTROL_DIR=opt"}, "start.control_folder", "opt"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(Code(one.environment), one.code);
    EXPECT_THAT(last_.message, HasSubstr(one.word));
  }
}

TEST_F(StartChecksTest, IpcOffIsNoObstacle) {
  EXPECT_EQ(Code({kEnable, kClass, kPath, "DOTNET_EnableDiagnostics_IPC=0"}), "");
}

// What the runtime of this architecture looks at first.
TEST_F(StartChecksTest, TheSuffixOfTheArchitectureComesFirst) {
  const std::string missing = "CORECLR_PROFILER_PATH_64=/opt/no.so";
  EXPECT_EQ(Code({kEnable, kClass, kPath, missing}), "start.missing");
  elf_machine_ = EM_386;
  EXPECT_EQ(Code({kEnable, kClass, kPath, missing}), "start.wrong_architecture")
      << "the one for 64 bits does not count";
}

TEST_F(StartChecksTest, TheLibraryMustFit) {
  elf_machine_ = EM_AARCH64;
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "start.wrong_architecture");
  EXPECT_THAT(last_.message, HasSubstr("arm64"));
  elf_machine_ = EM_X86_64;
  libc_ = Libc::kMusl;
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "") << "libc.so.6 is a name that musl answers to";
  WriteFile(machine_.Here("/opt/libcairn_collector.so"), MakeElf({3, 62, {"libstdc++.so.6"}, {}}));
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "start.wrong_libc");
  WriteFile(machine_.Here("/opt/libcairn_collector.so"), "MZ");
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "start.not_library");
}

// As another user: the file, and each folder above it.
TEST_F(StartChecksTest, TheProcessMustBeAbleToReadIt) {
  uid_ = 4242;
  const auto set = [&](const char* path, unsigned mode) { fs::permissions(machine_.Here(path), fs::perms{mode}); };
  set("/opt", 0755);
  set("/opt/libcairn_collector.so", 0644);
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "");
  set("/opt/libcairn_collector.so", 0600);
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "start.unreadable");
  set("/opt/libcairn_collector.so", 0644);
  set("/opt", 0700);
  EXPECT_EQ(Code({kEnable, kClass, kPath}), "start.unreadable");
  EXPECT_THAT(last_.message, HasSubstr("/opt may not"));
}

TEST_F(StartChecksTest, TheControlFolderMustBeItsOwn) {
  const std::string folder = machine_.Here("/c");
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms{0700});
  EXPECT_EQ(Code({kEnable, kClass, kPath, "CAIRN_CONTROL_DIR=/c"}), "");
  fs::permissions(folder, fs::perms{0770});
  EXPECT_EQ(Code({kEnable, kClass, kPath, "CAIRN_CONTROL_DIR=/c"}), "start.control_folder");
}

TEST(StartActivationTest, TheClassAsRuntimesReadIt) {
  EXPECT_EQ(ClsidText(), "{8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}");
}

TEST(StartActivationTest, TheSocketIsOff) {
  EXPECT_FALSE(KeepsSocketOff({"PATH=/bin"}));
  EXPECT_TRUE(KeepsSocketOff({"DOTNET_EnableDiagnostics_IPC=0"}));
  EXPECT_TRUE(KeepsSocketOff({"COMPlus_EnableDiagnostics=0"}));
  EXPECT_FALSE(KeepsSocketOff({"DOTNET_EnableDiagnostics_Profiler=0"})) << "an attach works all the same";
}

class StartEnvironmentTest : public ::testing::Test {
 protected:
  StartEnvironmentTest() {
    machine_.Add({});
    library_ = machine_.AddLibrary(MakeElf({}));
    machine_.Machine().own_tmp = "/t";
  }
  FakeMachine machine_;
  std::string library_;
};

TEST_F(StartEnvironmentTest, SetsWhatLoadsIt) {
  const auto environment = StartEnvironment(
      machine_.Machine(), {"A=b", "CORECLR_PROFILER_PATH_64=/old.so", "CORECLR_ENABLE_PROFILING=0"}, "");
  ASSERT_TRUE(environment) << environment.error().message;
  ASSERT_EQ(environment->size(), 5u) << "what was there, and four";
  EXPECT_EQ((*environment)[0], "A=b");
  EXPECT_EQ((*environment)[1], "CORECLR_ENABLE_PROFILING=1");
  EXPECT_EQ((*environment)[2], "CORECLR_PROFILER={8C3A1E52-6B0D-4F57-9E4B-C41A12DD5A01}");
  const std::string folder = "/t/cairn-" + std::to_string(geteuid());
  EXPECT_THAT((*environment)[3], HasSubstr("CORECLR_PROFILER_PATH=" + folder + "/libcairn_collector-"));
  EXPECT_EQ((*environment)[4], "CAIRN_CONTROL_DIR=" + folder);
}

// A command below one that is observed calls there no more.
TEST_F(StartEnvironmentTest, LeavesOutTheCallOfAnObservationAbove) {
  const auto environment = StartEnvironment(machine_.Machine(), {"CAIRN_START=00:/t/socket", "A=b"}, "");
  ASSERT_TRUE(environment) << environment.error().message;
  EXPECT_EQ(environment->front(), "A=b");
  EXPECT_EQ(environment->size(), 5u) << "what was there, and four";
}

TEST_F(StartEnvironmentTest, RefusesWhatCannotWork) {
  const auto code = [&](const std::vector<std::string>& variables) {
    const auto environment = StartEnvironment(machine_.Machine(), variables, "");
    return environment ? "" : environment.error().code;
  };
  EXPECT_EQ(code({"DOTNET_EnableDiagnostics=0"}), "target.diagnostics_off");
  EXPECT_EQ(code({"DOTNET_EnableDiagnostics_Profiler=0"}), "target.diagnostics_off");
  EXPECT_EQ(code({kEnable, "CORECLR_PROFILER={1}"}), "attach.other_profiler");
  fs::remove(library_);
  EXPECT_EQ(code({}), "library.missing");
}

}  // namespace
}  // namespace cairn::client
