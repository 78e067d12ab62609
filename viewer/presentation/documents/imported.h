#pragma once
// Whether a snapshot was made from another tool's file. Such a one has no capture of which figures could be told, and
// no contents: what it lacks is not known, which is not the same as none.

#include <algorithm>

#include "snapshot-format/file/model.h"

namespace cairn::presentation {

inline bool IsImported(const snapshot::Summary& summary) {
  return std::any_of(summary.problems.begin(), summary.problems.end(),
                     [](const snapshot::Problem& problem) { return problem.code == "import.gcdump"; });
}

}  // namespace cairn::presentation
