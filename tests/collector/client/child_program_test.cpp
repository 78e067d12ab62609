#include "collector/client/child_program.h"

#include <gtest/gtest.h>

#include <csignal>

namespace cairn::client {
namespace {

int CodeOf(const std::vector<std::string>& command) {
  auto child = ChildProgram::Start(command);
  return child ? child->Reap() : -1;
}

TEST(ChildProgram, GivesItsExitCode) {
  EXPECT_EQ(CodeOf({"true"}), 0);
  EXPECT_EQ(CodeOf({"sh", "-c", "exit 7"}), 7);
  EXPECT_EQ(CodeOf({"sh", "-c", "kill -TERM $$"}), 128 + SIGTERM);
  EXPECT_EQ(CodeOf({"sh", "-c", "test \"$1\" = 'a b'", "sh", "a b"}), 0);
}

TEST(ChildProgram, EndsBeforeItIsReaped) {
  auto child = ChildProgram::Start({"sh", "-c", "read line; exit 3"});
  ASSERT_TRUE(child);
  if (!child->HasEnded()) kill(child->Pid(), SIGKILL);
  while (!child->HasEnded()) continue;
  EXPECT_EQ(kill(child->Pid(), 0), 0);  // its process id is still its own
  child->Reap();
  EXPECT_TRUE(child->HasEnded());
}

TEST(ChildProgram, DoesNotInheritIgnoredSignals) {
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(CodeOf({"sh", "-c", "kill -PIPE $$; exit 0"}), 128 + SIGPIPE);
  std::signal(SIGPIPE, SIG_DFL);
}

TEST(ChildProgram, SaysWhyItCannotStart) {
  const auto child = ChildProgram::Start({"/nowhere/program"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, "run.not_started");
  EXPECT_NE(child.error().message.find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace cairn::client
