#pragma once
// What callbacks meet and must be named: methods, types. The runtime crashes when asked about the ID of one that was
// unloaded. So each is looked at when it is first seen, in the callback, while it is certainly there: the name of one
// that may go is taken on the spot, an ordinary one, which never goes, is named later at leisure. What a callback
// writes into its records is the serial number that it got here, never the ID, since the runtime gives IDs again.
//
// Thread rule: Sight, Forget, ForgetOne from any callbacks at once: no lock, no wait, no allocation of ours. The rest
// from the observation's thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "collector/capture/unload_gate.h"
#include "collector/tracking/journal_ring.h"

namespace cairn::collector {

class SightedNames {
 public:
  struct Entry {
    uint64_t id = 0;
    bool is_named = false;
    std::string name, module;
  };

  SightedNames() = default;
  virtual ~SightedNames();
  SightedNames(const SightedNames&) = delete;
  SightedNames& operator=(const SightedNames&) = delete;

  // False: no memory.
  bool Map();

  // ---- callbacks ----

  // Call-site rule: it is known to live during the call. 0: no room for another, counted.
  uint32_t Sight(uint64_t id);
  // All that may go, to be seen anew: what belongs to one module may be named over types of any other.
  void Forget();
  void ForgetOne(uint64_t id);

  // ---- the observation's thread ----

  // Learns the serials that were given until now.
  void Take();
  // "(unknown)" for 0 and for what the runtime does not name.
  const std::string& Name(uint32_t serial) { return Of(serial).name; }
  const std::string& Module(uint32_t serial) { return Of(serial).module; }
  uint64_t NotNamed() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Slot;

  // A name for one that may go, written in a callback: allocates nothing. 0: an ordinary one.
  virtual size_t NameOfUnsafe(uint64_t id, char* name, size_t capacity) = 0;
  // Names one that stays, while nothing is unloaded.
  virtual void NameOrdinary(Entry& entry) = 0;
  // What NameOfUnsafe wrote, as people read it.
  virtual std::string Readable(std::string name) const { return name; }

  const Entry& Of(uint32_t serial);
  bool IsKnown(uint32_t serial) const { return serial < entries_.size() && entries_[serial].id != 0; }
  uint32_t Find(uint64_t id) const;
  bool Keep(uint64_t id, uint32_t serial, bool may_go);
  void ForgetSlot(Slot& slot);

  UnloadGate gate_;  // naming looks at all modules
  Slot* slots_ = nullptr;
  JournalRing ring_;
  std::atomic<uint32_t> next_{1};
  std::atomic<uint64_t> dropped_{0};
  std::deque<Entry> entries_{1};
};

}  // namespace cairn::collector
