#include "collector/capture/unload_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace cairn::collector {
namespace {

TEST(UnloadGateTest, OpenAsLongAsNobodyAsks) {
  UnloadGate gate;
  gate.Pass();
  { const UnloadGate::Hold asking(gate); }
  gate.Pass();
}

TEST(UnloadGateTest, WaitsForTheLastWhoAsks) {
  UnloadGate gate;
  std::atomic<bool> asked{false}, passed{false};
  std::thread unloading;
  {
    const UnloadGate::Hold outer(gate);
    {
      const UnloadGate::Hold inner(gate);
      unloading = std::thread([&] {
        gate.Pass();
        EXPECT_TRUE(asked);
        passed = true;
      });
    }
    asked = true;
  }
  unloading.join();
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace cairn::collector
