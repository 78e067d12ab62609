#include "tests/collector/capture/no_threads.h"

#include <pthread.h>

#include <atomic>
#include <cerrno>

namespace {

std::atomic<bool> g_refuses{false};

}  // namespace

extern "C" {

int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  return g_refuses ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

}  // extern "C"

namespace cairn::collector {

NoThreads::NoThreads() { g_refuses = true; }
NoThreads::~NoThreads() { g_refuses = false; }

}  // namespace cairn::collector
