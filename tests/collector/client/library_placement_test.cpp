#include "collector/client/library_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/collector/client/fake_machine.h"
#include "tests/collector/client/small_elf.h"

namespace cairn::client {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::FakeMachine;
using testing::FakeProcess;
using ::testing::HasSubstr;
using testing::MakeElf;
using testing::WriteFile;

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

unsigned Mode(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

class LibraryPlacementTest : public ::testing::Test {
 protected:
  LibraryPlacementTest() {
    machine_.Add({});
    library_ = machine_.AddLibrary(bytes_);
  }
  Result<PlacedLibrary> Place() {
    const auto target = InspectTarget(machine_.Machine(), getpid());
    return PlaceLibrary(machine_.Machine(), *target, library_);
  }
  std::string CodeOfPlace() {
    const auto placed = Place();
    return placed ? "" : placed.error().code;
  }
  std::string CodeOfCheck(const testing::SmallElf& library, FakeProcess process = {}) {
    machine_.Add(process);
    WriteFile(library_, MakeElf(library));
    const auto target = InspectTarget(machine_.Machine(), getpid());
    const Status status = CheckLibrary(machine_.Machine(), *target, library_);
    return status ? "" : status.error().code;
  }
  std::string Folder() const { return machine_.Here("/t/" + PlacementFolderName(geteuid())); }
  std::string Placed() const { return Folder() + "/" + PlacedName(bytes_); }

  std::string bytes_ = MakeElf({});
  FakeMachine machine_;
  std::string library_;
};

TEST_F(LibraryPlacementTest, NamesFollowTheContent) {
  // XXH3 of no bytes is 2d06800538d394c2.
  EXPECT_EQ(PlacedName(""), "libcairn_collector-2d06800538d394c2.so");
  EXPECT_NE(PlacedName("a"), PlacedName("b"));
  EXPECT_TRUE(IsPlacedName(PlacedName("a")));
  EXPECT_FALSE(IsPlacedName("libcairn_collector.so"));
  EXPECT_FALSE(IsPlacedName("libcairn_collector-2d06800538d394cX.so"));
  EXPECT_FALSE(IsPlacedName(PlacedName("a") + ".0a1b"));
}

TEST_F(LibraryPlacementTest, PlacesOnceAndReuses) {
  const auto first = Place();
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->path, "/t/" + PlacementFolderName(geteuid()) + "/" + PlacedName(bytes_));
  EXPECT_FALSE(first->reused);
  EXPECT_EQ(Content(Placed()), bytes_);
  EXPECT_EQ(Mode(Placed()), 0755u);
  EXPECT_EQ(Mode(Folder()), 0755u);
  EXPECT_TRUE(Place()->reused);
  EXPECT_THAT(machine_.Names("/t/" + PlacementFolderName(geteuid())), ElementsAre(PlacedName(bytes_)));
}

TEST_F(LibraryPlacementTest, TheUmaskDoesNotHideItFromTheTarget) {
  const mode_t before = umask(077);
  const auto placed = Place();
  umask(before);
  ASSERT_TRUE(placed);
  EXPECT_EQ(Mode(Placed()), 0755u);
  EXPECT_EQ(Mode(Folder()), 0755u);
}

TEST_F(LibraryPlacementTest, ATruncatedCopyIsReplaced) {
  ASSERT_TRUE(Place());
  fs::resize_file(Placed(), 10);
  const auto again = Place();
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->reused);
  EXPECT_EQ(Content(Placed()), bytes_);
}

TEST_F(LibraryPlacementTest, AChangedByteIsNoticed) {
  ASSERT_TRUE(Place());
  std::string other = bytes_;
  other.back() ^= 1;
  WriteFile(Placed(), other);
  ASSERT_TRUE(Place());
  EXPECT_EQ(Content(Placed()), bytes_);
}

TEST_F(LibraryPlacementTest, APlantedLinkIsNotFollowed) {
  ASSERT_TRUE(Place());
  WriteFile(machine_.File("elsewhere"), bytes_);
  fs::remove(Placed());
  fs::create_symlink(machine_.File("elsewhere"), Placed());
  const auto placed = Place();
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, "placement.unsafe");
  EXPECT_THAT(placed.error().message, HasSubstr("symbolic link"));
}

TEST_F(LibraryPlacementTest, APlantedFolderLinkIsNotFollowed) {
  fs::create_directory(machine_.File("elsewhere"));
  fs::create_directory_symlink(machine_.File("elsewhere"), Folder());
  EXPECT_EQ(CodeOfPlace(), "placement.unsafe");
  EXPECT_TRUE(fs::is_empty(machine_.File("elsewhere")));
}

TEST_F(LibraryPlacementTest, AFolderOrFileThatOthersMayWriteIsRefused) {
  ASSERT_TRUE(Place());
  chmod(Placed().c_str(), 0757);
  EXPECT_EQ(CodeOfPlace(), "placement.unsafe");
  chmod(Placed().c_str(), 0755);
  EXPECT_EQ(CodeOfPlace(), "");
  chmod(Folder().c_str(), 0777);
  EXPECT_EQ(CodeOfPlace(), "placement.unsafe");
}

