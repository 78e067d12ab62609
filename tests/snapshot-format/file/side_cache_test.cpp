// The side cache: what is stored comes back byte for byte or not at all.

#include "snapshot-format/file/side_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "snapshot-format/file/cache_file.h"
#include "snapshot-format/file/content_digest.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::snapshot {
namespace {

using ::testing::EndsWith;
using ::testing::IsEmpty;
using testing::ReadAll;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::WriteAll;

const std::atomic<bool> kNever{false}, kAlways{true};

class SideCacheTest : public ::testing::Test {
 protected:
  SideCacheTest() {
    for (size_t i = 0; i < large_.size(); ++i) large_[i] = static_cast<uint8_t>(i * 31 + (i >> 8));
  }

  std::vector<Bytes> Arrays() const { return {small_, {}, large_}; }
  Status Store(const SideCache& cache, const ResultName& name) const {
    return cache.Store(key_, name, Arrays(), kNever);
  }
  std::string CodeOf(const ResultName& name) const {
    const auto loaded = cache_.Load(key_, name, 2);
    return loaded ? "" : loaded.error().code;
  }
  std::string OnlyFile() const {
    const auto names = Names();
    return names.size() == 1 ? folder_.File("cache/" + names[0]) : "";
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    if (!std::filesystem::exists(folder_.File("cache"))) return names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.File("cache")))
      names.push_back(entry.path().filename().string());
    return names;
  }

  const TemporaryFolder folder_;
  const SideCache cache_{{folder_.File("cache"), 100 << 20}};
  const ContentKey key_{"0123abcd", {1, 2, 3}};
  const ResultName name_{"graph", 1};
  const std::vector<uint8_t> small_{1, 2, 3};
  std::vector<uint8_t> large_ = std::vector<uint8_t>((9 << 20) + 5);  // three blocks, the last one short
};

// Three blocks of 4 MiB and less, read by the piece.
TEST_F(SideCacheTest, AFileHasTheDigestOfItsBytes) {
  const std::string path = folder_.File("bytes");
  WriteAll(path, large_);
  BlockDigests of_memory(large_.size()), of_file(large_.size()), beyond(large_.size() + 1);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  for (size_t i = 0; i < 3; ++i) {
    of_memory.Set(i, large_.data() + i * kDigestBlock);
    EXPECT_TRUE(of_file.SetFrom(file, i));
  }
  EXPECT_EQ(of_file.Whole(), of_memory.Whole());
  EXPECT_FALSE(beyond.SetFrom(file, 2)) << "it ends before";
  close(file);
}

TEST_F(SideCacheTest, GivesBackWhatWasStored) {
  EXPECT_FALSE(cache_.MayHave("0123abcd"));
  EXPECT_EQ(CodeOf(name_), "cache.missing");
  ASSERT_TRUE(Store(cache_, name_));
  EXPECT_TRUE(cache_.MayHave("0123abcd"));
  EXPECT_FALSE(cache_.MayHave("0123"));
  const auto loaded = cache_.Load(key_, name_, 2);
  ASSERT_TRUE(loaded);
  ASSERT_THAT((*loaded)->Arrays(), SizeIs(3));
  EXPECT_TRUE(std::ranges::equal((*loaded)->Arrays()[0], small_));
  EXPECT_THAT((*loaded)->Arrays()[1], IsEmpty());
  EXPECT_TRUE(std::ranges::equal((*loaded)->Arrays()[2], large_));
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*loaded)->Arrays()[2].data()) % 4096, 0u);
  EXPECT_THAT(OnlyFile(), EndsWith("/0123abcd-01020300000000000000000000000000.graph-1"));
  EXPECT_EQ(std::filesystem::status(folder_.File("cache")).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(SideCacheTest, OtherSnapshotsAndVersionsAreMissing) {
  ASSERT_TRUE(Store(cache_, name_));
  EXPECT_EQ(CodeOf({"graph", 2}), "cache.missing");
  EXPECT_EQ(CodeOf({"paths", 1}), "cache.missing");
  EXPECT_FALSE(cache_.Load({"0123abcd", {9}}, name_, 1));
  // Also when a file bears the name of another.
  std::filesystem::rename(OnlyFile(), folder_.File("cache/0123abcd-01020300000000000000000000000000.graph-2"));
  EXPECT_EQ(CodeOf({"graph", 2}), "cache.damaged");
}

TEST_F(SideCacheTest, AnIdIsNoPath) {
  const ContentKey hostile{"../../x", {}};
  ASSERT_TRUE(cache_.Store(hostile, name_, Arrays(), kNever));
  EXPECT_THAT(OnlyFile(), ::testing::HasSubstr("/cache/______x-"));
  EXPECT_TRUE(cache_.Load(hostile, name_, 1));
}

// In place: the file is large.
void FlipBit(const std::string& path, size_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ 0x10));
}

