#pragma once
// A ring of records between the threads of a collection, which write, and one thread of ours, which reads. Writers
// never wait: where there is no room, the record is refused. No lock, no allocation after Map.
// Thread rule: Write from any threads at once; Next and Pop from one.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::collector {

class JournalRing {
 public:
  ~JournalRing() { Unmap(); }
  // `capacity`: bytes, a power of two; they cost nothing until written. False: no memory.
  bool Map(size_t capacity);
  void Unmap();

  // A record in two parts. False: it does not fit beside `spare` bytes that stay free.
  bool Write(std::span<const uint8_t> head, std::span<const uint8_t> body, size_t spare);

  // The oldest record; empty: there is none, or it is still being written.
  std::span<const uint8_t> Next();
  // Gives it back.
  void Pop();

 private:
  struct Slot {
    std::atomic<uint64_t> ready;  // 1 + the slot's position, once it may be read: what lay there before is never that
    uint32_t size;                // of the record
    uint32_t is_gap;              // nothing up to the ring's end: a record is always in one piece
  };
  static_assert(sizeof(Slot) == 16);

  uint64_t Reserve(uint64_t bytes, size_t spare);
  Slot& At(uint64_t position) const { return *reinterpret_cast<Slot*>(memory_ + (position & (capacity_ - 1))); }
  void Publish(uint64_t position, uint32_t size, bool is_gap);
  void Advance(uint64_t bytes);
  void GiveBack();

  uint8_t* memory_ = nullptr;
  uint64_t capacity_ = 0;
  std::atomic<uint64_t> head_{0}, tail_{0};
  uint64_t read_ = 0;  // at or before the head; the tail follows when the pages between were given back
};

}  // namespace cairn::collector
