#pragma once
// Encodes one chunk at a time into buffers that the caller owns. Used inside the pause and inside a
// forked child: no allocation, no lock, no call out of this header.
// Thread rule: one encoder per walking thread.

#include "snapshot-format/stream/chunk.h"
#include "snapshot-format/stream/varint.h"

namespace cairn::stream {

// Last targets of one type's slots. The encoder forgets them at each chunk, lazily: a cell counts only
// while `epoch` is the chunk's.
struct SlotPredictor {
  uint64_t* cells = nullptr;  // min(slots, kMaxPredictorCells) entries
  uint32_t cell_count = 0;
  uint32_t epoch = 0;
};

class ChunkEncoder {
 public:
  // Bytes that each column buffer must hold, worst case of one chunk.
  static constexpr size_t kCapacity[kColumnCount] = {
      size_t{kMaxChunkObjects} * 5,
      size_t{kMaxChunkObjects} * 2 * kMaxVarintBytes,
      size_t{kMaxChunkObjects} * (5 + kMaxVarintBytes),
      (size_t{kMaxChunkSlots} + kMaxFixedSlots + 1) * kMaxVarintBytes,
      size_t{kFullContentsBytes} + kMaxValueSlots* kMaxVarintBytes,
      size_t{kMaxChunkObjects} * 8,
      size_t{kFullContentsBytes} + kMaxTextBytes + kMaxVarintBytes,
  };

  // All of them.
  static constexpr size_t TotalCapacity() {
    size_t total = 0;
    for (const size_t capacity : kCapacity) total += capacity;
    return total;
  }

  // `buffers[i]` has kCapacity[i] bytes; `unit_shift` is log2 of the smallest object alignment of this
  // target: 3 on 64 bit, 2 on 32 bit.
  ChunkEncoder(uint8_t* const buffers[kColumnCount], unsigned unit_shift) : unit_shift_(unit_shift) {
    for (size_t i = 0; i < kColumnCount; ++i) begin_[i] = at_[i] = buffers[i];
  }

  void Begin(uint32_t range, uint32_t sequence) {
    header_ = {};
    header_.range = range;
    header_.sequence = sequence;
    objects_at_last_gap_ = 0;
    null_run_ = 0;
    object_limit_ = kMaxChunkObjects;
    ++epoch_;
    for (size_t i = 0; i < kColumnCount; ++i) at_[i] = begin_[i];
  }

  // Slots of an array that started in an earlier chunk follow. Only directly after Begin.
  void Continue(uint64_t object, uint32_t type, uint64_t first_slot, uint32_t slots) {
    header_.continued_object = object;
    header_.continued_type = type;
    header_.continued_slot = first_slot;
    header_.continued_slots = slots;
  }

  // An object starts at `address`; Length and its slots follow. `end` is where it ends, aligned.
  void Object(uint32_t type, uint64_t address, uint64_t end) { Object(MakeShortVarint(type), address, end); }
  // The same with the type id made into a varint before; type ids are below 2^28.
  void Object(ShortVarint type, uint64_t address, uint64_t end) {
    if (header_.object_count == 0) {
      header_.first_address = address;
    } else if (address != header_.end_address) {
      uint8_t*& gaps = at_[ColumnSlot(ColumnKind::kGaps)];
      gaps = PutVarint(gaps, header_.object_count - objects_at_last_gap_);
      gaps = PutVarint(gaps, (address - header_.end_address) >> unit_shift_);
      objects_at_last_gap_ = header_.object_count;
    }
    uint8_t*& types = at_[ColumnSlot(ColumnKind::kTypes)];
    types = PutVarint(types, type);
    ++header_.object_count;
    header_.end_address = end;
  }

  void Length(uint64_t length) {
    uint8_t*& lengths = at_[ColumnSlot(ColumnKind::kLengths)];
    lengths = PutVarintFast(lengths, length);
  }

  // ---- contents of the object, in any place before the next one ----
  // One of at most kMaxValueSlots; CloseContents follows the last one.
  void Value(int64_t value) {
    uint8_t*& values = at_[ColumnSlot(ColumnKind::kValues)];
    values = PutVarintFast(values, ZigZag(value));
  }
  void Hash(uint64_t hash) {
    uint8_t*& hashes = at_[ColumnSlot(ColumnKind::kHashes)];
    __builtin_memcpy(hashes, &hash, sizeof hash);
    hashes += sizeof hash;
  }
  // Where at most kMaxTextBytes of UTF-8 may be put, before Text is called.
  uint8_t* TextRoom() const { return at_[ColumnSlot(ColumnKind::kTexts)] + kMaxVarintBytes; }
  // `bytes` of TextRoom are the text, or the start of one that was cut. CloseContents follows.
  void Text(uint32_t bytes, bool cut) {
    uint8_t*& texts = at_[ColumnSlot(ColumnKind::kTexts)];
    const uint8_t* const from = TextRoom();
    texts = PutVarint(texts, uint64_t{bytes} << 1 | cut);
    __builtin_memmove(texts, from, bytes);
    texts += bytes;
  }
  // The chunk is full where they have taken their room.
  void CloseContents() {
    const bool full =
        ColumnSize(ColumnKind::kValues) >= kFullContentsBytes || ColumnSize(ColumnKind::kTexts) >= kFullContentsBytes;
    if (full) object_limit_ = 0;
  }

