#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "collector/client/posix.h"
#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/fake_runtime.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using testing::FakeMachine;
using testing::FakeProcess;
using testing::FakeRuntime;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::WriteFile;

void BindAndForget(const std::string& path) {
  const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(fd.Get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << path;
}

class CleanTest : public ::testing::Test {
 protected:
  CleanTest() : folder_(machine_.Here("/t/" + PlacementFolderName(geteuid()))) {
    machine_.Add({});
    fs::create_directory(folder_);
  }
  std::vector<std::string> Clean() {
    const auto removed = CleanOn(machine_.Machine());
    EXPECT_TRUE(removed);
    return removed.value_or(std::vector<std::string>());
  }
  FakeMachine machine_;
  FakeRuntime runtime_{machine_.Here("/t/dotnet-diagnostic-7-4711-socket")};
  const std::string folder_;
};

TEST_F(CleanTest, RemovesLibrariesNobodyMaps) {
  const std::string used = PlacedName("used"), unused = PlacedName("unused");
  WriteFile(folder_ + "/" + used, "used");
  WriteFile(folder_ + "/" + unused, "unused");
  WriteFile(folder_ + "/something-else.so", "x");
  struct stat info {};
  ASSERT_EQ(stat((folder_ + "/" + used).c_str(), &info), 0);
  WriteFile(machine_.File("proc/" + std::to_string(getpid()) + "/maps"),
            "7f0000002000-7f0000003000 r-xp 00000000 08:01 " + std::to_string(info.st_ino) + " /t/x/" + used + "\n" +
                "7f0000002000-7f0000003000 r-xp 00000000 08:01 5 /x/libcoreclr.so\n");
  const auto removed = Clean();
  EXPECT_THAT(removed, Contains("/t/" + PlacementFolderName(geteuid()) + "/" + unused));
  EXPECT_THAT(removed, Not(Contains("/t/" + PlacementFolderName(geteuid()) + "/" + used)));
  EXPECT_TRUE(fs::exists(folder_ + "/" + used));
  EXPECT_TRUE(fs::exists(folder_ + "/something-else.so"));
  EXPECT_FALSE(fs::exists(folder_ + "/" + unused));
}

TEST_F(CleanTest, RemovesSocketsNobodyListensOn) {
  BindAndForget(machine_.Here("/t/cairn-0123456789abcdef-capture"));
  BindAndForget(machine_.Here("/t/cairn-7-1-control"));
  BindAndForget(machine_.Here("/t/cairn-of-somebody"));
  FakeRuntime living(machine_.Here("/t/cairn-7-4711-control"));
  EXPECT_THAT(Clean(), IsSupersetOf({"/t/cairn-0123456789abcdef-capture", "/t/cairn-7-1-control"}));
  EXPECT_FALSE(fs::exists(machine_.Here("/t/cairn-0123456789abcdef-capture")));
  EXPECT_TRUE(fs::exists(machine_.Here("/t/cairn-7-4711-control")));
  EXPECT_TRUE(fs::exists(machine_.Here("/t/cairn-of-somebody")));
  EXPECT_TRUE(fs::exists(machine_.Here("/t/dotnet-diagnostic-7-4711-socket")));
}

TEST_F(CleanTest, LeavesTheLockOfACaptureThatGoesOn) {
  WriteFile(folder_ + "/capture-7-1.lock", "");
  WriteFile(folder_ + "/capture-7-4711.lock", "");
  const UniqueFd held(open((folder_ + "/capture-7-4711.lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(flock(held.Get(), LOCK_EX), 0);
  WriteFile(folder_ + "/" + PlacedName("x"), "x");  // perhaps its library, not loaded yet
  EXPECT_THAT(Clean(), Contains("/t/" + PlacementFolderName(geteuid()) + "/capture-7-1.lock"));
  EXPECT_TRUE(fs::exists(folder_ + "/capture-7-4711.lock"));
  EXPECT_FALSE(fs::exists(folder_ + "/capture-7-1.lock"));
  EXPECT_TRUE(fs::exists(folder_ + "/" + PlacedName("x")));
}

TEST_F(CleanTest, AnEmptyFolderGoes) {
  WriteFile(folder_ + "/" + PlacedName("x"), "x");
  Clean();
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CleanTest, AFolderThatIsNotOursIsLeftAlone) {
  WriteFile(folder_ + "/" + PlacedName("x"), "x");
  fs::permissions(folder_, fs::perms::all);
  Clean();
  EXPECT_TRUE(fs::exists(folder_ + "/" + PlacedName("x")));
}

}  // namespace
}  // namespace cairn::client
