#include "collector/sampling/runtime_type_name.h"

#include <gtest/gtest.h>

namespace cairn::collector {
namespace {

TEST(RuntimeTypeNameTest, IsWrittenInOurWay) {
  const char* const kCases[][2] = {
      {"Shop.Order", "Shop.Order"},
      {"Shop.Order+Line", "Shop.Order+Line"},
      {"System.Byte[]", "System.Byte[]"},
      {"System.Byte[,,]", "System.Byte[,,]"},
      {"System.Byte[*]", "System.Byte[*]"},
      {"System.Int32[][]", "System.Int32[][]"},
      {"System.Collections.Generic.List`1[System.String]", "System.Collections.Generic.List<System.String>"},
      {"System.Collections.Generic.Dictionary`2[System.String,System.Int32]",
       "System.Collections.Generic.Dictionary<System.String, System.Int32>"},
      {"System.Collections.Generic.Dictionary`2+Entry[System.String,System.Int32[]][]",
       "System.Collections.Generic.Dictionary<System.String, System.Int32[]>+Entry[]"},
      {"A.Outer`1+Inner`1[System.String,A.Other`1[System.Byte[,]]]",
       "A.Outer<System.String>+Inner<A.Other<System.Byte[,]>>"},
      {"Shop.Program+<>c__DisplayClass3_0", "Shop.Program+<>c__DisplayClass3_0"},
      {"Shop.Program+<Run>d__5`1[System.Object]", "Shop.Program+<Run>d__5<System.Object>"},
      {"A.Box`1[A.S*]", "A.Box<A.S*>"},
  };
  for (const auto& [runtime, ours] : kCases) EXPECT_EQ(FromRuntimeTypeName(runtime), ours);
}

TEST(RuntimeTypeNameTest, WhatHasAnotherFormStaysAsItIs) {
  for (const char* text :
       {"", "[", "]", "A[", "A]", "A[B", "A`1[B,", "A`1[B]]", "A+", "+A", "A`1[,B", "A,B", "A`1[B][C]"})
    EXPECT_EQ(FromRuntimeTypeName(text), text);
  const std::string deep = [] {
    std::string name = "A";
    for (int i = 0; i < 100; ++i) name = "A`1[" + name + "]";
    return name;
  }();
  EXPECT_EQ(FromRuntimeTypeName(deep), deep);
}

}  // namespace
}  // namespace cairn::collector
