#include "collector/roots/thread_table.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <thread>

namespace cairn::collector {
namespace {

class FakeThreads final : public ThreadSource {
 public:
  std::vector<uint32_t> ids;
  std::vector<uint32_t> OsThreadIds() override { return ids; }
};

TEST(ThreadTable, ReadsNamesAndSkipsThreadsWithoutAnOsThread) {
  FakeThreads source;
  std::thread([&] {
    pthread_setname_np(pthread_self(), "worker-1");
    source.ids = {static_cast<uint32_t>(gettid()), 0, 0x7FFFFFFF};
    const std::vector<protocol::Thread> threads = ReadThreads(source);
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(threads[0].name, "worker-1");
    EXPECT_EQ(threads[0].managed_id, 0u);
    EXPECT_EQ(threads[1].os_id, 0x7FFFFFFFu);  // gone meanwhile: kept, without a name
    EXPECT_EQ(threads[1].name, "");
  }).join();
}

}  // namespace
}  // namespace cairn::collector
