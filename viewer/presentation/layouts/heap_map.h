#pragma once
// The heap as pieces of equal size, by generation: what of each is reachable, garbage, free or pinned; and where the
// pieces go in a picture.
// Thread rule: pure functions apart from the session's own.

#include <vector>

#include "viewer/presentation/layouts/treemap.h"
#include "viewer/presentation/pages/page.h"
#include "viewer/session/snapshot_session.h"

namespace cairn::presentation {

inline constexpr size_t kMostHeapCells = 6000;

// At most `most` pieces (one per generation at least), each of a power of two of bytes from 4 KiB on, which start at
// multiples of their size. Their bytes are those of all ranges as far as they were walked. Complexity: linear in
// objects. Errors: those of the session.
Result<HeapMap> MapHeap(session::SnapshotSession& session, analysis::Work& work, size_t most = kMostHeapCells);

struct PlacedCell {
  size_t strip = 0, cell = 0;
  Rectangle area;
};

struct HeapPicture {
  std::vector<double> titles;  // by strip: where its title begins, from the top
  std::vector<PlacedCell> cells;
  double height = 0;
};

// Strips below each other, each under a line of `title`; cells in rows of `width`, each `side` wide and high.
HeapPicture LayOutHeap(const HeapMap& map, double width, double side, double title);
const PlacedCell* CellAt(const HeapPicture& picture, double x, double y);
// The next one to the right or left in the order of addresses, or the nearest one in the row below or above; itself
// where there is none. `right` and `down`: -1, 0 or 1.
size_t CellBeside(const HeapPicture& picture, size_t cell, int right, int down);

}  // namespace cairn::presentation
