#pragma once
// Names of functions that may be unloaded right after the pause, taken inside it into a mapping of fixed size.
// Thread rule: one thread; Add allocates nothing.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collector/roots/function_source.h"
#include "collector/roots/root_recorder.h"

namespace cairn::collector {

class UnsafeNames {
 public:
  bool Map();
  void Reset();
  // Looks at each function once. What does not fit is counted.
  void Add(FunctionSource& functions, FunctionId id);
  uint64_t Dropped() const { return dropped_; }

  enum class State : uint8_t { kNotSeen, kOrdinary, kNamed };
  State Find(FunctionId id, std::string_view* name) const;

 private:
  struct Slot {
    FunctionId id;
    uint32_t at;
    uint32_t size;  // 0: an ordinary function
  };
  static constexpr size_t kSlots = 1u << 16;  // a power of two, kept at most half full
  static constexpr size_t kTextBytes = 1u << 20;
  static constexpr size_t kNameBytes = 1024;

  Slot* Probe(FunctionId id) const;

  FixedBuffer slots_, text_;
  size_t used_ = 0, text_used_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace cairn::collector
