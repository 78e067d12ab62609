#pragma once
// A capture's conversation in a file, where the collector and the `cairn` that makes the snapshot are on different
// systems: this header, the runtime's answer about its process, then the collector's frames as they came. PROTOCOL.md
// describes it.

#include <cstdint>

#include "collector/protocol/protocol.h"

namespace cairn::protocol {

inline constexpr uint64_t kRecordingMagic = 0x4452434552524E43;  // "CNRRECRD"

struct RecordingHeader {
  uint64_t magic = kRecordingMagic;
  uint32_t version = kProtocolVersion;
  uint32_t size = 0;          // sizeof(RecordingHeader)
  int64_t started = 0;        // UTC, seconds since 1970
  uint32_t info_size = 0;     // of the answer that follows; 0: the runtime did not answer
  uint32_t info_version = 0;  // which question it answers: the command of the diagnostics protocol
  uint32_t process = 0;       // as the recorder names it
  uint32_t reserved = 0;
  Options options;  // what the collector was asked for
};

}  // namespace cairn::protocol
