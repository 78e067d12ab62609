#include "collector/roots/thread_blocks.h"

#include <algorithm>

#include "collector/roots/root_kind.h"

namespace cairn::collector {
namespace {

bool MayOwn(const RootBlock& thread, const RecordedRoot& root) {
  return !thread.known || !HasFunction(root) || thread.functions.contains(root.id);
}

// The first thread from `thread` on, or from it back, that may own the root; threads.size() for none.
size_t Step(std::span<const RootBlock> threads, size_t thread, bool forwards, const RecordedRoot& root) {
  while (thread < threads.size() && !MayOwn(threads[thread], root)) thread = forwards ? thread + 1 : thread - 1;
  return thread < threads.size() ? thread : threads.size();
}

}  // namespace

std::vector<uint32_t> AssignThreads(std::span<const RecordedRoot> roots, std::span<const RootBlock> threads) {
  std::vector<uint32_t> assigned(roots.size(), kUncertainThread);
  if (threads.empty()) return assigned;
  std::vector<size_t> first(roots.size());
  size_t thread = 0;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (!IsStack(roots[i])) continue;
    thread = first[i] = Step(threads, thread, true, roots[i]);
    if (thread == threads.size()) return assigned;  // what was seen on the stacks explains nothing
  }
  thread = threads.size() - 1;
  for (size_t i = roots.size(); i-- > 0;) {
    if (!IsStack(roots[i])) continue;
    thread = Step(threads, thread, false, roots[i]);
    if (thread == threads.size()) return std::vector<uint32_t>(roots.size(), kUncertainThread);
    if (thread == first[i]) assigned[i] = threads[thread].thread;
  }
  return assigned;
}

}  // namespace cairn::collector
