#include "collector/observing/start_call.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cairn::collector {
namespace {

const std::string kHex = "00ff10000000000000000000000000a7";

TEST(StartCall, IsANonceAndAPath) {
  const auto call = ReadStartCall((kHex + ":/tmp/a:b").c_str());
  ASSERT_TRUE(call);
  EXPECT_EQ(call->path, "/tmp/a:b");
  EXPECT_EQ(call->nonce[0], 0);
  EXPECT_EQ(call->nonce[1], 255);
  EXPECT_EQ(call->nonce[2], 16);
  EXPECT_EQ(call->nonce[15], 0xA7);
}

TEST(StartCall, AnythingElseIsNone) {
  const std::string too_long(protocol::kSocketPathBytes, 'a');
  const std::vector<std::string> others = {"",
                                           kHex,
                                           kHex + ":",
                                           ":/tmp/a",
                                           kHex.substr(1) + ":/tmp/a",
                                           kHex + "0:/tmp/a",
                                           "G" + kHex.substr(1) + ":/tmp/a",
                                           kHex + ":" + too_long};
  for (const std::string& text : others) EXPECT_FALSE(ReadStartCall(text.c_str())) << text;
  EXPECT_FALSE(ReadStartCall(nullptr));
}

}  // namespace
}  // namespace cairn::collector
