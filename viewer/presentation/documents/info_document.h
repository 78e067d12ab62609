#pragma once
// Everything about one snapshot but its objects: the document of info and capture.

#include <cstdint>
#include <optional>
#include <string>

#include "snapshot-format/file/model.h"
#include "snapshot-format/file/verifier.h"
#include "viewer/presentation/render/json_document.h"
#include "viewer/presentation/render/text_style.h"

namespace cairn::presentation {

struct InfoDocument {
  std::string path;
  const snapshot::Summary* summary = nullptr;  // outlives the document
  uint64_t file_bytes = 0;
  std::optional<snapshot::VerifyReport> verified;

  // Complete, and nothing was found wrong.
  bool IsSound() const { return summary->complete && (!verified || verified->errors.empty()); }
};

Json InfoFields(const InfoDocument& document);

// For reading: process, runtime, totals, pause, generations, problems with what to do.
void WriteInfoText(const InfoDocument& document, TextStyle style, ByteSink& sink);

}  // namespace cairn::presentation
