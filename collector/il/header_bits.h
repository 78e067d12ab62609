#pragma once
// Bits and sizes of method headers and sections (ECMA-335, II.25.4).

#include <cstdint>

namespace cairn::collector::il {

inline constexpr uint8_t kFormatMask = 0x3, kTinyFormat = 0x2, kFatFormat = 0x3;
inline constexpr int kTinySizeShift = 2;
inline constexpr uint32_t kTinyMaxCode = 63, kTinyMaxStack = 8;
inline constexpr uint16_t kMoreSections = 0x8, kZeroLocals = 0x10;
inline constexpr int kFatSizeShift = 12;
inline constexpr uint16_t kFatWords = 3;
inline constexpr uint32_t kFatBytes = 12;

inline constexpr uint32_t kSectionKindMask = 0x3F, kClauseSection = 0x1, kFatSection = 0x40, kMoreOfSections = 0x80;
inline constexpr uint32_t kSmallClause = 12, kFatClause = 24, kSectionHead = 4;

}  // namespace cairn::collector::il
