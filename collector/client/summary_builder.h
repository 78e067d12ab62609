#pragma once
// From what came with the frames, and what the chunks really held, to the summary of the file. The counts
// in it are always those of the chunks; where the collector counted otherwise, a problem says so.

#include <optional>
#include <vector>

#include "collector/client/capture_context.h"
#include "collector/client/chunk_checker.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

struct AssembledParts {
  const CaptureContext& context;
  const protocol::WalkEnd& walk;
  const std::optional<protocol::End>& end;
  ChunkChecker& checker;
  const StaticResolver& statics;
  const std::vector<uint32_t>& module_ids;  // the collector's id of each module
  const std::vector<bool>& named;           // per type id
  uint64_t chunks = 0;
};

// Completes `summary`. `cut`: why the conversation ended before its end.
void BuildSummary(const AssembledParts& parts, const std::optional<Error>& cut, snapshot::Summary& summary);

}  // namespace cairn::client
