#pragma once
// Threads that are started before the pause, wait, walk once when they are called, and end with the crew.
// Thread rule: Start, Call, Wait and the destructor by the owner; Call and Wait allocate and lock nothing.

#include <atomic>
#include <cstdint>
#include <memory>

namespace cairn::collector {

class WalkCrew {
 public:
  using Work = void (*)(void* context, unsigned member);

  WalkCrew() = default;
  // Waits until every thread has left.
  ~WalkCrew();
  WalkCrew(const WalkCrew&) = delete;
  WalkCrew& operator=(const WalkCrew&) = delete;

  // Starts `count` threads, or as many as the system gives. Once.
  unsigned Start(unsigned count, Work work, void* context);
  // The first `count` members do their work, once in the crew's life.
  void Call(unsigned count);
  void Wait();

 private:
  struct Member {
    WalkCrew* crew = nullptr;
    unsigned number = 0;
  };
  static void Enter(void* member);
  void Serve(unsigned number);

  // Words that threads sleep on.
  std::atomic<uint32_t> order_{0};
  std::atomic<uint32_t> busy_{0};
  std::atomic<uint32_t> alive_{0};
  uint32_t called_ = 0;
  Work work_ = nullptr;
  void* context_ = nullptr;
  std::unique_ptr<Member[]> members_;
};

}  // namespace cairn::collector
