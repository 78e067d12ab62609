#include "viewer/cli/commands/export_command.h"

#include "viewer/cli/conversion_output.h"
#include "viewer/cli/file_output.h"
#include "viewer/convert/gcdump_writer.h"
#include "viewer/convert/heapsnapshot_writer.h"
#include "viewer/presentation/render/csv_rows.h"
#include "viewer/presentation/tables/all_objects.h"

namespace cairn::cli {
namespace {

using convert::Converted;
using convert::OutputFile;

enum class Target { kNone, kGcDump, kHeapSnapshot, kCsv };

class FileSink : public presentation::ByteSink {
 public:
  explicit FileSink(OutputFile& file) : file_(file) {}
  bool Write(std::string_view bytes) override {
    file_.Write(bytes);
    return !file_.Failed();
  }

 private:
  OutputFile& file_;
};

class ExportCommand : public Command {
 public:
  CommandText Text() const override {
    return {"export", "Other tools", "write a snapshot in another tool's format",
            "export FILE --to gcdump|heapsnapshot|csv -o OUTPUT [options]",
            "  cairn export shop.cairn --to heapsnapshot -o shop.heapsnapshot\n"
            "      for the memory panel of Chrome or Edge (Load), and for MemLab: retained sizes and paths, with the\n"
            "      names of fields.\n"
            "  cairn export shop.cairn --to gcdump -o shop.gcdump\n"
            "      for PerfView, Visual Studio and dotnet-gcdump.\n"
            "  cairn export shop.cairn --to csv -o objects.csv\n"
            "      one line per object. What a format cannot hold is listed.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("FILE", file_, true, "a snapshot");
    line.Choice<Target>("--to", target_,
                        {{"gcdump", Target::kGcDump}, {"heapsnapshot", Target::kHeapSnapshot}, {"csv", Target::kCsv}},
                        "the format");
    line.Text("-o,--output", output_, "OUTPUT", "the file to write");
    line.Flag("--force", overwrite_, "replace OUTPUT where it exists");
  }

  Result<int> Run(Console& console) override {
    CAIRN_TRY(CheckOptions());
    CAIRN_TRY(CheckPlace(output_, overwrite_));
    auto opened = OpenSession(file_);
    if (!opened) return tl::make_unexpected(std::move(opened).error());
    auto file = OutputFile::Create(output_, overwrite_);
    if (!file) return tl::make_unexpected(std::move(file).error());
    const auto converted = Asked(console, *opened, [&](session::SnapshotSession& session, analysis::Work& work) {
      return Write(session, **file, work);
    });
    if (!converted) return tl::make_unexpected(converted.error());
    CAIRN_TRY((*file)->Finish());
    PrintConversion(console, opened->named, output_, *converted);
    return ExitCodeFor(opened->named);
  }

 private:
  Status CheckOptions() const {
    const char* const example = "As in: cairn export shop.cairn --to gcdump -o shop.gcdump";
    if (target_ == Target::kNone)
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "export needs --to", example);
    if (output_.empty()) return Fail(ErrorKind::kUsage, "usage.missing_argument", "export needs --output", example);
    return {};
  }

  Result<Converted> Write(session::SnapshotSession& session, OutputFile& file, analysis::Work& work) const {
    if (target_ == Target::kGcDump) return convert::WriteGcDump(session, file, work);
    if (target_ == Target::kHeapSnapshot) return convert::WriteHeapSnapshot(session, file, work);
    FileSink sink(file);
    presentation::CsvRows rows(sink);
    const auto written = presentation::StreamAllObjects(session, rows, work);
    if (!written) return tl::make_unexpected(written.error());
    Converted converted{*written, {"which object refers to which, and by which field", "roots and their names"}};
    convert::AddLostContents(session.GetSummary(), converted.lost);
    return converted;
  }

  std::string file_, output_;
  Target target_ = Target::kNone;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeExportCommand() { return std::make_unique<ExportCommand>(); }

}  // namespace cairn::cli
