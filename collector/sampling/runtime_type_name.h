#pragma once
// The runtime's own way to write a type's name, as its events do, into the one that Cairn uses everywhere:
//   "System.Collections.Generic.Dictionary`2+Entry[System.String,System.Int32[]][]"
//   "System.Collections.Generic.Dictionary<System.String, System.Int32[]>+Entry[]"
// Pure.

#include <string>
#include <string_view>

namespace cairn::collector {

// Text that has another form comes back as it is.
std::string FromRuntimeTypeName(std::string_view name);

}  // namespace cairn::collector
