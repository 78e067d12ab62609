#pragma once
// Which of some functions an address on a stack lies in. Made from the functions, not by asking the runtime about the
// address: a stack holds words that look like code and are none, and for an address in a precompiled image the runtime
// takes the nearest method before it that has run; where there is none it reads past its table and dies (.NET 10).

#include <cstdint>
#include <span>
#include <vector>

#include "collector/roots/function_source.h"

namespace cairn::collector {

class CodeMap {
 public:
  // Asks where each of `ids` lies. Call-site rule: as FunctionSource::Code.
  CodeMap(FunctionSource& functions, std::span<const FunctionId> ids);

  // Calls `visit(FunctionId)` for each function that the address, or what called from just before it, lies in.
  template <class Visit>
  void ForEachAt(uint64_t address, Visit&& visit) const {
    for (const Range& range : ranges_) {
      if (range.begin <= address && address <= range.end) visit(range.function);
    }
  }
  // Those whose place is not known: they may be on any stack.
  std::span<const FunctionId> WithoutCode() const { return without_code_; }
  void AddWithoutCode(FunctionId id) { without_code_.push_back(id); }

 private:
  struct Range {
    uint64_t begin, end;
    FunctionId function;
  };
  std::vector<Range> ranges_;
  std::vector<FunctionId> without_code_;
};

}  // namespace cairn::collector
