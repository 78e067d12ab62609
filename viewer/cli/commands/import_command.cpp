#include "viewer/cli/commands/import_command.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <random>

#include "collector/client/recording_import.h"
#include "viewer/cli/conversion_output.h"
#include "viewer/cli/file_output.h"
#include "viewer/convert/gcdump_import.h"

namespace cairn::cli {
namespace {

class ImportCommand : public Command {
 public:
  CommandText Text() const override {
    return {"import", "Other tools", "make a snapshot of a .gcdump or a recorded capture",
            "import DUMP -o FILE [options]",
            "  cairn import shop.gcdump -o shop.cairn\n"
            "      then cairn types, path, dominators … as with a snapshot of its own. Names of fields are not in a\n"
            "      .gcdump; a sampled one makes an incomplete snapshot.\n"
            "  cairn import shop.recording -o shop.cairn\n"
            "      of what cairn-attach recorded on Windows: a snapshot like any other.\n"};
  }

  void Configure(CommandLine& line) override {
    line.Argument("DUMP", dump_, true, "a .gcdump, or a recording of cairn-attach");
    line.Text("-o,--output", output_, "FILE", "the snapshot to write");
    line.Flag("--force", overwrite_, "replace FILE where it exists");
  }

  Result<int> Run(Console& console) override {
    if (output_.empty())
      return Fail(ErrorKind::kUsage, "usage.missing_argument", "import needs --output",
                  "As in: cairn import shop.gcdump -o shop.cairn");
    if (IsEmpty(dump_))
      return Fail(ErrorKind::kDamaged, "import.empty", fmt::format("{} is empty.", dump_),
                  "Was the disk full, or was it copied before it was written? Collect or record again.");
    CAIRN_TRY(CheckPlace(output_, overwrite_));
    const auto converted = client::IsRecording(dump_) ? ImportRecording() : ImportGcDump();
    if (!converted) return tl::make_unexpected(converted.error());
    auto sources = OpenSnapshots({output_});
    if (!sources) return tl::make_unexpected(std::move(sources).error());
    const NamedSummaries named = Named(*sources);
    PrintConversion(console, named, output_, *converted);
    return ExitCodeFor(named);
  }

 private:
  static bool IsEmpty(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) == 0 && !error;
  }

  Result<convert::Converted> ImportGcDump() const {
    const auto dump = convert::GcDump::Read(dump_);
    if (!dump) return tl::make_unexpected(dump.error());
    return convert::ImportGcDump(*dump, output_, {overwrite_, RandomId(), Now(), CAIRN_VERSION});
  }

  // One that is incomplete may have another name, where a complete one has this.
  Result<convert::Converted> ImportRecording() {
    auto result = client::ImportRecording(dump_, output_, overwrite_);
    if (!result) return tl::make_unexpected(std::move(result).error());
    output_ = result->path;
    return convert::Converted{result->summary.totals.objects, {}};
  }

  static std::string RandomId() {
    std::random_device random;
    std::string id;
    for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", random());
    return id;
  }

  static std::string Now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    char text[32];
    gmtime_r(&now, &parts);
    return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
  }

  std::string dump_, output_;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeImportCommand() { return std::make_unique<ImportCommand>(); }

}  // namespace cairn::cli
