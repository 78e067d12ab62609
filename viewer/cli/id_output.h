#pragma once
// One ID of a process or of a snapshot as a line of text, or as a JSON value. Thread rule: pure functions.

#include <string>

#include "collector/protocol/id_observation.h"
#include "snapshot-format/file/result.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::cli {

// An ID of 0 is none: - or null.
std::string IdLine(const protocol::IdRow& row);
// {"kind":…,"id":"0x…","name":…,"path":…,"detail":{…}}
presentation::Json IdJson(const protocol::IdRow& row);
// "module,class" or one of them → bits of IdKind; empty: all. Error usage.bad_value.
Result<uint32_t> ParseIdKinds(const std::string& text);
// "0x7f12" or a decimal number. Error usage.bad_value.
Result<uint64_t> ParseId(const std::string& text);

}  // namespace cairn::cli
