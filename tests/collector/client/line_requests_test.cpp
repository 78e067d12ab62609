#include "collector/client/line_requests.h"

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "collector/client/posix.h"

namespace cairn::client {
namespace {

using namespace std::chrono_literals;

class LineRequestsTest : public ::testing::Test {
 protected:
  LineRequestsTest() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    read_.Reset(ends[0]);
    write_.Reset(ends[1]);
  }
  void Write(std::string_view text) {
    EXPECT_EQ(write(write_.Get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  UniqueFd read_, write_;
};

TEST_F(LineRequestsTest, EachLineCountsOnce) {
  LineRequests requests(read_.Get());
  EXPECT_FALSE(requests.Take());
  Write("one\ntwo");
  EXPECT_TRUE(requests.Take());
  EXPECT_FALSE(requests.Take());  // not yet a line
  Write("\n\n");
  EXPECT_TRUE(requests.Take());
  EXPECT_TRUE(requests.Take());
  EXPECT_FALSE(requests.Take());
  EXPECT_FALSE(requests.Ended());
}

TEST_F(LineRequestsTest, ReadsOnlySoMuchOfInputWithoutEnd) {
  LineRequests requests(read_.Get());
  Write(std::string(3 * 16 * 256, '\n'));  // three times 16 reads of 256 bytes
  EXPECT_TRUE(requests.Take());
  int unread = 0;
  ASSERT_EQ(ioctl(read_.Get(), FIONREAD, &unread), 0);
  EXPECT_EQ(unread, 8192);  // 2 * 16 * 256
}

TEST_F(LineRequestsTest, EndsWhenAllIsAnswered) {
  LineRequests requests(read_.Get());
  Write("\n");
  write_.Reset();
  EXPECT_FALSE(requests.Ended());
  EXPECT_TRUE(requests.Take());
  EXPECT_TRUE(requests.Ended());
}

TEST_F(LineRequestsTest, WaitingEndsWithALine) {
  LineRequests requests(read_.Get());
  Write("\n");
  requests.Wait(1h);
  EXPECT_TRUE(requests.Take());
  write_.Reset();
  requests.Wait(1h);  // ends with the input too
  EXPECT_TRUE(requests.Ended());
}

}  // namespace
}  // namespace cairn::client