TEST_F(SideCacheTest, EveryFlippedBitIsSeen) {
  ASSERT_TRUE(Store(cache_, name_));
  const std::string path = OnlyFile();
  // Header: every byte up to its digest's end. Arrays: their first and last bytes and one within.
  std::vector<size_t> places(4080);
  for (size_t i = 0; i < places.size(); ++i) places[i] = i;
  for (const size_t place : {size_t{4096}, size_t{4098}, size_t{8192}, size_t{5 << 20}, 8192 + large_.size() - 1})
    places.push_back(place);
  for (const size_t place : places) {
    FlipBit(path, place);
    EXPECT_EQ(CodeOf(name_), "cache.damaged") << place;
    FlipBit(path, place);
  }
  EXPECT_EQ(CodeOf(name_), "");
}

TEST_F(SideCacheTest, CutAndLongerFilesAreSeen) {
  ASSERT_TRUE(Store(cache_, name_));
  const std::string path = OnlyFile();
  const auto size = std::filesystem::file_size(path);
  for (const uint64_t bytes :
       {uint64_t{0}, uint64_t{1}, uint64_t{4095}, uint64_t{4096}, size / 2, size - 1, size + 1}) {
    std::filesystem::resize_file(path, bytes);
    EXPECT_EQ(CodeOf(name_), "cache.damaged") << bytes;
  }
  // It is written anew over what was there.
  ASSERT_TRUE(Store(cache_, name_));
  EXPECT_EQ(CodeOf(name_), "");
}

// A header whose digest is right and whose array is not inside the file.
TEST_F(SideCacheTest, ArraysOutsideTheFileAreSeen) {
  ASSERT_TRUE(Store(cache_, name_));
  const std::string path = OnlyFile();
  for (const auto& [at, value] : {std::pair<size_t, uint64_t>{48, uint64_t{1} << 40},  // offset of the first array
                                  {48, ~uint64_t{0} << 12},                            // its end overflows
                                  {56, uint64_t{1} << 40},                             // bytes of the first array
                                  {48, 4097},                                          // not aligned
                                  {40, 65}}) {                                         // number of arrays
    auto bytes = ReadAll(path);
    const auto before = bytes;
    std::memcpy(bytes.data() + at, &value, at == 40 ? 4 : 8);
    BlockDigests digest(4064);
    digest.Set(0, bytes.data());
    const auto whole = digest.Whole();
    std::memcpy(bytes.data() + 4064, whole.data(), whole.size());
    WriteAll(path, bytes);
    EXPECT_EQ(CodeOf(name_), "cache.damaged") << at << " " << value;
    WriteAll(path, before);
  }
}

TEST_F(SideCacheTest, WhatOthersCouldHaveWrittenIsNotTaken) {
  ASSERT_TRUE(Store(cache_, name_));
  chmod(OnlyFile().c_str(), 0666);
  EXPECT_EQ(CodeOf(name_), "cache.damaged");
  std::filesystem::rename(OnlyFile(), folder_.File("elsewhere"));
  std::filesystem::create_symlink(folder_.File("elsewhere"),
                                  folder_.File("cache/0123abcd-01020300000000000000000000000000.graph-1"));
  EXPECT_EQ(CodeOf(name_), "cache.missing");
  chmod(folder_.File("cache").c_str(), 0777);
  EXPECT_EQ(Store(cache_, name_).error().code, "cache.unusable");
}

TEST_F(SideCacheTest, WithoutAFolderNothingIsStored) {
  const std::string file = folder_.File("file");
  WriteAll(file, {1});
  for (const std::string& folder : {std::string(), file + "/cache", std::string("/proc/cairn/results")}) {
    const SideCache cache({folder, 1 << 30});
    EXPECT_FALSE(cache.MayHave("0123abcd"));
    EXPECT_EQ(Store(cache, name_).error().code, "cache.unusable") << folder;
    EXPECT_FALSE(cache.Load(key_, name_, 1));
  }
}

