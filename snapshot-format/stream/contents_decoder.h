#pragma once
// Decodes the contents of one chunk: values, hashes, texts. The objects were decoded before (chunk_decoder.h). The
// input may be hostile: every count and length is checked before use.
// Thread rule: a function without state.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snapshot-format/stream/chunk_decoder.h"

namespace cairn::stream {

// What is known of one object.
struct ObjectContents {
  std::span<const int64_t> values;  // one per value slot of the type, sign-extended
  uint64_t hash = 0;                // of the components; 0: none
  bool has_text = false;
  bool text_cut = false;  // only the start of it was kept
  std::string_view text;
};

// One chunk's, reused from chunk to chunk.
class DecodedContents {
 public:
  // Of object `i` of the chunk; valid until the next decoding.
  ObjectContents Of(size_t i) const;

 private:
  friend std::string DecodeContents(std::span<const TypeLayout> layouts, const ChunkColumns& columns,
                                    const DecodedChunk& chunk, DecodedContents& out);
  struct Text {
    uint64_t begin = 0;
    uint32_t bytes = 0;
    bool present = false, cut = false;
  };

  std::vector<uint32_t> first_value_;  // per object and one more
  std::vector<int64_t> values_;
  std::vector<uint64_t> hashes_;  // per object
  std::vector<Text> texts_;       // per object
  std::string text_bytes_;
};

// Returns an empty string, or a sentence that says what is wrong and where in the chunk. The types of `chunk` are
// known to `layouts`. Complexity: linear in objects and bytes.
[[nodiscard]] std::string DecodeContents(std::span<const TypeLayout> layouts, const ChunkColumns& columns,
                                         const DecodedChunk& chunk, DecodedContents& out);

}  // namespace cairn::stream
