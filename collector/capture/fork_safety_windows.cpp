#include "collector/capture/fork_safety.h"

namespace cairn::collector {

uint64_t CopiesExpected(uint64_t resident) { return resident; }

// There is no such thing as a fork.
const Refusal* ForkRefusal(const MemoryBudget&, unsigned, const char*, const char*) { return &kForkFailed; }

}  // namespace cairn::collector
