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
    null_run_ = nulls_written_ = 0;
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
    Place(address, header_.object_count, header_.end_address);
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
  // One of at most kMaxValueSlots; Close follows the last one.
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
  // `bytes` of TextRoom are the text, or the start of one that was cut. Close follows.
  void Text(uint32_t bytes, bool cut) {
    uint8_t*& texts = at_[ColumnSlot(ColumnKind::kTexts)];
    const uint8_t* const from = TextRoom();
    texts = PutVarint(texts, uint64_t{bytes} << 1 | cut);
    __builtin_memmove(texts, from, bytes);
    texts += bytes;
  }
  // The object has nothing more for `column`, values or texts. False: that has its fill, so the chunk is full.
  bool Close(ColumnKind column) {
    const bool full = ColumnSize(column) >= kFullContentsBytes;
    if (full) object_limit_ = 0;
    return !full;
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

  // Objects and slots in a row, with the encoder's state in registers: bytes written through a pointer would else
  // make the compiler store and reload it. `kUnitShift` is the encoder's. While a row is open, nothing else puts
  // objects, lengths or slots.
  template <unsigned kUnitShift>
  class Row {
   public:
    explicit Row(ChunkEncoder& encoder) : encoder_(encoder) { Open(); }

    // Again, after Close.
    [[gnu::always_inline]] void Open() {
      types_ = encoder_.at_[ColumnSlot(ColumnKind::kTypes)];
      lengths_ = encoder_.at_[ColumnSlot(ColumnKind::kLengths)];
      references_ = encoder_.at_[ColumnSlot(ColumnKind::kReferences)];
      objects_ = encoder_.header_.object_count;
      slots_ = encoder_.header_.slot_count;
      nulls_ = encoder_.null_run_;
    }

    // Gives the state back to the encoder.
    [[gnu::always_inline]] void Close() {
      encoder_.at_[ColumnSlot(ColumnKind::kTypes)] = types_;
      encoder_.at_[ColumnSlot(ColumnKind::kLengths)] = lengths_;
      encoder_.at_[ColumnSlot(ColumnKind::kReferences)] = references_;
      encoder_.header_.object_count = objects_;
      encoder_.header_.slot_count = slots_;
      encoder_.null_run_ = nulls_;
    }

    // Objects follow each of which begins where the one before ends, the first one at `address`.
    [[gnu::always_inline]] void BeginRun(uint64_t address) {
      encoder_.Place(address, objects_, encoder_.header_.end_address);
    }
    // `end`: of the last of them, if any is in this chunk.
    [[gnu::always_inline]] void EndRun(uint64_t end) {
      if (objects_ != 0) encoder_.header_.end_address = end;
    }

    // An object of the run; its length and its slots follow.
    [[gnu::always_inline]] void Object(ShortVarint type) {
      types_ = PutVarint(types_, type);
      ++objects_;
    }
    [[gnu::always_inline]] void Length(uint64_t length) { lengths_ = PutVarintFast(lengths_, length); }
    // Before the slots that follow.
    [[gnu::always_inline]] void CountSlots(uint32_t slots) { slots_ += slots; }

    [[gnu::always_inline]] void Slot(uint64_t self, uint64_t target, uint64_t& last) {
      if (target == 0) {
        ++nulls_;
        return;
      }
      if (nulls_ != 0) PutNulls();
      if (target % (1 << kUnitShift) != 0) [[unlikely]]
        return PutUnaligned(target);
      const uint64_t from_self = Token(target - self, ReferenceTag::kFromSelf);
      const uint64_t from_last = Token(target - last, ReferenceTag::kFromLast);
      last = target;
      references_ = PutVarintFast(references_, from_self < from_last ? from_self : from_last);
    }

    [[gnu::always_inline]] bool Full() const { return objects_ >= encoder_.object_limit_ || slots_ >= kMaxChunkSlots; }
    [[gnu::always_inline]] uint32_t SlotsLeft() const { return slots_ >= kMaxChunkSlots ? 0 : kMaxChunkSlots - slots_; }
    // Whatever so many bytes of a heap hold, the chunk has room for the objects that begin there. 0: it is full.
    [[gnu::always_inline]] uint64_t BytesLeft() const {
      constexpr uint64_t kWord = uint64_t{1} << kUnitShift, kSmallestObject = 3 * kWord;
      const uint64_t objects = Full() ? 0 : encoder_.object_limit_ - objects_;
      const uint64_t by_objects = objects * kSmallestObject, by_slots = SlotsLeft() * kWord;
      return by_objects < by_slots ? by_objects : by_slots;
    }

   private:
    // The zigzag of a multiple of the unit, in units, above the tag. Of two tokens the smaller one has the smaller
    // zigzag, and the smaller tag where these are equal.
    static uint64_t Token(uint64_t difference, ReferenceTag tag) {
      const auto value = static_cast<int64_t>(difference);
      const auto folded = static_cast<uint64_t>(value ^ value >> 63);  // a negative one lies just below its magnitude
      return (folded << (3 - kUnitShift) & ~uint64_t{3}) | static_cast<uint64_t>(tag);
    }
    [[gnu::always_inline]] void PutNulls() {
      references_ = PutVarintFast(references_, nulls_ << 2 | static_cast<uint64_t>(ReferenceTag::kNullRun));
      encoder_.nulls_written_ += nulls_;
      nulls_ = 0;
    }
    void PutUnaligned(uint64_t target) {
      *references_++ = static_cast<uint8_t>(ReferenceTag::kUnaligned);
      for (int i = 0; i < 8; ++i) *references_++ = static_cast<uint8_t>(target >> (8 * i));
    }

    ChunkEncoder& encoder_;
    uint8_t* types_;
    uint8_t* lengths_;
    uint8_t* references_;
    uint64_t nulls_;  // the run of them that is open, perhaps since an earlier object
    uint32_t objects_;
    uint32_t slots_;
  };

  // Ends the chunk; afterwards Header and Column are valid until the next Begin.
  void End() { FlushNulls(); }

  bool Full() const { return header_.object_count >= object_limit_ || header_.slot_count >= kMaxChunkSlots; }
  uint32_t SlotsLeft() const { return header_.slot_count >= kMaxChunkSlots ? 0 : kMaxChunkSlots - header_.slot_count; }
  const ChunkHeader& Header() const { return header_; }
  // Slots of the chunk so far that hold something.
  uint64_t References() const { return header_.slot_count - nulls_written_ - null_run_; }
  const uint8_t* Column(ColumnKind kind) const { return begin_[ColumnSlot(kind)]; }
  size_t ColumnSize(ColumnKind kind) const {
    return static_cast<size_t>(at_[ColumnSlot(kind)] - begin_[ColumnSlot(kind)]);
  }

 private:
  // Where an object begins: the first of the chunk, or one after `objects` the last of which ended at `end`.
  void Place(uint64_t address, uint32_t objects, uint64_t end) {
    if (objects == 0) {
      header_.first_address = address;
      return;
    }
    if (address == end) return;
    uint8_t*& gaps = at_[ColumnSlot(ColumnKind::kGaps)];
    gaps = PutVarint(gaps, objects - objects_at_last_gap_);
    gaps = PutVarint(gaps, (address - end) >> unit_shift_);
    objects_at_last_gap_ = objects;
  }

  template <unsigned kUnitShift>
  void PutOne(uint64_t self, uint64_t target, uint64_t& last) {
    Row<kUnitShift> row(*this);
    row.CountSlots(1);
    row.Slot(self, target, last);
    row.Close();
  }

  void FlushNulls() {
    if (null_run_ == 0) return;
    uint8_t*& refs = at_[ColumnSlot(ColumnKind::kReferences)];
    refs = PutVarint(refs, null_run_ << 2 | static_cast<uint64_t>(ReferenceTag::kNullRun));
    nulls_written_ += null_run_;
    null_run_ = 0;
  }

  ChunkHeader header_;
  uint8_t* begin_[kColumnCount];
  uint8_t* at_[kColumnCount];
  uint64_t null_run_ = 0;  // null slots that are not written yet
  uint64_t nulls_written_ = 0;
  uint32_t objects_at_last_gap_ = 0;
  uint32_t epoch_ = 0;
  uint32_t object_limit_ = kMaxChunkObjects;
  unsigned unit_shift_;
};

}  // namespace cairn::stream
