#include "viewer/presentation/pages/page_export.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {
namespace {

class FileSink : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : file_(path, std::ios::binary | std::ios::trunc) {}
  bool Write(std::string_view bytes) override {
    return static_cast<bool>(file_.write(bytes.data(), static_cast<long>(bytes.size())));
  }
  bool Finish() { return static_cast<bool>(file_.flush()); }

 private:
  std::ofstream file_;
};

// Passes rows on until the work is cancelled.
class CancellableRows : public RowSink {
 public:
  CancellableRows(RowSink& sink, analysis::Work& work) : sink_(sink), stride_(work) {}
  void Begin(std::span<const Column> columns) override { sink_.Begin(columns); }
  bool Row(std::span<const Cell> cells) override { return stride_.Step() && sink_.Row(cells); }
  void End(uint64_t rows_left_out) override { sink_.End(rows_left_out); }

 private:
  RowSink& sink_;
  analysis::Stride stride_;
};

bool IsJson(const std::string& path) { return path.ends_with(".json"); }

tl::unexpected<Error> Unwritable(const std::string& path) {
  return Fail(ErrorKind::kFailed, "output.unwritable", path + " cannot be written",
              "Give a folder that exists and is yours, with room on its disk.");
}

// What the page says of itself goes along: an incomplete snapshot must not look complete in a file.
void WriteJson(const Page& page, const Place& place, analysis::Work& work, FileSink& sink) {
  JsonDocument document(sink);
  Json notices = Json::array();
  for (const Notice& notice : page.notices) notices.push_back(notice.text);
  document.PutAll({{"place", ToText(place)}, {"notices", std::move(notices)}});
  JsonDocument::Rows rows(document, "rows");
  CancellableRows cancellable(rows, work);
  Emit(*page.sections.front().table, std::nullopt, cancellable);
  document.Finish();
}

void WriteCsv(const Page& page, analysis::Work& work, FileSink& sink) {
  CsvRows rows(sink);
  CancellableRows cancellable(rows, work);
  Emit(*page.sections.front().table, std::nullopt, cancellable);
}

Status CheckWish(const Page& page, const ExportWish& wish) {
  if (page.sections.empty())
    return Fail(ErrorKind::kUsage, "export.no_table", "this page has no table",
                "Copy it as text instead (Ctrl-Shift-T).");
  if (!IsJson(wish.path) && !wish.path.ends_with(".csv"))
    return Fail(ErrorKind::kUsage, "usage.format", "a table is exported to a .csv or a .json file",
                "For instance types.csv.");
  if (!wish.replace && access(wish.path.c_str(), F_OK) == 0)
    return Fail(ErrorKind::kUsage, "output.exists", wish.path + " exists already",
                "Give another name, or tick that it may be replaced.");
  return {};
}

}  // namespace

Result<uint64_t> ExportPage(const Page& page, const Place& place, const ExportWish& wish, analysis::Work& work) {
  CAIRN_TRY(CheckWish(page, wish));
  const uint64_t rows = page.sections.front().table->RowCount();
  const std::string temporary = wish.path + ".partial";
  work.Begin("writing rows", rows);
  FileSink sink(temporary);
  IsJson(wish.path) ? WriteJson(page, place, work, sink) : WriteCsv(page, work, sink);
  std::error_code error;
  const bool is_whole = sink.Finish() && !work.Cancelled();
  if (is_whole) std::filesystem::rename(temporary, wish.path, error);
  if (is_whole && !error) return rows;
  std::filesystem::remove(temporary, error);
  return work.Cancelled() ? tl::unexpected<Error>(analysis::WasCancelled()) : Unwritable(wish.path);
}

std::string ExportName(const Place& place) { return std::string(InfoOf(place.view).word) + ".csv"; }

}  // namespace cairn::presentation
