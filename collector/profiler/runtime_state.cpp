#include "collector/profiler/runtime_state.h"

#include <mutex>
#include <vector>

namespace cairn::collector {

namespace {

struct Known {
  const void* code;
  RuntimeState* state;
};

// Every attach brings another object, but its functions lie in the one runtime.
const void* CodeOf(abi::IUnknown* runtime) {
  return runtime == nullptr ? nullptr : *reinterpret_cast<const void* const*>(runtime);
}

}  // namespace

RuntimeState& StateOf(abi::IUnknown* runtime) {
  static std::mutex& mutex = *new std::mutex;
  static std::vector<Known>& known = *new std::vector<Known>;
  const void* code = CodeOf(runtime);
  const std::lock_guard lock(mutex);
  for (const Known& one : known)
    if (one.code == code) return *one.state;
  known.reserve(known.size() + 1);
  known.push_back({code, new RuntimeState});
  return *known.back().state;
}

}  // namespace cairn::collector
