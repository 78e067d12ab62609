#pragma once
// A page as text, to be pasted into a report: what it says, and the first rows of its tables.
// Thread rule: pure function apart from the tables' own.

#include <string>

#include "viewer/presentation/pages/page.h"

namespace cairn::presentation {

inline constexpr uint64_t kRowsInText = 30;

// Begins with the command lines that print the same and open the window there.
std::string PageText(const Page& page, const Place& place, uint64_t most_rows = kRowsInText);

}  // namespace cairn::presentation
