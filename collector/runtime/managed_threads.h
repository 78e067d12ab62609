#pragma once
// The runtime's own list of its threads, with the array in which each keeps its thread statics. .NET 10 x64: what
// the contract does not say makes it unavailable.
//
// Call-site rule: Matches outside the pause, before List is believed. List with the runtime suspended for a
// collection: it holds the lock of this list then, so that no thread in it can go. It allocates nothing.
// Thread rule: one thread at a time.

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/runtime/contract_descriptor.h"

namespace cairn::collector {

struct ManagedThread {
  uint32_t os_id = 0;
  uint32_t managed_id = 0;
  uint64_t frame = 0;        // innermost transition out of managed code, on its stack; 0: none
  bool cooperative = false;  // in managed code, or waiting to go back there
  uint64_t locals = 0;       // ThreadLocalData; 0: not running yet, or ended
  uint64_t slot_arrays = 0;  // an object[] with one slot array per type; 0: none
};

class ManagedThreads {
 public:
  explicit ManagedThreads(const ContractDescriptor& contract);

  bool Available() const { return available_; }
  // True when our list is the one that the runtime itself gives ("os_ids": 0 for those without a thread of the
  // system). Threads may come and go between the two, so ask again a few times.
  bool Matches(std::span<const uint32_t> os_ids) const;
  // At most `threads.size()` of them, in the runtime's order.
  size_t List(std::span<ManagedThread> threads) const;
  // Index under which the entry `at` of a thread's array of slot arrays is known to types.
  uint32_t IndexOf(uint32_t at) const { return at + unused_entries_; }

 private:
  struct Offsets {
    uint32_t first_link;
    uint32_t os_id, managed_id, frame, cooperative, next, locals;
    uint32_t slot_arrays;
  };
  template <class Read>
  size_t Walk(std::span<ManagedThread> threads, Read read) const;
  void FillSlotArrays(std::span<ManagedThread> threads) const;

  uint64_t store_ = 0;  // address of the global that points to the list
  uint32_t unused_entries_ = 0;
  Offsets offsets_{};
  bool available_ = false;
};

}  // namespace cairn::collector
