#include "collector/capture/naming_thread.h"

#include <new>

#include "collector/capture/clock.h"
#include "collector/capture/native_thread.h"

namespace cairn::collector {

namespace {

constexpr size_t kStackBytes = 2u << 20;  // naming recurses over signatures

}  // namespace

bool NamingThread::Run(std::function<void()> name) {
  name_ = std::move(name);
  masks_.SetThreadCallbacks(runtime_, true);
  const bool started = StartThread("cairn-names", kStackBytes, Enter, this);
  while (started && !over_) SleepMs(1);
  masks_.SetThreadCallbacks(runtime_, false);
  return started;
}

void NamingThread::Enter(void* self) {
  auto& thread = *static_cast<NamingThread*>(self);
  thread.thread_ = OwnThreadId();
  try {
    thread.inducer_.Prepare();  // the callback comes in here
    thread.NameOnce();
  } catch (...) {
    // Whoever waits sees that nothing was sent.
  }
  thread.over_ = true;
}

void NamingThread::OnThreadCreated() {
  if (thread_ == OwnThreadId()) NameOnce();
}

// The callback would swallow what is thrown.
void NamingThread::NameOnce() {
  try {
    if (!named_.exchange(true)) name_();
  } catch (const std::bad_alloc&) {
    lacked_memory_ = true;
  }
}

}  // namespace cairn::collector
