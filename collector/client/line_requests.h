#pragma once
// Somebody asks by lines of text, each of which is to be answered once, such as with a snapshot.
// Thread rule: one thread. The descriptor stays its owner's.

#include <chrono>
#include <cstdint>

namespace cairn::client {

class LineRequests {
 public:
  explicit LineRequests(int fd) : fd_(fd) {}

  // True: there is a line that was not answered. It is by now.
  bool Take();
  // Nothing was asked that is not answered, and nothing will be.
  bool Ended();
  // Until something comes, or so long.
  void Wait(std::chrono::milliseconds time);

 private:
  void Read(std::chrono::milliseconds wait);

  const int fd_;
  uint64_t lines_ = 0;
  bool closed_ = false;
};

}  // namespace cairn::client
