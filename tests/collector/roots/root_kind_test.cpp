#include "collector/roots/root_kind.h"

#include <gtest/gtest.h>

#include "collector/abi/masks.h"

namespace cairn::collector {
namespace {

using protocol::RootKind;

struct Case {
  abi::GcRootKind kind;
  uint32_t flags;
  uint64_t id;
  RootKind expected;
};

class RootKindTest : public ::testing::TestWithParam<Case> {};

TEST_P(RootKindTest, Maps) {
  const Case& c = GetParam();
  EXPECT_EQ(KindOf({0x1000, c.id, static_cast<uint32_t>(c.kind), c.flags}), c.expected);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RootKindTest,
    ::testing::Values(Case{abi::GcRootKind::kStack, 0, 0xF0, RootKind::kLocal},
                      Case{abi::GcRootKind::kStack, abi::kGcRootInterior | abi::kGcRootPinning, 0xF0, RootKind::kLocal},
                      Case{abi::GcRootKind::kStack, 0, 0, RootKind::kOther},
                      Case{abi::GcRootKind::kFinalizer, 0, 0, RootKind::kFinalizer},
                      Case{abi::GcRootKind::kOther, 0, 0, RootKind::kOther},
                      Case{abi::GcRootKind::kHandle, 0, 0xA0, RootKind::kHandleStrong},
                      Case{abi::GcRootKind::kHandle, abi::kGcRootPinning, 0xA0, RootKind::kHandlePinned},
                      Case{abi::GcRootKind::kHandle, abi::kGcRootRefcounted, 0xA0, RootKind::kHandleRefcounted},
                      Case{abi::GcRootKind::kHandle, abi::kGcRootWeakref, 0xA0, RootKind::kHandleWeak},
                      // interior and weak: never a strong root
                      Case{abi::GcRootKind::kHandle, abi::kGcRootWeakref | abi::kGcRootInterior, 0xA0,
                           RootKind::kHandleWeak},
                      Case{abi::GcRootKind::kOther, abi::kGcRootWeakref, 0, RootKind::kHandleWeak}));

}  // namespace
}  // namespace cairn::collector