// The folder was made by this test's user; to a machine whose user is another one it is foreign.
TEST_F(LibraryPlacementTest, AFolderOfAnotherUserIsRefused) {
  machine_.Machine().uid = geteuid() + 1;
  fs::create_directory(machine_.Here("/t/" + PlacementFolderName(geteuid() + 1)));
  const auto placed = Place();
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, "placement.unsafe");
  EXPECT_THAT(placed.error().message, HasSubstr("belongs to"));
}

TEST_F(LibraryPlacementTest, AFileInTheFoldersPlaceIsRefused) {
  WriteFile(Folder(), "x");
  EXPECT_EQ(CodeOfPlace(), "placement.unsafe");
}

TEST_F(LibraryPlacementTest, GoesElsewhereWhenTheTemporaryFolderIsGone) {
  FakeProcess process;
  process.tmp = "/gone";
  machine_.Add(process);
  auto target = InspectTarget(machine_.Machine(), getpid());
  ASSERT_TRUE(target);
  fs::remove(machine_.Here("/gone"));
  fs::create_directory(machine_.Here("/tmp"));
  const auto placed = PlaceLibrary(machine_.Machine(), *target, library_);
  ASSERT_TRUE(placed) << placed.error().message;
  EXPECT_EQ(placed->path, "/tmp/" + PlacementFolderName(geteuid()) + "/" + PlacedName(bytes_));
}

TEST_F(LibraryPlacementTest, NowhereToPlaceIt) {
  FakeProcess process;
  process.tmp = "/gone";
  machine_.Add(process);
  auto target = InspectTarget(machine_.Machine(), getpid());
  fs::remove(machine_.Here("/gone"));
  const auto placed = PlaceLibrary(machine_.Machine(), *target, library_);
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, "placement.unwritable");
}

TEST_F(LibraryPlacementTest, UnreadableLibrary) {
  fs::remove(library_);
  EXPECT_EQ(CodeOfPlace(), "library.unreadable");
}

TEST_F(LibraryPlacementTest, LocatesBesideTheProgramOrInTheInstall) {
  EXPECT_EQ(LocateLibrary(machine_.Machine(), ""), library_);
  EXPECT_EQ(LocateLibrary(machine_.Machine(), "/proc/self/exe"), "/proc/self/exe");
  fs::remove(library_);
  const auto missing = LocateLibrary(machine_.Machine(), "");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "library.missing");
  EXPECT_THAT(missing.error().message, HasSubstr(library_));
  fs::create_directories(machine_.File("lib/cairn"));
  WriteFile(machine_.File("lib/cairn/libcairn_collector.so"), "x");
  EXPECT_TRUE(LocateLibrary(machine_.Machine(), ""));
}

TEST_F(LibraryPlacementTest, ChecksEachPropertyOfTheLibrary) {
  constexpr uint16_t kArm64 = 183, kProgram = 2;
  EXPECT_EQ(CodeOfCheck({}), "");
  EXPECT_EQ(CodeOfCheck({3, kArm64, {}, {}}), "library.wrong_architecture");
  EXPECT_EQ(CodeOfCheck({kProgram, 62, {}, {}}), "library.not_elf");
  WriteFile(library_, "text that is no library at all");
  const auto target = InspectTarget(machine_.Machine(), getpid());
  EXPECT_EQ(CheckLibrary(machine_.Machine(), *target, library_).error().code, "library.not_elf");
  fs::remove(library_);
  fs::create_directory(library_);
  EXPECT_EQ(CheckLibrary(machine_.Machine(), *target, library_).error().code, "library.unreadable");
  fs::remove(library_);
}

// The program is an emulator's, of this machine; the runtime that it runs is another's.
TEST_F(LibraryPlacementTest, TheRuntimeTellsTheArchitectureNotTheProgram) {
  constexpr uint16_t kArm64 = 183;
  FakeProcess emulated;
  emulated.mapped = {"/app/libcoreclr.so"};
  fs::create_directories(machine_.Here("/app"));
  WriteFile(machine_.Here("/app/libcoreclr.so"), MakeElf({3, kArm64, {}, {}}));
  EXPECT_EQ(CodeOfCheck({3, kArm64, {}, {}}, emulated), "");
  EXPECT_EQ(CodeOfCheck({}, emulated), "library.wrong_architecture");
}

TEST_F(LibraryPlacementTest, ChecksTheCLibrary) {
  FakeProcess musl;
  musl.mapped = {"/lib/ld-musl-x86_64.so.1", "/app/libcoreclr.so"};
  EXPECT_EQ(CodeOfCheck({3, 62, {"libc.so.6"}, {}}, musl), "");  // musl answers to that name
  EXPECT_EQ(CodeOfCheck({3, 62, {"libc.so.6", "ld-linux-x86-64.so.2"}, {}}, musl), "library.wrong_libc");
  EXPECT_EQ(CodeOfCheck({3, 62, {"libstdc++.so.6", "libc.so.6"}, {}}, musl), "library.wrong_libc");
  EXPECT_EQ(CodeOfCheck({3, 62, {"libc.musl-x86_64.so.1"}, {}}), "library.wrong_libc");
  EXPECT_EQ(CodeOfCheck({3, 62, {"libc.so"}, {}}), "library.wrong_libc");
  EXPECT_EQ(CodeOfCheck({3, 62, {"libc.so.6", "ld-linux-x86-64.so.2"}, {}}), "");
}

}  // namespace
}  // namespace cairn::client
