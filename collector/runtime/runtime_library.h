#pragma once
// The runtime's own library in this process, and what it exports. Nothing is ever loaded.
// Thread rule: any, outside the pause.

namespace cairn::collector {

// nullptr: not exported. The runtime stays loaded as long as the process lives, so the address does too.
void* FindRuntimeExport(const char* name);

}  // namespace cairn::collector
