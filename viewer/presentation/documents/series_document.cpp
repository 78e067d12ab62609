#include "viewer/presentation/documents/series_document.h"

#include "viewer/presentation/documents/problems.h"

namespace cairn::presentation {

void SeriesDocument::Add(const InfoDocument& snapshot) {
  Json fields = {{"schema", 1}};
  fields.update(InfoFields(snapshot));
  snapshots_.emplace_back(snapshot.path, std::move(fields));
}

void SeriesDocument::Drop(const std::string& path) {
  dropped_ += std::erase_if(snapshots_, [&](const auto& snapshot) { return snapshot.first == path; });
}

Json SeriesDocument::Fields(const std::string& reason, const std::optional<Error>& error) const {
  Json snapshots = Json::array();
  for (const auto& [path, fields] : snapshots_) snapshots.push_back(fields);
  Json document = {{"snapshots", std::move(snapshots)}, {"dropped", dropped_}, {"reason", reason}};
  if (error) document["error"] = ErrorDocument(*error)["error"];
  return document;
}

}  // namespace cairn::presentation
