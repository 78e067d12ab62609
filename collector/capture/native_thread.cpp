#include "collector/capture/native_thread.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

namespace cairn::collector {

namespace {

constexpr int kLowPriority = 10;

struct Start {
  const char* name;
  void (*run)(void*);
  void* context;
};

void* Enter(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  delete static_cast<Start*>(argument);
  pthread_setname_np(pthread_self(), start.name);
  try {
    start.run(start.context);
  } catch (...) {
    // The work reports its own failures; this edge only keeps them out of the runtime.
  }
  return nullptr;
}

bool Create(Start* start, size_t stack_bytes) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  const bool created = pthread_create(&thread, &attributes, Enter, start) == 0;
  pthread_attr_destroy(&attributes);
  return created;
}

}  // namespace

bool StartThread(const char* name, size_t stack_bytes, void (*run)(void*), void* context) {
  auto* start = new (std::nothrow) Start{name, run, context};
  if (start == nullptr) return false;
  // A new thread inherits the mask, so it must be right before the thread exists.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool created = Create(start, stack_bytes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!created) delete start;
  return created;
}

uint32_t OwnThreadId() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

void LowerOwnPriority() {
  // On Linux the nice value belongs to the thread.
  setpriority(PRIO_PROCESS, OwnThreadId(), kLowPriority);
}

}  // namespace cairn::collector
