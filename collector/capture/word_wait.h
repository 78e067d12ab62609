#pragma once
// Sleeping on a word of memory. Allocates nothing, takes no lock, leaves errno as it was: for the pause too.

#include <atomic>
#include <cstdint>

namespace cairn::collector {

// Returns when the word was changed and woken; it may return earlier.
void SleepWhile(std::atomic<uint32_t>& word, uint32_t value);
void WakeAll(std::atomic<uint32_t>& word);

}  // namespace cairn::collector
