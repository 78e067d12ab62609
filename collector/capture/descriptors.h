#pragma once
// Whether the process can open files. A runtime that runs out of them while it starts an event session throws on the
// thread that asked, and the process ends.
// Thread rule: any.

namespace cairn::collector {

// So many descriptors as a capture or an observation needs at once, the runtime's own included, are to be had.
bool HasDescriptors();

}  // namespace cairn::collector