  // Cells of `predictor`, forgotten if they are of an earlier chunk. Call once per object with slots.
  uint64_t* Cells(SlotPredictor& predictor) {
    if (predictor.epoch != epoch_) {
      predictor.epoch = epoch_;
      for (uint32_t i = 0; i < predictor.cell_count; ++i) predictor.cells[i] = 0;
    }
    return predictor.cells;
  }

  // One slot of the object at `self` holding `target`; `last` is its predictor cell.
  void Reference(uint64_t self, uint64_t target, uint64_t& last) {
    if (unit_shift_ == 3) return PutOne<3>(self, target, last);
    PutOne<2>(self, target, last);
  }

  // Many slots in a row, with the encoder's state in registers: bytes written through a pointer would else
  // make the compiler store and reload it. `kUnitShift` is the encoder's. No other call of it until End.
  template <unsigned kUnitShift>
  class Slots {
   public:
    explicit Slots(ChunkEncoder& encoder)
        : encoder_(encoder), out_(encoder.at_[ColumnSlot(ColumnKind::kReferences)]), nulls_(encoder.null_run_) {}

    [[gnu::always_inline]] void Put(uint64_t self, uint64_t target, uint64_t& last) {
      if (target == 0) {
        ++nulls_;
        ++null_slots_;
        return;
      }
      if (nulls_ != 0) PutNulls();
      if (target % (1 << kUnitShift) != 0) [[unlikely]]
        return PutUnaligned(target);
      // Zigzags of multiples of a unit: shifted afterwards they are those of the quotients.
      const uint64_t from_self = ZigZag(static_cast<int64_t>(target - self));
      const uint64_t from_last = ZigZag(static_cast<int64_t>(target - last));
      last = target;
      const bool near_last = from_last < from_self;
      const uint64_t payload = (near_last ? from_last : from_self) >> kUnitShift;
      static_assert(static_cast<unsigned>(ReferenceTag::kFromLast) ==
                    1 + static_cast<unsigned>(ReferenceTag::kFromSelf));
      out_ = PutVarintFast(out_, payload << 2 | (static_cast<uint64_t>(ReferenceTag::kFromSelf) + near_last));
    }

    // `slots`: how many were put. Returns how many of them were not null.
    uint32_t End(uint32_t slots) {
      encoder_.at_[ColumnSlot(ColumnKind::kReferences)] = out_;
      encoder_.null_run_ = nulls_;
      encoder_.header_.slot_count += slots;
      return slots - null_slots_;
    }

   private:
    void PutNulls() {
      out_ = PutVarintFast(out_, nulls_ << 2 | static_cast<uint64_t>(ReferenceTag::kNullRun));
      nulls_ = 0;
    }
    void PutUnaligned(uint64_t target) {
      *out_++ = static_cast<uint8_t>(ReferenceTag::kUnaligned);
      for (int i = 0; i < 8; ++i) *out_++ = static_cast<uint8_t>(target >> (8 * i));
    }

    ChunkEncoder& encoder_;
    uint8_t* out_;
    uint64_t nulls_;           // the run that is open, perhaps since an earlier object
    uint32_t null_slots_ = 0;  // of those put here
  };

  // Ends the chunk; afterwards Header and Column are valid until the next Begin.
  void End() { FlushNulls(); }

  bool Full() const { return header_.object_count >= object_limit_ || header_.slot_count >= kMaxChunkSlots; }
  uint32_t SlotsLeft() const { return header_.slot_count >= kMaxChunkSlots ? 0 : kMaxChunkSlots - header_.slot_count; }
  const ChunkHeader& Header() const { return header_; }
  const uint8_t* Column(ColumnKind kind) const { return begin_[ColumnSlot(kind)]; }
  size_t ColumnSize(ColumnKind kind) const {
    return static_cast<size_t>(at_[ColumnSlot(kind)] - begin_[ColumnSlot(kind)]);
  }

 private:
  template <unsigned kUnitShift>
  void PutOne(uint64_t self, uint64_t target, uint64_t& last) {
    Slots<kUnitShift> slots(*this);
    slots.Put(self, target, last);
    slots.End(1);
  }

  void FlushNulls() {
    if (null_run_ == 0) return;
    uint8_t*& refs = at_[ColumnSlot(ColumnKind::kReferences)];
    refs = PutVarint(refs, null_run_ << 2 | static_cast<uint64_t>(ReferenceTag::kNullRun));
    null_run_ = 0;
  }

  ChunkHeader header_;
  uint8_t* begin_[kColumnCount];
  uint8_t* at_[kColumnCount];
  uint64_t null_run_ = 0;
  uint32_t objects_at_last_gap_ = 0;
  uint32_t epoch_ = 0;
  uint32_t object_limit_ = kMaxChunkObjects;
  unsigned unit_shift_;
};

}  // namespace cairn::stream
