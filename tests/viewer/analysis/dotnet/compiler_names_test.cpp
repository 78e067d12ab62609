#include "viewer/analysis/dotnet/compiler_names.h"

#include <gtest/gtest.h>

namespace cairn::analysis::dotnet {
namespace {

constexpr char kBox[] =
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<System.Threading.Tasks.VoidTaskResult>+"
    "AsyncStateMachineBox<";

std::string Method(const std::string& name) { return StateMachineMethod(name).value_or("-"); }
std::string Boxed(const std::string& name) { return Method(kBox + name + ">"); }

TEST(CompilerNames, AsyncMethods) {
  EXPECT_EQ(Boxed("LeakyShop.Customers+<ExecuteAsync>d__2"), "LeakyShop.Customers.ExecuteAsync");
  EXPECT_EQ(Boxed("Program+<<Main>$>d__0"), "Program.Main");
  EXPECT_EQ(Boxed("Shop.Http+<Process>d__237<Shop.Context<System.String>>"), "Shop.Http.Process");
  EXPECT_EQ(Boxed("Shop.Dispatcher<Shop.Context>+<RunAsync>d__10"), "Shop.Dispatcher<Shop.Context>.RunAsync");
  EXPECT_EQ(Boxed("Shop.Dispatcher<Shop.Context>+<>c__DisplayClass10_0+<<Start>g__Accept|0>d"),
            "Shop.Dispatcher<Shop.Context>.Start.Accept");
  EXPECT_EQ(Boxed("Shop.A+<>c+<<Run>b__3_0>d"), "Shop.A.Run (lambda)");
  EXPECT_TRUE(IsAsyncBox(kBox + std::string("A+<B>d__1>")));
}

TEST(CompilerNames, StateMachinesWithoutABox) {
  EXPECT_EQ(Method("Shop.Orders+<GetAll>d__4"), "Shop.Orders.GetAll");
  EXPECT_EQ(Method("Shop.Orders+<GetAll>d__4<System.Int32>"), "Shop.Orders.GetAll");
  EXPECT_FALSE(IsAsyncBox("Shop.Orders+<GetAll>d__4"));
}

TEST(CompilerNames, OthersAreNone) {
  for (const char* name :
       {"", "Shop.Order", "System.Collections.Generic.List<Shop.Order>", "A+<", "A+<B", "A+<>d",
        "System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry[]", "Shop.A+<>c__DisplayClass1_0",
        "<PrivateImplementationDetails>+__StaticArrayInitTypeSize=16", "List<Shop.Orders+<GetAll>d__4>"})
    EXPECT_EQ(Method(name), "-") << name;
}

TEST(CompilerNames, Closures) {
  EXPECT_EQ(ClosureOwner("Shop.A+<>c__DisplayClass12_0"), "Shop.A");
  EXPECT_EQ(ClosureOwner("Shop.A+<>c"), "Shop.A");
  EXPECT_EQ(ClosureOwner("Shop.A+<>c__DisplayClass1_0+<>c__DisplayClass1_1"), "Shop.A");
  EXPECT_EQ(ClosureOwner("Shop.A<System.Int32>+<>c__DisplayClass1_0"), "Shop.A<System.Int32>");
  EXPECT_FALSE(ClosureOwner("Shop.A"));
  EXPECT_FALSE(ClosureOwner("Shop.A+<Run>d__1"));
}

}  // namespace
}  // namespace cairn::analysis::dotnet
