#pragma once
// A system that refuses threads to the collector's code. The test's own (std::thread) it still gets.
// The program is linked with --wrap=pthread_create.

namespace cairn::collector {

class NoThreads {
 public:
  NoThreads();
  ~NoThreads();
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
};

}  // namespace cairn::collector
