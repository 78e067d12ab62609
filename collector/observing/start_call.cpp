#include "collector/observing/start_call.h"

#include <cstdlib>
#include <string_view>

#include "collector/protocol/start.h"

namespace cairn::collector {

namespace {

int DigitOf(char text) {
  if (text >= '0' && text <= '9') return text - '0';
  return text >= 'a' && text <= 'f' ? text - 'a' + 10 : -1;
}

bool ReadHex(std::string_view text, uint8_t (&bytes)[protocol::kNonceBytes]) {
  if (text.size() != 2 * sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; ++i) {
    const int high = DigitOf(text[2 * i]), low = DigitOf(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<uint8_t>(high * 16 + low);
  }
  return true;
}

}  // namespace

std::optional<StartCall> ReadStartCall(const char* text) {
  const std::string_view all(text != nullptr ? text : "");
  const size_t colon = all.find(':');
  StartCall call;
  if (colon == std::string_view::npos || !ReadHex(all.substr(0, colon), call.nonce)) return std::nullopt;
  call.path = all.substr(colon + 1);
  const bool fits = !call.path.empty() && call.path.size() < protocol::kSocketPathBytes;
  return fits ? std::optional(call) : std::nullopt;
}

std::optional<StartCall> StartCallOfProcess() { return ReadStartCall(std::getenv(protocol::kStartVariable)); }

}  // namespace cairn::collector
