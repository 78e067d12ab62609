#include "collector/client/elf_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/collector/client/small_elf.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using ::testing::ElementsAre;
using testing::MakeElf;
using testing::WriteFile;

TEST(ElfFile, ReadsMachineNeededAndSections) {
  snapshot::testing::TemporaryFolder folder;
  WriteFile(folder.File("a.so"), MakeElf({3, 183, {"libc.so.6", "libm.so.6"}, {".text", "__managedcode"}}));
  const auto elf = ReadElf(folder.File("a.so"));
  ASSERT_TRUE(elf) << elf.error().message;
  EXPECT_EQ(elf->pointer_size, 8);
  EXPECT_EQ(elf->type, 3);
  EXPECT_EQ(ArchitectureName(elf->machine), "arm64");
  EXPECT_THAT(elf->needed, ElementsAre("libc.so.6", "libm.so.6"));
  EXPECT_TRUE(elf->HasSection("__managedcode"));
  EXPECT_FALSE(elf->HasSection("__managed"));
}

TEST(ElfFile, ReadsThisProgram) {
  const auto elf = ReadElf("/proc/self/exe");
  ASSERT_TRUE(elf);
#if defined(__x86_64__)
  EXPECT_EQ(elf->machine, 62);  // EM_X86_64
#elif defined(__aarch64__)
  EXPECT_EQ(elf->machine, 183);  // EM_AARCH64
#endif
  EXPECT_TRUE(elf->HasSection(".text"));
  EXPECT_THAT(elf->needed, ::testing::Contains("libc.so.6"));
  EXPECT_THAT(elf->interpreter, ::testing::HasSubstr("ld-"));
}

TEST(ElfFile, EachFaultHasItsCode) {
  snapshot::testing::TemporaryFolder folder;
  const auto code = [&](const std::string& path) {
    const auto elf = ReadElf(path);
    return elf ? std::string("fine") : elf.error().code;
  };
  EXPECT_EQ(code(folder.File("missing")), "elf.unreadable");
  EXPECT_EQ(code(folder.File("")), "elf.unreadable");  // a folder
  WriteFile(folder.File("text"), "no ELF file, but long enough to be one");
  EXPECT_EQ(code(folder.File("text")), "elf.not_elf");
  WriteFile(folder.File("empty"), "");
  EXPECT_EQ(code(folder.File("empty")), "elf.not_elf");
}

TEST(ElfFile, CutAnywhereIsNoticed) {
  snapshot::testing::TemporaryFolder folder;
  const std::string whole = MakeElf({3, 62, {"libc.so.6"}, {".text"}});
  for (size_t size = 16; size < whole.size(); ++size) {
    WriteFile(folder.File("cut"), whole.substr(0, size));
    const auto elf = ReadElf(folder.File("cut"));
    ASSERT_FALSE(elf) << size;
    EXPECT_EQ(elf.error().code, "elf.cut") << size;
  }
}

TEST(ElfFile, APipeIsNotWaitedFor) {
  snapshot::testing::TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.File("pipe").c_str(), 0600), 0);
  const auto elf = ReadElf(folder.File("pipe"));
  ASSERT_FALSE(elf);
  EXPECT_EQ(elf.error().code, "elf.unreadable");
}

TEST(ElfFile, WildOffsetsAreNotFollowed) {
  snapshot::testing::TemporaryFolder folder;
  const std::string whole = MakeElf({3, 62, {"libc.so.6"}, {".text"}});
  for (size_t at = 16; at + 8 <= whole.size(); at += 4) {
    std::string wild = whole;
    wild.replace(at, 8, std::string(8, '\xFF'));
    WriteFile(folder.File("wild"), wild);
    (void)ReadElf(folder.File("wild"));  // whatever it says, it comes back
  }
}

TEST(ArchitectureName, UsesTheRuntimesWords) {
  EXPECT_EQ(ArchitectureName(62), "x64");
  EXPECT_EQ(ArchitectureName(3), "x86");
  EXPECT_EQ(ArchitectureName(40), "arm32");
  EXPECT_EQ(ArchitectureName(243), "machine 243");
}

}  // namespace
}  // namespace cairn::client
