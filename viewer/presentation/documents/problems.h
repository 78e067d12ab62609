#pragma once
// What every document that reads snapshots says of their completeness, and errors as documents.

#include <span>
#include <string>
#include <vector>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/result.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {

// A snapshot as named on the command line.
struct NamedSummary {
  std::string path;
  const snapshot::Summary* summary = nullptr;
  std::vector<snapshot::Problem> found = {};  // when its objects were read

  bool IsComplete() const;
};

// {"complete":…,"problems":[…]} over all of them; with several, each message starts with its file.
Json CompletenessFields(std::span<const NamedSummary> snapshots);

// {"code":…,"message":…}
Json ProblemEntry(const std::string& code, const std::string& message);

// {"schema":1,"error":{"code":…,"message":…,"hint":…}}
Json ErrorDocument(const Error& error);

// What to do about a problem, by its code; empty where nothing helps but reading it.
std::string ProblemAdvice(const std::string& code);

}  // namespace cairn::presentation
