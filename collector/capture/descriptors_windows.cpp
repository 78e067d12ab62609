#include "collector/capture/descriptors.h"

namespace cairn::collector {

// Handles have no limit of their own here.
bool HasDescriptors() { return true; }

}  // namespace cairn::collector
