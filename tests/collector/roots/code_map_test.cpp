#include "collector/roots/code_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/roots/fake_functions.h"

namespace cairn::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<FunctionId> At(const CodeMap& code, uint64_t address) {
  std::vector<FunctionId> found;
  code.ForEachAt(address, [&found](FunctionId id) { found.push_back(id); });
  return found;
}

class CodeMapTest : public ::testing::Test {
 protected:
  testing::FakeFunctions functions;
};

TEST_F(CodeMapTest, FindsEveryVersionOfAFunction) {
  functions.code = {{0x1000, 0xF1}, {0x5000, 0xF1}, {0x2000, 0xF2}};
  const FunctionId ids[] = {0xF1, 0xF2};
  const CodeMap code(functions, ids);
  EXPECT_THAT(At(code, 0x1000), ElementsAre(0xF1));
  EXPECT_THAT(At(code, 0x5000), ElementsAre(0xF1));
  EXPECT_THAT(At(code, 0x2000), ElementsAre(0xF2));
  EXPECT_THAT(At(code, 0x3000), IsEmpty());
  EXPECT_THAT(code.WithoutCode(), IsEmpty());
}

// A call that ends a function leaves the address behind its last byte, which may be the first of another.
TEST_F(CodeMapTest, TakesTheAddressBehindACallForBoth) {
  functions.code = {{0x1000, 0xF1}, {0x1001, 0xF2}};
  const FunctionId ids[] = {0xF1, 0xF2};
  const CodeMap code(functions, ids);
  EXPECT_THAT(At(code, 0x1001), ElementsAre(0xF1, 0xF2));
  EXPECT_THAT(At(code, 0x0FFF), IsEmpty());
  EXPECT_THAT(At(code, 0x1003), IsEmpty());
}

TEST_F(CodeMapTest, ListsFunctionsWithoutCode) {
  functions.code = {{0x1000, 0xF1}};
  const FunctionId ids[] = {0xF1, 0xF9};
  CodeMap code(functions, ids);
  code.AddWithoutCode(0xD0);
  EXPECT_THAT(code.WithoutCode(), ElementsAre(0xF9, 0xD0));
}

// Words on a stack are never handed to the runtime: it dies of some of them.
TEST_F(CodeMapTest, NeverAsksAboutAnAddress) {
  functions.code = {{0x1000, 0xF1}};
  const FunctionId ids[] = {0xF1};
  const CodeMap code(functions, ids);
  At(code, 0xBAD);
  EXPECT_THAT(functions.located, ElementsAre(0xF1));
  EXPECT_THAT(functions.addresses_asked, IsEmpty());
}

}  // namespace
}  // namespace cairn::collector
