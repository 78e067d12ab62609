#define _CRT_RAND_S
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "collector/contents/random_bytes.h"

namespace cairn::collector {

bool FillWithRandom(void* out, size_t size) {
  auto* at = static_cast<uint8_t*>(out);
  while (size > 0) {
    unsigned word = 0;
    if (rand_s(&word) != 0) return false;
    const size_t taken = std::min(size, sizeof word);
    std::memcpy(at, &word, taken);
    at += taken;
    size -= taken;
  }
  return true;
}

}  // namespace cairn::collector
