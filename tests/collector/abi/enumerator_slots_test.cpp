// Every slot of the helper interfaces, against the numbers of the published interface tables.

#include <gtest/gtest.h>

#include "collector/abi/enumerators.h"
#include "tests/collector/abi/vtable_slot.h"

namespace cairn::collector::abi {
namespace {

TEST(Slots, ICorProfilerObjectEnum) {
  EXPECT_EQ(VtableSlot(&ICorProfilerObjectEnum::Skip), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerObjectEnum::Reset), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerObjectEnum::Clone), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerObjectEnum::GetCount), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerObjectEnum::Next), 7u);
}

TEST(Slots, ICorProfilerFunctionEnum) {
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionEnum::Skip), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionEnum::Reset), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionEnum::Clone), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionEnum::GetCount), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionEnum::Next), 7u);
}

TEST(Slots, ICorProfilerModuleEnum) {
  EXPECT_EQ(VtableSlot(&ICorProfilerModuleEnum::Skip), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerModuleEnum::Reset), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerModuleEnum::Clone), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerModuleEnum::GetCount), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerModuleEnum::Next), 7u);
}

TEST(Slots, ICorProfilerThreadEnum) {
  EXPECT_EQ(VtableSlot(&ICorProfilerThreadEnum::Skip), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerThreadEnum::Reset), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerThreadEnum::Clone), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerThreadEnum::GetCount), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerThreadEnum::Next), 7u);
}

TEST(Slots, ICorProfilerMethodEnum) {
  EXPECT_EQ(VtableSlot(&ICorProfilerMethodEnum::Skip), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerMethodEnum::Reset), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerMethodEnum::Clone), 5u);
  EXPECT_EQ(VtableSlot(&ICorProfilerMethodEnum::GetCount), 6u);
  EXPECT_EQ(VtableSlot(&ICorProfilerMethodEnum::Next), 7u);
}

TEST(Slots, ICorProfilerAssemblyReferenceProvider) {
  EXPECT_EQ(VtableSlot(&ICorProfilerAssemblyReferenceProvider::AddAssemblyReference), 3u);
}

TEST(Slots, ICorProfilerFunctionControl) {
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionControl::SetCodegenFlags), 3u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionControl::SetILFunctionBody), 4u);
  EXPECT_EQ(VtableSlot(&ICorProfilerFunctionControl::SetILInstrumentedCodeMap), 5u);
}

TEST(Slots, IMethodMalloc) { EXPECT_EQ(VtableSlot(&IMethodMalloc::Alloc), 3u); }

}  // namespace
}  // namespace cairn::collector::abi
