#include "collector/roots/thread_static_recorder.h"

#include <gtest/gtest.h>

#include "tests/collector/roots/fake_functions.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kHeap = 0x7F0000000000;
constexpr Token kA = 0x04000001, kB = 0x04000002;

class ThreadStaticRecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    source.threads = {{501, 71}, {502, 72}};
    source.addresses = {{{501, kA}, kHeap + 16}, {{502, kA}, kHeap + 48}, {{502, kB}, kHeap + 56}};
  }

  testing::FakeThreadStatics source;
  ThreadStaticRecorder recorder;
};

TEST_F(ThreadStaticRecorderTest, AsksForEveryFieldOfEveryThread) {
  ASSERT_TRUE(recorder.Prepare({{100, 1, kA}, {100, 1, kB}}));
  recorder.Record(source);
  ASSERT_EQ(recorder.Found().size(), 3u);  // the first thread has never set B
  EXPECT_EQ(recorder.Found()[0].address, kHeap + 16);
  EXPECT_EQ(recorder.Found()[0].os_id, 71u);
  EXPECT_EQ(recorder.Found()[2].field, 1u);
  EXPECT_EQ(recorder.Found()[2].os_id, 72u);
  EXPECT_EQ(recorder.ThreadsLeftOut(), 0u);
}

TEST_F(ThreadStaticRecorderTest, TakesTheLatestPauseOnly) {
  ASSERT_TRUE(recorder.Prepare({{100, 1, kA}}));
  recorder.Record(source);
  source.threads.pop_back();
  recorder.Record(source);
  EXPECT_EQ(recorder.Found().size(), 1u);
}

TEST_F(ThreadStaticRecorderTest, AsksNothingWithoutFields) {
  ASSERT_TRUE(recorder.Prepare({}));
  recorder.Record(source);
  EXPECT_EQ(source.questions, 0u);
  EXPECT_TRUE(recorder.Found().empty());
}

TEST_F(ThreadStaticRecorderTest, DoesNotTakeAnOffsetForAnAddress) {
  source.addresses[{501, kA}] = 24;
  ASSERT_TRUE(recorder.Prepare({{100, 1, kA}}));
  recorder.Record(source);
  ASSERT_EQ(recorder.Found().size(), 1u);
  EXPECT_EQ(recorder.Found()[0].os_id, 72u);
}

// 16,384 questions / 4,096 fields = 4 threads.
TEST_F(ThreadStaticRecorderTest, LeavesThreadsOutBeforeThePauseBecomesLong) {
  source.threads.assign(6, {501, 71});
  ASSERT_TRUE(recorder.Prepare(std::vector<ThreadStaticField>(4096, {100, 1, kA})));
  recorder.Record(source);
  EXPECT_EQ(recorder.Found().size(), 16384u);
  EXPECT_EQ(recorder.ThreadsLeftOut(), 2u);
}

}  // namespace
}  // namespace cairn::collector
