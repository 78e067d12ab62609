#pragma once
// How a collector that is loaded at the start of a process learns that its client waits for it.

namespace cairn::protocol {

// "NONCE:PATH": the nonce as hex digits, and the client's socket as the process sees it.
inline constexpr const char* kStartVariable = "CAIRN_START";

}  // namespace cairn::protocol
