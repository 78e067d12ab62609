#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "collector/capture/word_wait.h"

namespace cairn::collector {

void SleepWhile(std::atomic<uint32_t>& word, uint32_t value) { WaitOnAddress(&word, &value, sizeof value, INFINITE); }

void WakeAll(std::atomic<uint32_t>& word) { WakeByAddressAll(&word); }

}  // namespace cairn::collector
