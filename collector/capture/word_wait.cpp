#include "collector/capture/word_wait.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace cairn::collector {

void SleepWhile(std::atomic<uint32_t>& word, uint32_t value) {
  const int saved = errno;
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  errno = saved;
}

void WakeAll(std::atomic<uint32_t>& word) {
  const int saved = errno;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  errno = saved;
}

}  // namespace cairn::collector
