// A race on purpose, between a thread of the collector's making and the one that made it. ThreadSanitizer must report
// it; without it, or where the race is not seen, the program ends with 0.

#include <atomic>
#include <cstddef>

#include "collector/capture/clock.h"
#include "collector/capture/native_thread.h"

namespace {

int g_shared = 0;
std::atomic<bool> g_over{false};

void Write(void*) {
  ++g_shared;
  // Relaxed: it orders nothing, so that it does not hide the race.
  g_over.store(true, std::memory_order_relaxed);
}

}  // namespace

int main() {
  constexpr size_t kStackBytes = 256u << 10;
  if (!cairn::collector::StartThread("planted", kStackBytes, Write, nullptr)) return 1;
  while (!g_over.load(std::memory_order_relaxed)) cairn::collector::SleepMs(1);
  ++g_shared;
  return g_shared == 2 ? 0 : 1;
}
