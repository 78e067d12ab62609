#include "collector/client/missing_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/collector/client/fake_machine.h"

namespace cairn::client {
namespace {

using testing::FakeMachine;
using testing::FakeProcess;
using ::testing::HasSubstr;

class MissingSocketTest : public ::testing::Test {
 protected:
  // What is said of a process whose temporary folder is `tmp`.
  Error Why(const std::string& tmp) {
    process_.pid = 8;
    process_.tmp = tmp;
    process_.environment = {"TMPDIR=" + tmp};
    machine_.Add(process_);
    if (!made_) std::filesystem::remove(machine_.Here(tmp));
    const auto target = InspectTarget(machine_.Machine(), 8);
    EXPECT_TRUE(target);
    const Error error = WhyNoSocket(*target);
    EXPECT_EQ(error.code, "target.no_socket");
    EXPECT_FALSE(error.hint.empty());
    return error;
  }

  FakeMachine machine_;
  FakeProcess process_;
  bool made_ = true;
};

TEST_F(MissingSocketTest, AFolderThatIsNotThere) {
  made_ = false;
  EXPECT_THAT(Why("/nowhere").message, HasSubstr("there is no folder /nowhere"));
}

// The runtime's name of a socket would be cut to less than what tells one process from another.
TEST_F(MissingSocketTest, APathThatIsTooLong) {
  EXPECT_THAT(Why("/" + std::string(99, 'd')).message, HasSubstr("has 100 characters"));
}

TEST_F(MissingSocketTest, AFolderThatItsUserMayNotWriteTo) {
  process_.uid = 12345;
  machine_.Add(process_);
  Why("/t");
  chmod(machine_.Here("/t").c_str(), 0755);
  EXPECT_THAT(Why("/t").message, HasSubstr("12345 may not write to /t"));
  chmod(machine_.Here("/t").c_str(), 01777);
  EXPECT_THAT(Why("/t").message, HasSubstr("it is gone from /t"));
}

}  // namespace
}  // namespace cairn::client
