#pragma once
// Roots that the collector knows by an address only, resolved out of the chunks as they pass:
// - static fields and thread statics, whose slots lie in heap objects that belong to the runtime (slot arrays). Each
//   slot becomes a root of its own, those without a name as "(unknown)"; the handle that holds the array is no longer
//   one of the application's.
// - static structs of which only the box is known: the slot that refers to the box gets the name.
// - addresses on stacks that point into objects: a root that is not certain.
// Thread rule: one thread. Memory: by the number of statics, not by the heap.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/protocol/messages.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/stream/chunk_decoder.h"

namespace cairn::client {

inline constexpr const char* kUnknownStatic = "(unknown)";
inline constexpr const char* kStaticSlots = "(statics)";

class StaticResolver {
 public:
  void Add(std::vector<protocol::Static> statics);
  // Looks for addresses inside the chunk's objects. `types` by type id.
  void Look(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
            const std::vector<snapshot::Type>& types);

  // Adds one root for each slot that was found and is not null, and for each object that only a stack address leads
  // to. Handles that hold slot arrays become kOther: the array is the runtime's. Statics in an array that nothing in
  // `roots` holds were made after the pause and are left out.
  void AddTo(std::vector<snapshot::Root>& roots) const;
  // Names of statics whose slot lay in no object that was seen.
  std::vector<std::string> Unresolved() const;

 private:
  struct Entry {
    protocol::Static field;
    uint64_t object = 0;  // that it lies in; 0: not found
    uint64_t target = 0;
  };
  // An array of slots, with the entries that lie in it.
  struct SlotArray {
    uint64_t object = 0;
    size_t begin = 0, end = 0;
  };
  struct UnknownSlot {
    uint64_t array = 0, slot = 0, target = 0;
    size_t entry = 0;  // one that lies in the same array
  };
  using NamedBoxes = std::unordered_map<uint64_t, const std::string*>;  // name of the static, by its box

  struct Slots {  // those of one object that are in a chunk
    uint64_t first = 0;
    std::span<const uint64_t> targets;
  };

  void Sort();
  size_t FirstFrom(uint64_t address) const;
  void LookInObject(uint64_t object, uint64_t size, const snapshot::Type& type, Slots slots);
  void LookInContinued(const stream::ChunkHeader& header, const stream::DecodedChunk& chunk,
                       const std::vector<snapshot::Type>& types);
  void LookInSlots(const SlotArray& array, const snapshot::Type& type, Slots slots);
  void AddUnknown(const SlotArray& array, const snapshot::Type& type, Slots slots);
  bool HasName(size_t from, size_t end, uint64_t address) const;
  std::vector<uint64_t> HeldArrays(const std::vector<snapshot::Root>& roots) const;
  NamedBoxes Boxes() const;
  void AddStackRoots(std::vector<snapshot::Root>& roots) const;

  std::vector<Entry> entries_;  // by slot address, once sorted_
  bool sorted_ = true;
  SlotArray last_;  // the latest object with entries: it may go on in the next chunk
  std::vector<UnknownSlot> unknown_;
};

// Number of the slot at `offset` from the start of an object of `type`; -1 when there is none.
int64_t SlotNumber(const snapshot::Type& type, uint64_t offset);

}  // namespace cairn::client
