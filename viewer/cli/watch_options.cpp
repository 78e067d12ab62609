#include "viewer/cli/watch_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace cairn::cli {
namespace {

using std::chrono::milliseconds;

// Where nothing else makes a snapshot due.
constexpr milliseconds kUsualEvery{30000};

tl::unexpected<Error> BadValue(const std::string& sentence) {
  return Fail(ErrorKind::kUsage, "usage.bad_value", sentence);
}

// "20%" with what follows the number as `unit`; nothing where it is no number above zero.
std::optional<double> NumberBefore(const std::string& text, std::string_view unit) {
  if (!text.ends_with(unit) || text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size() - unit.size();
  const auto [read, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || read != end || !std::isfinite(number) || number <= 0) return std::nullopt;
  return number;
}

Status CheckAboveZero(const char* option, const std::optional<milliseconds>& given) {
  if (!given || given->count() > 0) return {};
  return BadValue(fmt::format("{} takes a duration above zero", option));
}

}  // namespace

void WatchOptions::Configure(CommandLine& line) {
  using presentation::BareNumber;
  line.Text("-o,--output", folder_, "DIR", "the folder for the snapshots, made where it is missing (.)");
  line.Duration("--every", every_, BareNumber::kSeconds, "DURATION",
                "a snapshot each time so long has passed (30s where nothing else is asked for)");
  line.Text("--when-heap-grows", grows_, "PERCENT",
            "when a collection of the application's own leaves a heap 20% larger than at the snapshot before");
  line.Text("--when-heap-over", over_, "SIZE|PERCENT-of-limit",
            "each time such a collection leaves more than 2GiB, or 80%-of-limit of the process's memory");
  line.Count("--count", count_, 1, "N", "end after so many snapshots");
  line.Duration("--duration", duration_, BareNumber::kSeconds, "DURATION",
                "end after so long; no snapshot is added at the end");
  line.Count("--keep-last", keep_last_, 1, "N", "remove all but the last snapshots of this series");
  line.Text("--max-disk", max_disk_, "SIZE", "remove the oldest snapshots of this series beyond so many bytes");
  line.Flag("--track", track_,
            "follow the identity of objects between the snapshots (full collections; stays attached)");
}

void WatchOptions::ConfigureLines(CommandLine& line) {
  line.Flag("--on-line", on_line_, "a snapshot for each line on the standard input (Enter), until that ends");
}

Result<client::SeriesOptions> WatchOptions::Options() const {
  client::SeriesOptions options;
  options.folder = folder_;
  options.every = every_;
  options.count = count_;
  options.duration = duration_;
  options.keep_last = keep_last_;
  options.track = track_;
  options.on_line = on_line_;
  CAIRN_TRY(CheckAboveZero("--every", every_));
  CAIRN_TRY(CheckAboveZero("--duration", duration_));
  CAIRN_TRY(TakeHeapTriggers(options));
  if (!options.every && !options.NeedsHeapSize() && !options.on_line) options.every = kUsualEvery;
  if (max_disk_.empty()) return options;
  const auto bytes = presentation::ParseSize(max_disk_);
  if (!bytes) return tl::make_unexpected(bytes.error());
  options.max_disk_bytes = *bytes;
  return options;
}

Status WatchOptions::TakeHeapTriggers(client::SeriesOptions& options) const {
  if (!grows_.empty()) {
    options.grows_percent = NumberBefore(grows_, "%");
    if (!options.grows_percent)
      return BadValue(fmt::format("--when-heap-grows takes a percentage such as 20%, not '{}'", grows_));
  }
  if (over_.empty()) return {};
  if (over_.find('%') != std::string::npos) {
    options.over_percent_of_limit = NumberBefore(over_, "%-of-limit");
    if (options.over_percent_of_limit) return {};
    return BadValue(fmt::format("--when-heap-over takes a size such as 2GiB, or 80%-of-limit, not '{}'", over_));
  }
  const auto bytes = presentation::ParseSize(over_);
  if (!bytes) return tl::make_unexpected(bytes.error());
  options.over_bytes = *bytes;
  return {};
}

}  // namespace cairn::cli
