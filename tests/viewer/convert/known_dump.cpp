#include "tests/viewer/convert/known_dump.h"

namespace cairn::convert::testing {
namespace {

// Blanks are for reading only.
constexpr char kBytes[] =
    // signature; GCHeapDump, version 10, least reader 8; Graphs.MemoryGraph, 1, 0
    "14000000 214661737453657269616c697a6174696f6e2e31 04 0401 0a000000 08000000 0a000000 4743486561704475 6d70 06"
    "04 0401 01000000 00000000 12000000 4772617068732e4d656d6f72794772617068 06"
    // sum of sizes 70, root 0, five types
    "4600000000000000 00000000 05000000"
    "09000000 554e444546494e4544 00000000 00000000"
    "0c000000 5b2e4e455420526f6f74735d 00000000 00000000"
    "0c000000 5b6c6f63616c20766172735d 00000000 00000000"
    "0a000000 4d794170702e4e6f6465 18000000 09000000 4d794170702e646c6c"
    "0d000000 53797374656d2e537472696e67 16000000 1a000000"
    "53797374656d2e507269766174652e436f72654c69622e646c6c"
    // five nodes at 2, 5, 8, 11, 15 of 17 bytes: type × 2, children, child − own number …
    "05000000 02000000 05000000 08000000 0b000000 0f000000"
    "11000000 0000 020101 040101 060101 06027f01 0800"
    // addresses; 64 bit
    "05000000 0000000000000000 0000000000000000 001000000 07f0000 181000000 07f0000 301000000 07f0000"
    "0801 06"
    // 64 bit, multipliers 1, no JavaScript, no segments, no log, no time, no machine, no process
    "01 0000803f 0000803f 01 01 ffffffff 0000000000000000 ffffffff ffffffff 00000000"
    "0000000000000000 0000000000000000 00000000"
    // no COM objects, the tool, the end; one forward reference, the places of the table and of its place
    "0c 00000000 01 0d 06000000 6d79746f6f6c 06"
    "06 01000000 94010000 a1010000 a9010000";

int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

std::vector<uint8_t> KnownDump() {
  std::string digits;
  for (const char c : kBytes)
    if (c != ' ' && c != '\0') digits += c;
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(Digit(digits[i]) * 16 + Digit(digits[i + 1])));
  return bytes;
}

}  // namespace cairn::convert::testing
