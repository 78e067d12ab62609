#pragma once
// Of a process that was started in order to be observed: where its client waits to be called, out of the variable
// CAIRN_START ("NONCE:PATH", the nonce as hex digits). Whoever inherits the variable calls there too, and is told
// whether it is meant. Thread rule: any thread, as long as nobody changes the variables.

#include <cstdint>
#include <optional>
#include <string>

#include "collector/protocol/protocol.h"

namespace cairn::collector {

struct StartCall {
  uint8_t nonce[protocol::kNonceBytes] = {};
  std::string path;
};

// Nothing where the variable says nothing that can be understood.
std::optional<StartCall> ReadStartCall(const char* text);
std::optional<StartCall> StartCallOfProcess();

}  // namespace cairn::collector
