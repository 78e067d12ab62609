// A forked child that puts copies in the place of the pages it shares with its parent.

#include "collector/capture/child_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace cairn::collector::child {
namespace {

constexpr size_t kBytes = 4 * 4096;
constexpr size_t kRoom = size_t{1} << 20;

// Memory that parent and child share, under a name of its own.
class SharedFile {
 public:
  SharedFile(const char* name, size_t bytes) : bytes_(bytes) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
    words_ = static_cast<volatile uint64_t*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
  }
  ~SharedFile() { munmap(const_cast<uint64_t*>(words_), bytes_); }
  volatile uint64_t& operator[](size_t word) { return words_[word]; }

 private:
  size_t bytes_;
  volatile uint64_t* words_;
};

// What a child says that first does `first`, and is then asked `ask` when the parent has done `change`.
int ChildSays(const std::function<bool(uint8_t* room, size_t size)>& first, const std::function<void()>& change,
              const std::function<int()>& ask) {
  std::vector<uint8_t> room(kRoom);
  int ready[2], go[2];
  EXPECT_EQ(pipe(ready), 0);
  EXPECT_EQ(pipe(go), 0);
  const pid_t child = fork();
  if (child == 0) {
    char done = first(room.data(), room.size()) ? 1 : 0;
    if (write(ready[1], &done, 1) != 1 || read(go[0], &done, 1) != 1) _exit(100);
    _exit(ask());
  }
  char done = 0;
  EXPECT_EQ(read(ready[0], &done, 1), 1);
  EXPECT_EQ(done, 1) << "the first step";
  change();
  EXPECT_EQ(write(go[1], &done, 1), 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  for (const int end : {ready[0], ready[1], go[0], go[1]}) close(end);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ChildPagesTest, WhatTheParentWritesLaterIsNotSeen) {
  SharedFile types("doublemapper", kBytes);
  types[0] = 5;
  types[1024] = 5;
  const auto change = [&] {
    types[0] = 0;
    types[1024] = 0;
  };
  EXPECT_EQ(ChildSays(OwnSharedPages, change, [&] { return static_cast<int>(types[0] * 10 + types[1024]); }), 55);
}

// As it was before: so that the case above can fail.
TEST(ChildPagesTest, WithoutACopyItIsSeen) {
  SharedFile types("doublemapper", kBytes);
  types[0] = 5;
  EXPECT_EQ(ChildSays([](uint8_t*, size_t) { return true; }, [&] { types[0] = 7; },
                      [&] { return static_cast<int>(types[0]); }),
            7);
}

TEST(ChildPagesTest, WhatTheChildWritesStaysWithTheChild) {
  SharedFile types("doublemapper", kBytes);
  types[0] = 5;
  EXPECT_EQ(ChildSays(
                OwnSharedPages, [] {},
                [&] {
                  types[0] = 6;
                  return static_cast<int>(types[0]);
                }),
            6);
  EXPECT_EQ(types[0], 5u);
}

TEST(ChildPagesTest, OtherSharedMemoryStaysShared) {
  SharedFile other("somebody", kBytes);
  other[0] = 5;
  EXPECT_EQ(ChildSays(
                OwnSharedPages, [&] { other[0] = 8; }, [&] { return static_cast<int>(other[0]); }),
            8);
}

// More mappings than one read of the list gives: each second page is made unwritable, which parts them.
TEST(ChildPagesTest, ManyMappings) {
  constexpr size_t kPages = 2000;
  SharedFile types("doublemapper", kPages * 4096);
  for (size_t page = 1; page < kPages; page += 2) {
    ASSERT_EQ(mprotect(const_cast<uint64_t*>(&types[page * 512]), 4096, PROT_NONE), 0);
  }
  const auto sum = [&] {
    size_t sum = 0;
    for (size_t page = 0; page < kPages; page += 2) sum += types[page * 512];
    return static_cast<int>(sum % 251);
  };
  for (size_t page = 0; page < kPages; page += 2) types[page * 512] = page;
  const int before = sum();
  const auto change = [&] {
    for (size_t page = 0; page < kPages; page += 2) types[page * 512] = 1;
  };
  EXPECT_EQ(ChildSays(OwnSharedPages, change, sum), before);
}

// The large mapping alone is beyond what may be copied, and the small one is not given up for it.
TEST(ChildPagesTest, TheLargestAreLeftOut) {
  SharedFile large("doublemapper", kMostOwnPages + 4096), small("doublemapper", kBytes);
  large[0] = 5;
  small[0] = 5;
  const auto change = [&] {
    large[0] = 1;
    small[0] = 1;
  };
  EXPECT_EQ(ChildSays(OwnSharedPages, change, [&] { return static_cast<int>(large[0] * 10 + small[0]); }), 15);
}

TEST(ChildPagesTest, NoRoomIsARefusal) {
  uint8_t room[64];
  EXPECT_FALSE(OwnSharedPages(room, sizeof room));
}

}  // namespace
}  // namespace cairn::collector::child
