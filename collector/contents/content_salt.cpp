#include "collector/contents/content_salt.h"

#include <cstdio>

#include "collector/contents/random_bytes.h"

namespace cairn::collector {
namespace {

struct Random {
  ContentSalt salt;
  uint64_t id = 0;
  bool made = false;

  Random() {
    uint64_t words[3];
    made = FillWithRandom(words, sizeof words);
    if (!made) return;
    salt = {words[0], words[1]};
    id = words[2];
  }
};

const Random& OfThisProcess() {
  static const Random random;
  return random;
}

}  // namespace

bool ReadContentSalt(ContentSalt* salt) {
  *salt = OfThisProcess().salt;
  return OfThisProcess().made;
}

std::string ContentSaltId() {
  if (!OfThisProcess().made) return {};
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(OfThisProcess().id));
  return text;
}

}  // namespace cairn::collector
