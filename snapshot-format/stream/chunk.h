#pragma once
// What a chunk is: up to 65,536 consecutive objects of one heap range, encoded as columns that decode
// without any other chunk. FORMAT.md, "Chunks and columns", is normative; this file follows it.
// Freestanding.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::stream {

// A chunk closes at whichever limit comes first. An array whose slots do not fit goes on in the next
// chunk of the same range.
inline constexpr uint32_t kMaxChunkObjects = 65536;
inline constexpr uint32_t kMaxChunkSlots = 262144;
// A type without component has all its slots in one chunk, so it may pass kMaxChunkSlots once by this.
inline constexpr uint32_t kMaxFixedSlots = 131072;
// Contents close a chunk too: with the object whose values or text pass this.
inline constexpr uint32_t kFullContentsBytes = 1u << 20;
// Values of one object, at most.
inline constexpr uint32_t kMaxValueSlots = 8192;
// What one object may add to its texts: a length and the text.
inline constexpr uint32_t kMaxTextBytes = 3072;
// A string or array whose components take more bytes than this has no hash.
inline constexpr uint64_t kMaxHashedBytes = 1u << 16;
// A text of more UTF-16 units than this is cut.
inline constexpr uint32_t kMaxTextUnits = kMaxTextBytes / 3;
// Predictor cells per type: the cell of a slot is its number within the object or element, modulo this.
inline constexpr uint32_t kMaxPredictorCells = 64;

// On disk: do not renumber.
enum class ColumnKind : uint8_t {
  kTypes = 1,       // one varint per object: the type id
  kLengths = 2,     // per object of a variable-size type: its component count; see TypeLayout
  kGaps = 3,        // pairs (objects since the last pair, gap before this object in address units)
  kReferences = 4,  // one token per slot or run of null slots; see ReferenceTag
  // Contents: a chunk decodes without them.
  kValues = 5,  // per object of a type with values: a varint for each of them
  kHashes = 6,  // per object of a type with hashes: 8 bytes; 0 for none
  kTexts = 7,   // per object of a type with texts: a varint and the text
};
inline constexpr size_t kColumnCount = 7;
inline constexpr ColumnKind kAllColumns[kColumnCount] = {
    ColumnKind::kTypes,  ColumnKind::kLengths, ColumnKind::kGaps,  ColumnKind::kReferences,
    ColumnKind::kValues, ColumnKind::kHashes,  ColumnKind::kTexts,
};
inline constexpr std::span<const ColumnKind> kObjectColumns(kAllColumns, 4);
inline constexpr std::span<const ColumnKind> kContentColumns(kAllColumns + 4, 3);
inline constexpr size_t ColumnSlot(ColumnKind kind) { return static_cast<size_t>(kind) - 1; }

// Low two bits of a reference token; the payload is the rest. On disk: do not renumber.
enum class ReferenceTag : uint8_t {
  kNullRun = 0,    // payload: how many consecutive slots of this chunk are null (at least 1)
  kFromSelf = 1,   // payload: zigzag of (target - address of the referring object), in address units
  kFromLast = 2,   // payload: zigzag of (target - last target of the same predictor cell), in address units
  kUnaligned = 3,  // payload 0, followed by 8 raw bytes: a target that is no multiple of the address unit
};

// A run of bytes in every object of a type that is kept as one value. On disk and in messages one u32:
// offset × 16 + bytes.
struct ValueSlot {
  uint32_t offset = 0;  // from the object's start
  uint32_t bytes = 0;   // 1, 2, 4 or 8
};
inline constexpr uint32_t Packed(ValueSlot slot) { return slot.offset << 4 | slot.bytes; }
inline constexpr ValueSlot UnpackedValueSlot(uint32_t packed) { return {packed >> 4, packed & 15}; }
inline constexpr bool IsValid(ValueSlot slot) {
  return slot.bytes != 0 && slot.bytes <= 8 && (slot.bytes & (slot.bytes - 1)) == 0;
}

// How objects of one type are laid out, as far as decoding needs it. Plain data.
struct TypeLayout {
  uint64_t base_size = 0;       // bytes, header word included, as in the MethodTable
  uint32_t component_size = 0;  // bytes per component; 0 for types of fixed size
  uint32_t fixed_slots = 0;     // reference slots of an object of fixed size
  uint32_t element_slots = 0;   // reference slots per component of a variable-size object
  // The walk went through the profiling API: base_size 0, component_size 1 (so the length is the size),
  // and the lengths column holds a second varint per object, its number of slots.
  bool explicit_slots = false;
  // Contents that the columns hold of every object of the type.
  uint32_t value_slots = 0;
  bool has_hash = false;
  bool has_text = false;

  bool HasLength() const { return component_size != 0 || explicit_slots; }
};

// Predictor cells of a type. A slot's cell is its number within the object (fixed size), within the
// component (variable size), or within the object (explicit slots), modulo kMaxPredictorCells.
inline constexpr uint32_t PredictorCellCount(const TypeLayout& layout) {
  if (layout.explicit_slots) return kMaxPredictorCells;
  const uint32_t slots = layout.component_size != 0 ? layout.element_slots : layout.fixed_slots;
  return slots < kMaxPredictorCells ? slots : kMaxPredictorCells;
}

// Everything about one chunk but its columns. Plain data, stored field by field.
struct ChunkHeader {
  uint32_t range = 0;             // index into the ranges, which are in address order
  uint32_t sequence = 0;          // 0, 1, 2 … within the range
  uint64_t first_address = 0;     // of its first object; meaningless when object_count is 0
  uint64_t end_address = 0;       // where its last object ends, alignment included
  uint64_t continued_object = 0;  // the array whose slots open this chunk; 0 for none
  uint64_t continued_slot = 0;    // the first of those slots, counted within the array
  uint32_t continued_type = 0;    // type id of that array
  uint32_t continued_slots = 0;   // how many of the slots here belong to it
  uint32_t object_count = 0;      // objects that start in this chunk
  uint32_t slot_count = 0;        // slots in this chunk, continued ones included
};

// Rounds `size` up to `alignment`, a power of two.
inline constexpr uint64_t AlignUp(uint64_t size, uint64_t alignment) {
  return (size + alignment - 1) & ~(alignment - 1);
}

}  // namespace cairn::stream
