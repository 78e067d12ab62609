#include "collector/contents/random_bytes.h"

#include <sys/random.h>

namespace cairn::collector {

bool FillWithRandom(void* out, size_t size) {
  return getrandom(out, size, GRND_NONBLOCK) == static_cast<ssize_t>(size);
}

}  // namespace cairn::collector
