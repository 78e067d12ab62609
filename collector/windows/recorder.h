#pragma once
// One conversation with the runtime, one with the collector, and the file that keeps the second.
// Thread rule: one thread; everything waits.

#include <cstdint>
#include <span>
#include <string>

#include "collector/client/ipc_messages.h"
#include "collector/protocol/recording.h"
#include "collector/windows/pipe.h"

namespace cairn::windows {

// What a request was answered. Errors: ipc.no_endpoint, ipc.closed, ipc.bad_answer.
Result<client::IpcAnswer> Ask(uint32_t pid, std::span<const uint8_t> request);

// Fills in the process's answer about itself.
std::vector<uint8_t> ProcessInfo(uint32_t pid, protocol::RecordingHeader& header);

// Everything that comes over `pipe` until its end. Errors: recording.failed, recording.empty.
Status Record(const std::string& path, const protocol::RecordingHeader& header, std::span<const uint8_t> info,
              Pipe& pipe);

}  // namespace cairn::windows
