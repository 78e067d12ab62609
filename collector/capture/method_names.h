#pragma once
// Names for the code that delegates were seen to point to.
// Call-site rule: as naming_step.

#include <vector>

#include "collector/capture/capture_context.h"

namespace cairn::collector {

// One per address whose method is known; addresses without one are left out.
std::vector<protocol::Method> NameMethods(CaptureContext& capture);

}  // namespace cairn::collector