// A full disk, as a limit on the size of files.
TEST_F(SideCacheTest, AFullDiskLeavesNothingBehind) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status stored = Store(cache_, name_);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(stored);
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(SideCacheTest, WhatIsNoLongerWantedLeavesNothingBehind) {
  EXPECT_EQ(cache_.Store(key_, name_, Arrays(), kAlways).error().code, "cancelled");
  EXPECT_THAT(Names(), IsEmpty());
}

void SetAge(const std::string& path, int seconds) {
  const timespec times[2] = {{1'000'000'000 - seconds, 0}, {1'000'000'000 - seconds, 0}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
}

// A file of one byte takes two pages, 8192 bytes: of 20,000 two fit.
TEST_F(SideCacheTest, TheOnesUsedLongestAgoMakeRoom) {
  const SideCache cache({folder_.File("cache"), 20'000});
  const std::vector<uint8_t> byte{7};
  const std::vector<Bytes> one{byte};
  const auto path = [&](const char* name) {
    return folder_.File("cache/0123abcd-01020300000000000000000000000000." + std::string(name) + "-1");
  };
  ASSERT_TRUE(cache.Store(key_, {"a", 1}, one, kNever));
  ASSERT_TRUE(cache.Store(key_, {"b", 1}, one, kNever));
  SetAge(path("a"), 100);
  SetAge(path("b"), 200);
  ASSERT_TRUE(cache.Load(key_, {"b", 1}, 1));  // used just now
  ASSERT_TRUE(cache.Store(key_, {"c", 1}, one, kNever));
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  EXPECT_TRUE(std::filesystem::exists(path("b")));
  EXPECT_TRUE(std::filesystem::exists(path("c")));
  EXPECT_EQ(Store(cache, {"d", 1}).error().code, "cache.full");  // 9 MiB
  EXPECT_TRUE(std::filesystem::exists(path("b")));
}

TEST_F(SideCacheTest, LeftoversOfDeadWritersGoAndLivingOnesStay) {
  ASSERT_TRUE(Store(cache_, name_));
  const std::string dead = folder_.File("cache/x.graph-1.partial"), living = folder_.File("cache/y.graph-1.partial");
  WriteAll(dead, {1});
  WriteAll(living, {1});
  const int fd = open(living.c_str(), O_RDONLY);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  ASSERT_TRUE(Store(cache_, {"paths", 1}));
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(living));
  close(fd);
}

// Four processes write the same result again and again; whoever reads meanwhile sees all of it or nothing.
TEST_F(SideCacheTest, ManyProcessesAtOnce) {
  std::vector<pid_t> writers;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int round = 0; round < 5; ++round) (void)Store(cache_, name_);
      _exit(0);
    }
    writers.push_back(child);
  }
  for (int round = 0; round < 20; ++round) {
    const auto loaded = cache_.Load(key_, name_, 1);
    EXPECT_TRUE(loaded ? std::ranges::equal((*loaded)->Arrays()[2], large_) : loaded.error().code == "cache.missing");
  }
  for (const pid_t writer : writers) waitpid(writer, nullptr, 0);
  EXPECT_EQ(CodeOf(name_), "");
  EXPECT_THAT(Names(), SizeIs(1));
}

TEST_F(SideCacheTest, AKeyIsOfTheBytesAndOfTheFileThatWasOpened) {
  const std::string one = folder_.File("one"), other = folder_.File("other");
  WriteAll(one, large_);
  auto changed = large_;
  changed.back() ^= 1;
  WriteAll(other, changed);
  const auto opened = IdentityOf(one);
  ASSERT_TRUE(opened);
  const auto key = ContentKeyOf(one, "id", *opened, 2), again = ContentKeyOf(one, "id", *opened, 1);
  ASSERT_TRUE(key && again);
  EXPECT_EQ(*key, *again);
  EXPECT_NE(ContentKeyOf(other, "id", *IdentityOf(other), 2)->digest, key->digest);
  std::filesystem::rename(other, one);
  EXPECT_FALSE(ContentKeyOf(one, "id", *opened, 2));
  EXPECT_FALSE(IdentityOf(folder_.File("missing")));
}

}  // namespace
}  // namespace cairn::snapshot
