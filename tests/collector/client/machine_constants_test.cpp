#include "collector/client/machine_constants.h"

#include <gtest/gtest.h>

namespace cairn::client {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

snapshot::Capture Forked(double fork_ms, uint64_t resident = kGiB) {
  snapshot::Capture capture;
  capture.method = "fork";
  capture.memory.rss_bytes = resident;
  capture.pause_ms.fork_ms = fork_ms;
  return capture;
}

snapshot::Capture Walked(double walk_ms, unsigned threads) {
  snapshot::Capture capture;
  capture.method = "pause";
  capture.threads = threads;
  capture.pause_ms.walk_ms = walk_ms;
  return capture;
}

TEST(MachineConstants, GoDownByHalfOfTheWay) {
  MachineConstants constants;
  // 11.776 ms per 1024 MiB: 11,500 ns; the usual is 23,500.
  EXPECT_TRUE(constants.Learn(Forked(11.776), 1'000'000));
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 17'500u);
  // Two threads for 3 ms, 1 M objects: 6,000 ps; the usual is 9,500.
  EXPECT_TRUE(constants.Learn(Walked(3, 2), 1'000'000));
  EXPECT_EQ(constants.walk_ps_per_object, 7'750u);
}

TEST(MachineConstants, GoUpByAnEighthAtMost) {
  MachineConstants constants;
  constants.Learn(Forked(28.16), 1'000'000);  // 27,500 ns: 23,500 + 4,000 / 8
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 24'000u);
  constants.Learn(Forked(2000), 1'000'000);  // as if it were 48,000
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 27'000u);
}

TEST(MachineConstants, ForgetOfTheWayThatWasNotTaken) {
  MachineConstants constants;
  constants.walk_ps_per_object = 9'500 + 1'600;
  constants.fork_ns_per_resident_mib = 23'500 + 160;
  constants.Learn(Walked(11.1, 1), 1'000'000);  // just as known
  EXPECT_EQ(constants.walk_ps_per_object, 11'100u);
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 23'650u);  // 160 / 16 less
  for (int i = 0; i < 1000; ++i) constants.Learn(Walked(11.1, 1), 1'000'000);
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 23'500u) << "not below what is usual";
  constants.fork_ns_per_resident_mib = 10'000;
  constants.Learn(Walked(11.1, 1), 1'000'000);
  EXPECT_EQ(constants.fork_ns_per_resident_mib, 10'000u) << "what is fast stays known";
}

TEST(MachineConstants, LearnNothingFromLittle) {
  MachineConstants constants;
  EXPECT_FALSE(constants.Learn(Forked(5, kGiB / 8), 1'000'000));
  EXPECT_FALSE(constants.Learn(Walked(30, 1), 400'000));
}

}  // namespace
}  // namespace cairn::client
