#pragma once
// Runs many independent pieces of work on a few threads.

#include <cstddef>
#include <functional>

#include "viewer/analysis/work.h"

namespace cairn::analysis {

// Threads that are worth starting here.
unsigned DefaultThreads();

// Calls run(piece, thread) for each piece in [0, pieces); pieces start in order, each on one of `threads`
// threads numbered from 0. The first error ends the rest and is returned; so does Work::Cancel. Each
// finished piece advances `work` by one. What `run` throws becomes an error.
Status ParallelFor(size_t pieces, unsigned threads, Work& work, const std::function<Status(size_t, unsigned)>& run);

// Calls `run` and makes an error of a failed allocation, so that no exception leaves a thread or the library.
Status Guarded(const std::function<Status()>& run);

}  // namespace cairn::analysis
