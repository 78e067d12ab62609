// Where the socket of a collector that stays is made, and who may reach it.

#include "collector/tracking/control_listener.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::collector {
namespace {

namespace fs = std::filesystem;

class ControlListenerTest : public ::testing::Test {
 protected:
  ControlListenerTest() {
    for (const char* name : {"own", "tmp"}) fs::create_directory(folder_.File(name));
    Set("own", 0700);
    Set("tmp", 01777);
    setenv("CAIRN_CONTROL_DIR", folder_.File("own").c_str(), 1);
    setenv("TMPDIR", folder_.File("tmp").c_str(), 1);
  }
  ~ControlListenerTest() override {
    unsetenv("CAIRN_CONTROL_DIR");
    unsetenv("TMPDIR");
  }
  void Set(const char* name, mode_t mode) { ASSERT_EQ(chmod(folder_.File(name).c_str(), mode), 0); }
  // The folder in which the socket was made; empty for none.
  std::string Where() {
    ControlListener listener;
    const bool open = listener.Open(false);
    std::string where;
    for (const char* name : {"own", "tmp"})
      if (fs::exists(folder_.File(name) + "/" + ControlSocketName(1))) where = name;
    EXPECT_EQ(open, !where.empty());
    listener.Close();
    for (const char* name : {"own", "tmp"}) EXPECT_TRUE(fs::is_empty(folder_.File(name)));
    return where;
  }
  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(ControlListenerTest, InTheFolderThatWasMadeForIt) { EXPECT_EQ(Where(), "own"); }

TEST_F(ControlListenerTest, WithoutOneInTheTemporaryFolder) {
  unsetenv("CAIRN_CONTROL_DIR");
  EXPECT_EQ(Where(), "tmp");
}

TEST_F(ControlListenerTest, NotWhereOthersMayWrite) {
  Set("own", 0770);
  EXPECT_EQ(Where(), "tmp");
}

TEST_F(ControlListenerTest, NotBehindALink) {
  fs::create_symlink(folder_.File("own"), folder_.File("link"));
  setenv("CAIRN_CONTROL_DIR", folder_.File("link").c_str(), 1);
  EXPECT_EQ(Where(), "tmp");
}

TEST_F(ControlListenerTest, NotBelowTheFolderThatHappensToBeTheCurrentOne) {
  setenv("CAIRN_CONTROL_DIR", ".", 1);
  EXPECT_EQ(Where(), "tmp");
}

// Anybody could take its name away and listen there himself.
TEST_F(ControlListenerTest, NowhereWithoutTheStickyBit) {
  Set("own", 0777);
  Set("tmp", 0777);
  EXPECT_EQ(Where(), "");
}

TEST_F(ControlListenerTest, NowhereWithoutAFolder) {
  setenv("CAIRN_CONTROL_DIR", "/no/such/folder", 1);
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_EQ(Where(), "");
}

// Two runtimes of one process.
TEST_F(ControlListenerTest, EachHasANameOfItsOwn) {
  ControlListener first, second;
  ASSERT_TRUE(first.Open(false) && second.Open(false));
  EXPECT_TRUE(fs::exists(folder_.File("own") + "/" + ControlSocketName(1)));
  EXPECT_TRUE(fs::exists(folder_.File("own") + "/" + ControlSocketName(2)));
  EXPECT_EQ(ControlSocketName(2), ControlSocketName(1) + "2");
  first.Close();
  EXPECT_TRUE(fs::exists(folder_.File("own") + "/" + ControlSocketName(2)));
  second.Close();
  EXPECT_TRUE(fs::is_empty(folder_.File("own")));
}

// A path that no socket's address could hold.
TEST_F(ControlListenerTest, HoweverLongItsPath) {
  const std::string deep = folder_.File("own") + "/" + std::string(120, 'd');
  fs::create_directory(deep);
  chmod(deep.c_str(), 0700);
  setenv("CAIRN_CONTROL_DIR", deep.c_str(), 1);
  ControlListener listener;
  ASSERT_TRUE(listener.Open(false));
  struct stat info {};
  ASSERT_EQ(stat((deep + "/" + ControlSocketName(1)).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  listener.Close();
}

TEST_F(ControlListenerTest, ItsOwnUserIsLetIn) {
  ControlListener listener;
  ASSERT_TRUE(listener.Open(false));
  EXPECT_EQ(listener.Accept(), -1) << "nobody is there yet";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (folder_.File("own") + "/" + ControlSocketName(1)).c_str());
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const int accepted = listener.Accept();
  EXPECT_GE(accepted, 0);
  close(accepted);
  close(client);
  listener.Close();
}

}  // namespace
}  // namespace cairn::collector
