#pragma once
// What grows with every iteration of a scenario: as the contract's fields and for reading.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"
#include "viewer/session/steady_growth.h"

namespace cairn::presentation {

struct GrowReport {
  std::vector<std::string> snapshots;  // paths
  uint64_t iterations = 0;             // of the scenario between two of them
  uint64_t planned_snapshots = 0;
  bool complete = true;
  std::vector<session::GrowingPath> growing;

  bool IsOk() const { return complete && growing.empty(); }
};

// {"ok":…,"iterations":…,"snapshots":[…],"growing":[…]}; at most `top` paths.
Json GrowFields(const GrowReport& report, std::optional<uint64_t> top);
void WriteGrowText(const GrowReport& report, std::optional<uint64_t> top, TextStyle style, ByteSink& sink);

}  // namespace cairn::presentation
