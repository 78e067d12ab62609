#include "collector/runtime/safe_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace cairn::collector {
namespace {

TEST(SafeMemory, ReadsWhatIsThereAndNothingElse) {
  const uint64_t value = 0x1122334455667788;
  uint64_t read = 0;
  EXPECT_TRUE(ReadSafely(reinterpret_cast<uintptr_t>(&value), &read));
  EXPECT_EQ(read, value);
  EXPECT_FALSE(ReadSafely(0, &read));
  EXPECT_FALSE(ReadSafely(0xDEAD000000000000, &read));
}

TEST(SafeMemory, GivesAllOrNothing) {
  constexpr size_t kPage = 4096;
  auto* pages =
      static_cast<uint8_t*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(munmap(pages + kPage, kPage), 0);
  uint64_t read = 0;
  EXPECT_TRUE(ReadSafely(reinterpret_cast<uintptr_t>(pages + kPage - 8), &read));
  EXPECT_FALSE(ReadSafely(reinterpret_cast<uintptr_t>(pages + kPage - 4), &read));
  munmap(pages, kPage);
}

}  // namespace
}  // namespace cairn::collector
