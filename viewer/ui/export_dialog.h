#pragma once
// Asks for a file, and writes the first table of a page into it, as a job.
// Thread rule: the window's thread.

#include <memory>
#include <optional>
#include <string>

#include "viewer/presentation/jobs.h"
#include "viewer/presentation/pages/page_export.h"
#include "viewer/ui/probe.h"
#include "viewer/ui/theme.h"

namespace cairn::ui {

class ExportDialog {
 public:
  explicit ExportDialog(presentation::JobRunner& jobs) : jobs_(jobs) {}

  void Open(std::shared_ptr<const presentation::Page> page, presentation::Place place);
  // What to tell, where an export has ended.
  std::optional<std::string> Draw(const Theme& theme, Probe* probe);

 private:
  void DrawFields(const Theme& theme, Probe* probe);
  void Start();
  std::optional<std::string> Take();

  presentation::JobRunner& jobs_;
  bool opening_ = false, closing_ = false;
  std::shared_ptr<const presentation::Page> page_;
  presentation::Place place_;
  presentation::ExportWish wish_;
  std::optional<Error> failure_;
  presentation::Job<uint64_t> job_;
};

}  // namespace cairn::ui
