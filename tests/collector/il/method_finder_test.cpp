#include "collector/il/method_finder.h"

#include <gtest/gtest.h>

#include "collector/abi/masks.h"
#include "tests/collector/capture/fake_runtime.h"

namespace cairn::collector::il {
namespace {

// Asking about the metadata of a module that may go crashes the target when it does.
TEST(MethodFinder, AsksNothingOfModulesThatMayGo) {
  FakeRuntime runtime;
  runtime.modules = {{0x1000, u"/app/Shop.dll", 0},
                     {0x2000, u"/app/Plugin.dll", abi::kModuleCollectible},
                     {0x3000, u"Emitted", abi::kModuleDynamic | abi::kModuleCollectible}};
  MethodFinder finder(runtime.As<abi::ICorProfilerInfo10>());
  EXPECT_TRUE(finder.Find({"*"}, 10).empty());
  EXPECT_EQ(finder.CoreLibrary(), 0u);
  EXPECT_EQ(runtime.metadata_asked, (std::vector<abi::ModuleID>{0x1000}));
}

// One that is being loaded is not listed yet, and asked about all the same; the others are not.
TEST(MethodFinder, AsksOfOneModuleOnly) {
  FakeRuntime runtime;
  runtime.modules = {{0x1000, u"/app/Shop.dll", 0},
                     {0x2000, u"/app/Plugin.dll", abi::kModuleCollectible},
                     {0x3000, u"/app/Stock.dll", 0}};
  MethodFinder finder(runtime.As<abi::ICorProfilerInfo10>());
  EXPECT_TRUE(finder.FindIn(0x3000, {"*"}, 10).empty());
  EXPECT_TRUE(finder.FindIn(0x2000, {"*"}, 10).empty());
  EXPECT_EQ(runtime.metadata_asked, (std::vector<abi::ModuleID>{0x3000}));
}

}  // namespace
}  // namespace cairn::collector::il
