#pragma once
// Makes a snapshot of a conversation that was recorded on another system (collector/protocol/recording.h).

#include <string>

#include "collector/client/capture_session.h"

namespace cairn::client {

// Whether the file begins as a recording does.
bool IsRecording(const std::string& path);

// Errors: recording.unreadable, recording.damaged, recording.version, stream.*, output.*, what the collector refused.
Result<CaptureResult> ImportRecording(const std::string& path, const std::string& output, bool overwrite);

}  // namespace cairn::client
