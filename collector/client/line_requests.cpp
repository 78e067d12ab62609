#include "collector/client/line_requests.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <thread>

namespace cairn::client {
namespace {

// Somebody who writes without end is answered all the same.
constexpr int kMostReads = 16;

}  // namespace

using std::chrono::milliseconds;

bool LineRequests::Take() {
  Read(milliseconds(0));
  if (lines_ == 0) return false;
  --lines_;
  return true;
}

bool LineRequests::Ended() {
  Read(milliseconds(0));
  return closed_ && lines_ == 0;
}

void LineRequests::Wait(milliseconds time) {
  if (closed_) return std::this_thread::sleep_for(time);
  Read(time);
}

// What lies there, and no more, so that it never waits longer than it should.
void LineRequests::Read(milliseconds wait) {
  pollfd entry{fd_, POLLIN, 0};
  for (int reads = 0; reads < kMostReads && !closed_; ++reads) {
    if (poll(&entry, 1, static_cast<int>(wait.count())) <= 0) return;
    char text[256];
    const ssize_t size = read(fd_, text, sizeof text);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    closed_ = size <= 0;
    if (size > 0) lines_ += static_cast<uint64_t>(std::count(text, text + size, '\n'));
    wait = milliseconds(0);
  }
}

}  // namespace cairn::client
