#include "collector/roots/code_map.h"

namespace cairn::collector {

CodeMap::CodeMap(FunctionSource& functions, std::span<const FunctionId> ids) {
  for (const FunctionId id : ids) {
    const std::vector<CodeRange> code = functions.Code(id);
    if (code.empty()) without_code_.push_back(id);
    for (const CodeRange& range : code) ranges_.push_back({range.begin, range.begin + range.size, id});
  }
}

}  // namespace cairn::collector
