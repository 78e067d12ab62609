#include "collector/capture/refusal_frame.h"

#include <gtest/gtest.h>

#include <string>

#include "collector/protocol/messages.h"
#include "snapshot-format/stream/records.h"

namespace cairn::collector {
namespace {

protocol::Refused Read(const RefusalFrame& frame) {
  protocol::Refused refused;
  stream::RecordReader reader(frame.Payload());
  reader(refused);
  EXPECT_TRUE(reader.Complete());
  return refused;
}

TEST(RefusalFrameTest, TheClientReadsEverySentence) {
  for (size_t i = 0; i < kRefusalCount; ++i) {
    const Refusal& refusal = *kAllRefusals[i];
    const protocol::Refused read = Read(RefusalFrame(refusal));
    EXPECT_EQ(read.code, refusal.code);
    EXPECT_EQ(read.message, refusal.message);
    EXPECT_EQ(read.hint, refusal.hint);
  }
}

TEST(RefusalFrameTest, ADetailFollowsInBrackets) {
  const Refusal refusal = {"a.code", "A sentence.", "a hint"};
  EXPECT_EQ(Read(RefusalFrame(refusal, "12 ms")).message, "A sentence. (12 ms)");
}

TEST(RefusalFrameTest, ALongDetailIsCutAndEverySentenceStillFits) {
  const std::string detail(5000, 'x');
  for (size_t i = 0; i < kRefusalCount; ++i) {
    const Refusal& refusal = *kAllRefusals[i];
    const protocol::Refused read = Read(RefusalFrame(refusal, detail));
    EXPECT_EQ(read.message, std::string(refusal.message) + " (" + std::string(512, 'x') + ")");
    EXPECT_EQ(read.hint, refusal.hint);
  }
}

}  // namespace
}  // namespace cairn::collector
