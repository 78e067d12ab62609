#pragma once
// After the pause: what the walk found gets its names and is sent, all but the chunks.
// Call-site rule: on the thread that called ForceGC (it has a managed Thread, without which the runtime
// crashes on some questions), outside callbacks, before the detach.

#include "collector/capture/capture_context.h"
#include "collector/capture/type_ranking.h"

namespace cairn::collector {

// False: the client is gone.
bool NameAndSend(CaptureContext& capture, const TypeRanking& ranking);

}  // namespace cairn::collector
