#pragma once
// System calls of the forked child, straight to the kernel: what the C library does around them (locks, buffers,
// cancellation) may have been half done by a thread that does not exist here.
// Call-site rule: only in the child. Nothing here allocates, locks or logs.

#include <cstddef>
#include <cstdint>

namespace cairn::collector::child {

// Not the process it was forked from any more: default signals, no core file, not to be traced, the first to go
// when memory is short, none of the target's descriptors but `kept`, last in line for the processors.
void Settle(int kept);
void LowerPriority();

enum class Sent : uint8_t { kAll, kGone, kTooLate };
// Sends everything, waiting at most `deadline_ms` for each bit of progress.
Sent Send(int socket, const void* data, size_t size, uint32_t deadline_ms);

// The bytes that still may be taken: the least of the machine's and of the control group in `group` ("" for
// none). ~0: unknown.
uint64_t AvailableMemory(const char* group);
// What this process has of its own: at its end, everything that was copied since the fork.
uint64_t PrivateMemory();

[[noreturn]] void Exit(int code);

}  // namespace cairn::collector::child
