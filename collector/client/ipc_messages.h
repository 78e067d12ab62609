#pragma once
// Bytes of the runtime's diagnostics protocol: header, strings, requests and answers. No I/O.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/result.h"

namespace cairn::client {

inline constexpr size_t kIpcHeaderBytes = 20;
inline constexpr size_t kMaxIpcMessage = 65535;

enum class ProcessInfoVersion : uint8_t { k1 = 0x00, k2 = 0x04, k3 = 0x08 };

std::vector<uint8_t> ProcessInfoRequest(ProcessInfoVersion version);

// `library` as the target sees it; the time-out counts a wait for a background GC only.
// Error ipc.too_large when path and data do not fit one message.
Result<std::vector<uint8_t>> AttachRequest(uint32_t timeout_ms, std::span<const uint8_t> clsid,
                                           const std::string& library, std::span<const uint8_t> client_data);

// One provider of events, switched on from a level (1 to 5) and for a set of keywords.
struct EventProvider {
  std::string name;
  uint64_t keywords = 0;
  uint32_t level = 0;
};
// Events as a stream on the same connection, without a rundown at its end. The runtime buffers so many megabytes.
std::vector<uint8_t> CollectTracingRequest(uint32_t buffer_megabytes, const EventProvider& provider);

// Size of the whole answer, from its header. Error ipc.bad_answer.
Result<size_t> AnswerSize(std::span<const uint8_t> header);

struct IpcAnswer {
  bool ok = false;
  uint32_t hresult = 0;  // of an error answer, or of an OK one that carries nothing else
  std::vector<uint8_t> payload;
};
// `message` is header and payload. Error ipc.bad_answer.
Result<IpcAnswer> ParseAnswer(std::span<const uint8_t> message);

struct RuntimeInfo {
  uint64_t pid = 0;  // as the target sees itself
  std::string command_line, os, architecture;
  std::string entry_assembly;  // empty before ProcessInfo2
  std::string version;         // "10.0.12"; empty before ProcessInfo2
  std::string rid;             // "linux-musl-x64"; empty before ProcessInfo3
};
// Error ipc.bad_answer.
Result<RuntimeInfo> ParseProcessInfo(ProcessInfoVersion version, std::span<const uint8_t> payload);

}  // namespace cairn::client
