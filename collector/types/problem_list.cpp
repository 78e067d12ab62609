#include "collector/types/problem_list.h"

#include <utility>

namespace cairn::collector {

void ProblemList::Add(const char* code, std::string message, bool incomplete) {
  Code& entry = codes_[code];
  ++entry.count;
  entry.incomplete |= incomplete;
  if (entry.kept.size() < kKeptPerCode) entry.kept.push_back({code, std::move(message), incomplete});
}

std::vector<protocol::Problem> ProblemList::Problems() const {
  std::vector<protocol::Problem> all;
  for (const auto& [code, entry] : codes_) {
    all.insert(all.end(), entry.kept.begin(), entry.kept.end());
    const uint64_t more = entry.count - entry.kept.size();
    if (more > 0) all.push_back({code, std::to_string(more) + " more of this kind.", entry.incomplete});
  }
  return all;
}

}  // namespace cairn::collector
