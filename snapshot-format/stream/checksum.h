#pragma once
// CRC-32C (Castagnoli polynomial, reflected), the checksum of every frame and every stored column.
// Freestanding and allocation-free.

#include <cstddef>
#include <cstdint>

namespace cairn::stream {

// Continues `crc` (0 to start) over `size` bytes. Crc32c(0, "123456789", 9) == 0xE3069283.
uint32_t Crc32c(uint32_t crc, const void* data, size_t size);

}  // namespace cairn::stream
