#pragma once
// Sizes, durations and counts as people write and read them.
// Thread rule: pure functions.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "snapshot-format/file/result.h"

namespace cairn::presentation {

// "200MB" (decimal), "1.5GiB" (binary), "4096" and "4096B" (bytes); upper or lower case. Error usage.bad_size.
Result<uint64_t> ParseSize(std::string_view text);

// What a bare number means where a duration is expected.
enum class BareNumber { kMilliseconds, kSeconds };
// "250ms", "30s", "1.5m", "2h", "1d", "00:00:30", "1.02:03:04" (days first), or a bare number.
// Error usage.bad_duration.
Result<std::chrono::milliseconds> ParseDuration(std::string_view text, BareNumber bare);

// "12,345,678"; "-1,234".
std::string GroupedCount(uint64_t count);
std::string GroupedDifference(int64_t difference);  // always with its sign: "+1,234", "-7", "0"
// "1 object", "1,234 objects".
std::string Counted(uint64_t count, std::string_view one, std::string_view many);
// "512 B", "1.5 KiB", "12.3 MiB": three digits at most before the unit, binary units.
std::string HumanBytes(uint64_t bytes);
// "12.3 MiB (12,345,678 bytes)"; below 1 KiB only "512 bytes".
std::string FullBytes(uint64_t bytes);
// "0.35 ms", "12.4 ms", "1,234 ms".
std::string Milliseconds(double ms);
// "12.3 %" of a whole; "-" of nothing.
std::string Percentage(uint64_t part, uint64_t whole);
// "0x7f12a0001000".
std::string HexAddress(uint64_t address);

}  // namespace cairn::presentation
