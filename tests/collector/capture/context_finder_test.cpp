#include "collector/capture/context_finder.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kHandle = 0x7700;
constexpr uint64_t kVirtualTable = 0x1122'3344;

// One collectible context as the runtime lays it out, in words of our own memory.
struct FakeContext {
  static constexpr size_t kAllocatorSlot = 22;  // of the module
  static constexpr size_t kHandleSlot = 94;     // of the native LoaderAllocator

  std::array<uint64_t, 256> native{};
  std::array<uint64_t, 128> module{};
  // GCDesc (one series: a reference at 8, 8 bytes, stored less the base size of 40), then the MethodTable.
  std::array<uint64_t, 4> allocator_type{static_cast<uint64_t>(8 - 40), 8, 1, 0x01000000 | uint64_t{40} << 32};
  std::array<uint64_t, 1> scout_type{uint64_t{24} << 32};
  std::array<uint64_t, 2> scout{AddressOf(scout_type[0]), AddressOf(native[0])};
  std::array<uint64_t, 4> allocator{AddressOf(allocator_type[3]), AddressOf(scout[0])};
  std::array<uint64_t, 2> auxiliary{0, AddressOf(module[0])};
  std::array<uint64_t, 5> thing_type{0, 0, 0, 0, AddressOf(auxiliary[0])};

  FakeContext() {
    native[kHandleSlot] = kHandle;
    module[kAllocatorSlot] = AddressOf(native[0]);
  }
  static uint64_t AddressOf(const uint64_t& word) { return reinterpret_cast<uint64_t>(&word); }
  uint64_t Object() const { return AddressOf(allocator[0]); }
  uint64_t Module() const { return AddressOf(module[0]); }
  uint64_t Thing() const { return AddressOf(thing_type[0]); }
};

class ContextFinderTest : public testing::Test {
 protected:
  ContextFinderTest() {
    EXPECT_TRUE(finder_.Prepare());
    type_.method_table = context_->Thing();
    root_ = {context_->Object(), kHandle, static_cast<uint32_t>(abi::GcRootKind::kHandle), abi::kGcRootWeakref};
  }
  bool Find() {
    finder_.Learn({{context_->Module(), true}});
    return finder_.Find(X64Layout(10), {&root_, 1}, {&type_, 1});
  }

  std::unique_ptr<FakeContext> context_ = std::make_unique<FakeContext>();
  ContextFinder finder_;
  WalkedType type_;
  RecordedRoot root_{};
};

TEST_F(ContextFinderTest, FindsAContextAndWhichTypesAreItsOwn) {
  ASSERT_TRUE(Find());
  ASSERT_EQ(finder_.Contexts().size(), 1u);
  EXPECT_EQ(finder_.Contexts()[0].object, context_->Object());
  EXPECT_EQ(finder_.ObjectOf(context_->Thing()), context_->Object());
}

TEST_F(ContextFinderTest, ATypeOfAnotherModuleHasNone) {
  ASSERT_TRUE(Find());
  FakeContext other;  // its native LoaderAllocator was not found
  EXPECT_EQ(finder_.ObjectOf(other.Thing()), 0u);
  EXPECT_EQ(finder_.ObjectOf(8), 0u);  // not readable
}

TEST_F(ContextFinderTest, OnlyWeakHandlesAreLookedAt) {
  root_.flags = 0;
  EXPECT_FALSE(Find());
  EXPECT_TRUE(finder_.Contexts().empty());
}

TEST_F(ContextFinderTest, TheNativeSideMustHoldTheVeryHandle) {
  context_->native[FakeContext::kHandleSlot] = kHandle + 8;
  EXPECT_FALSE(Find());
}

TEST_F(ContextFinderTest, ANativePointerThatCannotBeReadIsNone) {
  context_->scout[1] = 16;
  EXPECT_FALSE(Find());
}

TEST_F(ContextFinderTest, EveryCollectibleModuleMustLeadToAnAllocator) {
  FakeContext other;
  finder_.Learn({{context_->Module(), true}, {other.Module(), true}});
  EXPECT_FALSE(finder_.Find(X64Layout(10), {&root_, 1}, {&type_, 1}));
  EXPECT_TRUE(finder_.Contexts().empty());
}

// It died in this very collection, or its finalizer has not run yet.
TEST_F(ContextFinderTest, AModuleMayLeadToAnAllocatorThatIsGoing) {
  FakeContext going;
  context_->native[0] = going.native[0] = kVirtualTable;
  finder_.Learn({{context_->Module(), true}, {going.Module(), true}});
  ASSERT_TRUE(finder_.Find(X64Layout(10), {&root_, 1}, {&type_, 1}));
  EXPECT_EQ(finder_.ObjectOf(context_->Thing()), context_->Object());
  EXPECT_EQ(finder_.ObjectOf(going.Thing()), 0u);
}

TEST_F(ContextFinderTest, GoingOnesAloneProveNothing) {
  FakeContext going;
  context_->native[0] = going.native[0] = kVirtualTable;
  finder_.Learn({{going.Module(), true}});
  EXPECT_FALSE(finder_.Find(X64Layout(10), {&root_, 1}, {&type_, 1}));
}

TEST_F(ContextFinderTest, ATypeOfAContextThatIsGoingNeedsNoModule) {
  FakeContext going;
  WalkedType types[2] = {type_, type_};
  types[1].method_table = going.Thing();
  types[1].collectible = true;
  finder_.Learn({{context_->Module(), true}});
  EXPECT_TRUE(finder_.Find(X64Layout(10), {&root_, 1}, types));
  types[1].collectible = false;
  EXPECT_FALSE(finder_.Find(X64Layout(10), {&root_, 1}, types));
}

TEST_F(ContextFinderTest, EveryCheckedTypeMustLeadToAModule) {
  context_->auxiliary[1] = context_->Module() + 8;
  EXPECT_FALSE(Find());
}

TEST_F(ContextFinderTest, WithoutRootsNothingIsFound) {
  finder_.Learn({{context_->Module(), true}});
  EXPECT_FALSE(finder_.Find(X64Layout(10), {}, {&type_, 1}));
}

}  // namespace
}  // namespace cairn::collector
