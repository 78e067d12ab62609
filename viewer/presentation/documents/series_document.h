#pragma once
// The document of a series of snapshots: those of its captures, how many files were removed again, why it ended.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/presentation/documents/info_document.h"

namespace cairn::presentation {

class SeriesDocument {
 public:
  void Add(const InfoDocument& snapshot);
  // Its file is gone again.
  void Drop(const std::string& path);
  // {"snapshots":[…],"dropped":…,"reason":…}; with `error` also what ended the series before its time.
  Json Fields(const std::string& reason, const std::optional<Error>& error) const;

 private:
  std::vector<std::pair<std::string, Json>> snapshots_;  // by path
  uint64_t dropped_ = 0;
};

}  // namespace cairn::presentation
