#pragma once
// Problems of naming, bounded: of each code the first few are kept, the rest is counted.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collector/protocol/messages.h"

namespace cairn::collector {

class ProblemList {
 public:
  // `incomplete`: the snapshot lacks something that the application has.
  void Add(const char* code, std::string message, bool incomplete = false);
  // The kept problems; for each code with more of them one that says how many were left out.
  std::vector<protocol::Problem> Problems() const;

 private:
  static constexpr uint64_t kKeptPerCode = 8;
  struct Code {
    uint64_t count = 0;
    bool incomplete = false;
    std::vector<protocol::Problem> kept;
  };
  std::map<std::string, Code> codes_;
};

}  // namespace cairn::collector
