#include "collector/il/exception_names.h"

#include <gtest/gtest.h>

#include <thread>

#include "collector/il/body_wrapper.h"

namespace cairn::collector::il {
namespace {

TEST(ExceptionNames, TellsEachOnce) {
  ExceptionNames names(nullptr);
  uint32_t number = 0;
  int told = 0;
  const auto tell = [&](uint32_t, const std::string&) { return ++told > 0; };
  EXPECT_TRUE(names.NumberOf(0, 1, tell, number));
  EXPECT_EQ(number, 0u);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(names.NumberOf(kUnknownException, 1, tell, number));
  EXPECT_EQ(number, 1u);
  EXPECT_EQ(told, 1);
}

// A client that reads nothing is waited for here; meanwhile a load context goes on another thread. With the lock held
// this would wait for ever.
TEST(ExceptionNames, UnloadingNeverWaitsForTheClient) {
  ExceptionNames names(nullptr);
  uint32_t number = 0;
  const auto slow = [&](uint32_t, const std::string&) {
    std::thread([&] { names.OnModuleUnload(); }).join();
    return true;
  };
  EXPECT_TRUE(names.NumberOf(kUnknownException, 1, slow, number));
}

// Here there is no runtime that could be asked.
TEST(ExceptionNames, AsksNothingOfAProcessThatEnds) {
  ExceptionNames names(nullptr);
  names.OnShutdown();
  uint32_t number = 0;
  std::string name = "not told";
  const auto tell = [&](uint32_t, const std::string& type) { return (name = type).empty(); };
  EXPECT_TRUE(names.NumberOf(0x1000, 1, tell, number));
  EXPECT_EQ(name, "");
}

}  // namespace
}  // namespace cairn::collector::il
