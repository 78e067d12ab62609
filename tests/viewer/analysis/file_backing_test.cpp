#include "viewer/analysis/file_backing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>

#include "tests/snapshot-format/temporary_folder.h"
#include "viewer/analysis/flat_array.h"

namespace cairn::analysis {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr size_t kNumbers = 1'000'001;  // 4,000,004 bytes: 976 whole pages of 4096, and 2,308 bytes

FlatArray<uint32_t> Numbers() {
  FlatArray<uint32_t> numbers(kNumbers);
  std::iota(numbers.begin(), numbers.end(), 1u);
  return numbers;
}

Bytes BytesOf(const FlatArray<uint32_t>& numbers, size_t count = kNumbers) {
  return {reinterpret_cast<const uint8_t*>(numbers.data()), count * sizeof(uint32_t)};
}

// The bytes in a file, mapped as the cache maps its files.
class MappedFile {
 public:
  explicit MappedFile(Bytes bytes) : size_(bytes.size()) {
    const int file = open(folder_.File("numbers").c_str(), O_RDWR | O_CREAT, 0600);
    EXPECT_EQ(write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    close(file);
    const int read_only = open(folder_.File("numbers").c_str(), O_RDONLY);
    data_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, read_only, 0);
    close(read_only);
    EXPECT_NE(data_, MAP_FAILED);
  }
  ~MappedFile() { munmap(data_, size_); }
  Bytes Whole() const { return {static_cast<const uint8_t*>(data_), size_}; }

 private:
  const snapshot::testing::TemporaryFolder folder_;
  const size_t size_;
  void* data_ = nullptr;
};

// How much of the mapping at `place` is memory of its own; 0 of a file.
uint64_t OwnBytesAt(const void* place) {
  FILE* maps = fopen("/proc/self/smaps", "r");
  char line[512];
  bool here = false;
  uint64_t kib = 0, first = 0, end = 0;
  const auto at = reinterpret_cast<uintptr_t>(place);
  while (maps && fgets(line, sizeof(line), maps)) {
    if (sscanf(line, "%lx-%lx ", &first, &end) == 2) here = first <= at && at < end;
    if (here && sscanf(line, "Anonymous: %lu", &kib) == 1) break;
  }
  if (maps) fclose(maps);
  return kib * 1024;
}

TEST(FileBacking, TheFileTakesThePlaceOfTheArray) {
  const FlatArray<uint32_t> numbers = Numbers();
  const uint32_t* const before = numbers.data();
  EXPECT_GE(OwnBytesAt(before), 976u * 4096);
  {
    const MappedFile file(BytesOf(numbers));
    ASSERT_TRUE(memory::LieOverFile(BytesOf(numbers), file.Whole()));
    EXPECT_EQ(file.Whole()[4], 2);  // it is still mapped, too
  }
  // The file is gone, and so is its first mapping.
  EXPECT_EQ(numbers.data(), before);
  EXPECT_EQ(OwnBytesAt(before), 0u);
  for (size_t i = 0; i < kNumbers; ++i) ASSERT_EQ(numbers[i], i + 1);
}

TEST(FileBacking, ABeginningWillDo) {
  FlatArray<uint32_t> numbers = Numbers();
  const MappedFile file(BytesOf(numbers, 500'000));  // 2,000,000 bytes: 488 whole pages
  ASSERT_TRUE(memory::LieOverFile(BytesOf(numbers, 500'000), file.Whole()));
  numbers[500'000] = 7;  // what is not in the file may still be written to
  EXPECT_EQ(numbers[499'999], 500'000u);
  EXPECT_EQ(numbers[500'000], 7u);
}

TEST(FileBacking, WhatIsLetGoComesAgain) {
  const FlatArray<uint32_t> numbers = Numbers();
  const MappedFile file(BytesOf(numbers));
  memory::LetGo(file.Whole());
  memory::LetGo(file.Whole().subspan(4));  // not at a page: nothing happens
  EXPECT_TRUE(std::equal(file.Whole().begin(), file.Whole().end(), BytesOf(numbers).begin()));
}

TEST(FileBacking, WhatIsNotTheSameStays) {
  FlatArray<uint32_t> numbers = Numbers();
  const MappedFile file(BytesOf(numbers));
  numbers[kNumbers - 1] = 0;
  EXPECT_FALSE(memory::LieOverFile(BytesOf(numbers), file.Whole()));
  EXPECT_FALSE(memory::LieOverFile(BytesOf(numbers, kNumbers - 1), file.Whole()));          // shorter
  EXPECT_FALSE(memory::LieOverFile(BytesOf(numbers, 1000), file.Whole().first(4000)));      // small
  EXPECT_FALSE(memory::LieOverFile(BytesOf(numbers).subspan(4), file.Whole().subspan(4)));  // within a page
  numbers[0] = 5;                                                                           // still its own
  EXPECT_EQ(numbers[0], 5u);
}

TEST(FileBacking, OthersReadMeanwhile) {
  const FlatArray<uint32_t> numbers = Numbers();
  const MappedFile file(BytesOf(numbers));
  std::atomic<bool> done{false};
  std::atomic<uint64_t> wrong{0}, rounds{0};
  std::jthread reader([&] {
    do {
      for (size_t i = 0; i < kNumbers; ++i) wrong += numbers[i] != i + 1;
      ++rounds;
    } while (!done);
  });
  while (rounds == 0) std::this_thread::yield();
  EXPECT_TRUE(memory::LieOverFile(BytesOf(numbers), file.Whole()));
  done = true;
  reader.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace cairn::analysis
