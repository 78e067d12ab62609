#include "collector/walk/layout.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

using stream::Generation;

TEST(Layout, OnlyLargeAndPinnedHeapsAlignTo8On32Bits) {
  const LayoutPolicy layout = X86Layout(10);
  for (const Generation generation : {Generation::kGen0, Generation::kGen1, Generation::kGen2, Generation::kFrozen})
    EXPECT_EQ(layout.Alignment(generation), 4u) << static_cast<int>(generation);
  EXPECT_EQ(layout.Alignment(Generation::kLoh), 8u);
  EXPECT_EQ(layout.Alignment(Generation::kPoh), 8u);
}

TEST(Layout, AllHeapsAlignTo8On64Bits) {
  for (unsigned i = 0; i < stream::kGenerationCount; ++i)
    EXPECT_EQ(X64Layout(10).Alignment(static_cast<Generation>(i)), 8u) << i;
}

TEST(Layout, OfThisProcess) { EXPECT_EQ(NativeLayout(10).pointer_size, sizeof(void*)); }

}  // namespace
}  // namespace cairn::collector
