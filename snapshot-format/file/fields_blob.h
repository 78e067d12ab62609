#pragma once
// The fields of one type as one blob: they are many and read on demand. FORMAT.md, "Fields". Private to
// snapshot-format/file.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/limits.h"
#include "snapshot-format/file/model.h"

namespace cairn::snapshot {

std::vector<uint8_t> PackFields(std::span<const Field> fields);
// Returns an empty string or what is wrong.
std::string UnpackFields(std::span<const uint8_t> data, uint32_t count, const Limits& limits, std::vector<Field>& out);
// Includes the type, so that two swapped blobs are found.
uint32_t FieldsChecksum(uint32_t type, std::span<const uint8_t> data);

}  // namespace cairn::snapshot
