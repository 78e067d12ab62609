#pragma once
// Keeps load contexts from being unloaded while somebody asks the runtime about modules: between the moment in which
// it lists a module and the answer to the question about it, the module may be freed, and the question then crashes
// the target. The runtime tells of an unloading before it frees anything, and waits for the callback to return.
// Thread rule: any thread. A bounded wait: nothing of the application hangs for want of us.

#include <condition_variable>
#include <mutex>

namespace cairn::collector {

class UnloadGate {
 public:
  // Closed as long as one of these lives.
  class Hold {
   public:
    explicit Hold(UnloadGate& gate) : gate_(gate) { gate_.Add(1); }
    ~Hold() { gate_.Add(-1); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    UnloadGate& gate_;
  };

  // In the callback that tells of an unloading. Waits until nobody asks any more.
  void Pass();

 private:
  void Add(int holders);

  std::mutex mutex_;
  std::condition_variable opened_;
  int holders_ = 0;
};

}  // namespace cairn::collector
