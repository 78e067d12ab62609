#pragma once
// Where the stacks of this process's threads begin and end. The operating system's part of StackScan.
// Call-site rule: Prepare before the pause; the rest allocates nothing and takes no lock.
// Thread rule: one thread at a time.

#include <cstddef>
#include <cstdint>

#include "collector/roots/root_recorder.h"

namespace cairn::collector {

struct AddressSpan {
  uint64_t start = 0, end = 0;
};

class StackBounds {
 public:
  // Makes room, and takes down where the stacks end. False: no memory.
  bool Prepare();
  // Of a thread that waits. 0: not known.
  uint64_t PointerOf(uint32_t os_id);
  // The end of the stack that `address` is in; 0: none that can be read.
  uint64_t EndOf(uint64_t address);

 private:
  void ReadMappings();
  uint64_t EndOfMapping(uint64_t address) const;

  FixedBuffer mappings_, block_;
  size_t mapping_count_ = 0;
};

}  // namespace cairn::collector
