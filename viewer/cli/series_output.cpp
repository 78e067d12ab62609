#include "viewer/cli/series_output.h"

#include <fmt/format.h>

#include <ctime>

#include "viewer/presentation/quantity.h"
#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/streamed_text.h"
#include "viewer/presentation/tables/watch_table.h"
#include "viewer/presentation/visible_text.h"

namespace cairn::cli {
namespace {

std::string TimeOfDay() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

}  // namespace

class SeriesOutput::NoteSink : public presentation::ByteSink {
 public:
  explicit NoteSink(Console& console) : console_(console) {}
  bool Write(std::string_view bytes) override {
    console_.NoteRaw(bytes);
    return true;
  }

 private:
  Console& console_;
};

SeriesOutput::SeriesOutput(Console& console, bool beside)
    : console_(console),
      beside_(beside),
      for_person_(console.ErrorIsTerminal() || console.verbose),
      progress_(console),
      notes_(std::make_unique<NoteSink>(console)) {
  presentation::ByteSink& out = beside ? static_cast<presentation::ByteSink&>(*notes_) : console.Out();
  if (console.format == OutputFormat::kCsv)
    rows_ =
        std::make_unique<presentation::CsvRows>(beside ? static_cast<presentation::ByteSink&>(kept_) : console.Out());
  else if (console.format == OutputFormat::kText && (!beside || for_person_))
    rows_ = std::make_unique<presentation::StreamedText>(out, presentation::WatchWidths());
}

SeriesOutput::~SeriesOutput() = default;

client::SeriesEvents SeriesOutput::Events() {
  return {[this](const auto& captured, auto cause) { Taken(captured, cause); },
          [this](const std::string& path) { Removed(path); },
          [this](const std::string& sentence) { Note(beside_ && !for_person_ ? "cairn run: " + sentence : sentence); }};
}

void SeriesOutput::Show(const client::CaptureProgress& at) {
  if (!for_person_) return;
  progress_.Show(at.text.empty() ? protocol::StateName(at.state) : at.text, at.done, at.total);
}

void SeriesOutput::Note(const std::string& sentence) {
  progress_.Clear();
  console_.Note(presentation::VisibleText(sentence));
}

void SeriesOutput::Taken(const client::CaptureResult& captured, client::SnapshotCause cause) {
  progress_.Clear();
  all_complete_ = all_complete_ && captured.summary.complete;
  // Kept for the document only: a series may go on for weeks.
  if (console_.format == OutputFormat::kJson)
    document_.Add({captured.path, &captured.summary, captured.file_bytes, {}});
  ++number_;
  console_.Did(fmt::format("{} snapshots were written, the last {}", number_, captured.path));
  if (rows_) PrintRow(captured, cause);
  if (beside_ && !rows_ && console_.format == OutputFormat::kText) NoteSnapshot(captured, cause);
  bytes_before_ = captured.summary.totals.bytes;
}

// A log of the command has its lines among the command's own.
void SeriesOutput::NoteSnapshot(const client::CaptureResult& captured, client::SnapshotCause cause) {
  const auto& totals = captured.summary.totals;
  Note(fmt::format("cairn run: {} ({}): {}, {}{}", captured.path, client::CauseName(cause),
                   presentation::Counted(totals.objects, "object", "objects"), presentation::HumanBytes(totals.bytes),
                   captured.summary.complete ? "" : ", incomplete"));
}

void SeriesOutput::PrintRow(const client::CaptureResult& captured, client::SnapshotCause cause) {
  const snapshot::Summary& summary = captured.summary;
  presentation::WatchRow row{number_,
                             TimeOfDay(),
                             summary.capture.captured_at,
                             client::CauseName(cause),
                             summary.totals.objects,
                             summary.totals.bytes,
                             {},
                             summary.capture.pause_ms.total_ms,
                             summary.complete,
                             captured.path};
  if (number_ > 1) row.difference_bytes = static_cast<int64_t>(row.bytes - bytes_before_);
  if (number_ == 1) rows_->Begin(presentation::WatchColumns());
  rows_->Row(presentation::WatchCells(row));
  (void)console_.Out().Finish();  // seen as it happens; what cannot be written is told at the end
}

void SeriesOutput::Removed(const std::string& path) {
  document_.Drop(path);
  if (for_person_) Note("removed " + path);
}

void SeriesOutput::Finish(const std::string& reason, const std::optional<Error>& error) {
  progress_.Clear();
  console_.Print(kept_.Text());
  if (console_.format != OutputFormat::kJson) return;
  presentation::JsonDocument json(console_.Out());
  json.PutAll(document_.Fields(reason, error));
  json.Finish();
}

}  // namespace cairn::cli
