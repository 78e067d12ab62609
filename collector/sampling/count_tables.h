#pragma once
// The tables of all threads that allocate.
// Ownership: never destroyed, and so are its tables: a thread may end at any later time. Thread rule: Mine on the
// allocating threads: no lock, no wait, no call of the runtime; memory is mapped at a thread's first allocation. The
// rest on the observation's thread.

#include <array>
#include <functional>

#include "collector/sampling/count_table.h"

namespace cairn::collector {

class CountTables {
 public:
  static constexpr size_t kMostThreads = 1024;  // that live at once

  // nullptr: no more of the system's per-thread keys.
  static CountTables* Make();

  // Of the calling thread. nullptr: there is none.
  CountTable* Mine();

  // All that are in use; those of threads that have ended are given back behind it, once `read` has said yes. False
  // from `read` ends it early.
  bool ForEach(const std::function<bool(size_t number, CountTable& table, bool has_ended)>& read);
  // Nobody counts any more: gives the memory back.
  void Clear();

 private:
  CountTables() = default;
  CountTable* Claim();
  static void OnThreadExit(void* table);

  unsigned key_ = 0;  // pthread_key_t
  std::array<std::atomic<CountTable*>, kMostThreads> tables_{};
};

}  // namespace cairn::collector
