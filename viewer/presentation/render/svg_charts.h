#pragma once
// Pictures of a heap as SVG elements that stand inside a page: no script, no file of their own. Every mark also carries
// its text, as a title, for readers that show none.
// Thread rule: pure functions.

#include <span>
#include <string>

#include "viewer/presentation/documents/check_report.h"

namespace cairn::presentation {

// Objects by what they retain, and in them what they dominate.
std::string TreemapSvg(std::span<const HeapTile> tiles, uint64_t whole);

// Per type what it took before and what was added.
std::string GrowthSvg(std::span<const TypeGrowth> growth);

// The path from a root downwards, a box per object.
std::string PathSvg(const snapshot::Summary& summary, const session::RootPath& path);

}  // namespace cairn::presentation
