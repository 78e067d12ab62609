// A stack as a chain of return addresses, and when it stands for what the runtime says of it.

#include "collector/sampling/frame_chain.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cairn::collector {
namespace {

// Words in memory that are a stack: pairs of where the frame before lies and where this one returns to.
class FrameChainTest : public testing::Test {
 protected:
  uintptr_t At(size_t word) const { return reinterpret_cast<uintptr_t>(&words_[word]); }
  void PutFrame(size_t word, uintptr_t before, uintptr_t returns_to) {
    words_[word] = before;
    words_[word + 1] = returns_to;
  }
  std::vector<uint64_t> Read(size_t word) {
    ReadFrameChain(At(word), At(words_.size()), &chain_);
    return {chain_.Links().begin(), chain_.Links().end()};
  }
  static RecordedStack StackAt(std::vector<uintptr_t> addresses, bool cut) {
    RecordedStack stack;
    for (const uintptr_t address : addresses) {
      stack.functions[stack.size] = 1;
      stack.addresses[stack.size++] = address;
    }
    stack.cut = cut;
    return stack;
  }

  std::array<uintptr_t, 512> words_{};
  FrameChain chain_;
};

TEST_F(FrameChainTest, FollowsFramesOutwards) {
  PutFrame(10, At(20), 0x100);
  PutFrame(20, At(50), 0x200);
  PutFrame(50, 0, 0x300);
  EXPECT_EQ(Read(10), (std::vector<uint64_t>{0x100, 0x200, 0x300}));
  EXPECT_FALSE(chain_.cut);
}

TEST_F(FrameChainTest, NeverLeavesTheStackNorTurnsBack) {
  PutFrame(510, At(20), 0x100);  // backwards
  EXPECT_EQ(Read(510), (std::vector<uint64_t>{0x100}));
  PutFrame(10, At(512), 0x100);  // its end
  EXPECT_EQ(Read(10), (std::vector<uint64_t>{0x100}));
  PutFrame(10, At(511), 0x100);  // half a frame
  EXPECT_EQ(Read(10), (std::vector<uint64_t>{0x100}));
  PutFrame(10, At(20) + 1, 0x100);  // no address of a word
  EXPECT_EQ(Read(10), (std::vector<uint64_t>{0x100}));
  PutFrame(10, At(10), 0x100);  // itself
  EXPECT_EQ(Read(10), (std::vector<uint64_t>{0x100}));
  ReadFrameChain(At(10), 0, &chain_);
  EXPECT_EQ(chain_.size, 0u);
  ReadFrameChain(At(10), At(5), &chain_);
  EXPECT_EQ(chain_.size, 0u);
}

TEST_F(FrameChainTest, CutWhereThereIsMore) {
  for (size_t i = 0; i < 65; ++i) PutFrame(10 + 2 * i, At(12 + 2 * i), 0x1000 + i);
  PutFrame(10 + 2 * 64, 0, 0x2000);
  EXPECT_EQ(Read(10).size(), 64u);
  EXPECT_TRUE(chain_.cut);
  EXPECT_EQ(Read(12).size(), 64u);
  EXPECT_FALSE(chain_.cut);
}

TEST_F(FrameChainTest, StandsForAStackWhoseFramesAreAllInIt) {
  PutFrame(10, At(20), 0x100);  // native code
  PutFrame(20, At(30), 0x200);
  PutFrame(30, At(40), 0x300);  // native code
  PutFrame(40, 0, 0x400);
  Read(10);
  EXPECT_TRUE(ChainStandsFor(chain_, StackAt({0x200, 0x400}, false)));
  EXPECT_TRUE(ChainStandsFor(chain_, StackAt({0x200}, true)));
  EXPECT_FALSE(ChainStandsFor(chain_, StackAt({0x200, 0x250, 0x400}, false)));  // a frame without its place
  EXPECT_FALSE(ChainStandsFor(chain_, StackAt({0x400, 0x200}, false)));
  EXPECT_FALSE(ChainStandsFor(chain_, StackAt({}, false)));
}

TEST_F(FrameChainTest, ACutChainStandsForCutStacksOnly) {
  for (size_t i = 0; i < 65; ++i) PutFrame(10 + 2 * i, At(12 + 2 * i), 0x1000 + i);
  Read(10);
  EXPECT_TRUE(ChainStandsFor(chain_, StackAt({0x1001, 0x1002}, true)));
  EXPECT_FALSE(ChainStandsFor(chain_, StackAt({0x1001, 0x1002}, false)));
}

}  // namespace
}  // namespace cairn::collector
