#include "collector/capture/refusal.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace cairn::collector {
namespace {

std::string ProtocolPage() {
  std::ifstream file(CAIRN_SOURCE_DIR "/collector/PROTOCOL.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(RefusalTest, EveryCodeIsUniqueAndHasItsSentences) {
  std::set<std::string> codes;
  for (size_t i = 0; i < kRefusalCount; ++i) {
    const Refusal& refusal = *kAllRefusals[i];
    EXPECT_TRUE(codes.insert(refusal.code).second) << refusal.code;
    EXPECT_EQ(std::string(refusal.message).back(), '.') << refusal.code;
    EXPECT_NE(refusal.hint[0], 0) << refusal.code;
  }
}

TEST(RefusalTest, TheProtocolPageListsEachWithItsSentenceAndHint) {
  const std::string page = ProtocolPage();
  ASSERT_FALSE(page.empty());
  for (size_t i = 0; i < kRefusalCount; ++i) {
    const Refusal& refusal = *kAllRefusals[i];
    const std::string row = std::string("| `") + refusal.code + "` | " + refusal.message + " | " + refusal.hint + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace cairn::collector
