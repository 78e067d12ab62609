#include "collector/client/series_session.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <thread>

#include "collector/client/allocation_tracker.h"
#include "collector/client/capture_request.h"
#include "collector/client/checks.h"
#include "collector/client/heap_meter.h"
#include "collector/client/line_requests.h"
#include "collector/client/on_machine.h"
#include "collector/client/series_tracker.h"

namespace cairn::client {
namespace {

// Harmless when late, so that a busy machine gets its time; a stopped process is known before it is asked.
constexpr milliseconds kAskTimeout{5000};

// The heap is measured by the runtime, or, where that does not work, by what the process holds in memory.
class HeapGauge {
 public:
  HeapGauge(const Machine& machine, int64_t pid, const SeriesEvents& events)
      : machine_(machine), pid_(pid), events_(events) {}

  void Open(const Target& target) {
    if (target.sockets.empty()) return FallBack("it has no diagnostics socket");
    auto meter = HeapMeter::Open(target.Socket(), kAskTimeout);
    if (!meter) return FallBack(meter.error().message);
    meter_ = std::move(*meter);
  }

  std::optional<HeapReading> Read() {
    if (meter_ && meter_->IsBroken() && machine_.proc.Exists(pid_)) FallBack("its runtime ended the event session");
    if (meter_) return meter_->Latest();
    if (!resident_) return std::nullopt;
    return HeapReading{machine_.proc.ResidentBytes(pid_), ++readings_};
  }

  uint64_t Of(const CaptureResult& captured) const {
    if (resident_) return machine_.proc.ResidentBytes(pid_);
    uint64_t bytes = 0;
    for (const snapshot::Range& range : captured.summary.ranges)
      if (range.generation != snapshot::Generation::kFrozen) bytes += range.bytes + range.free_bytes;
    return bytes;
  }

 private:
  void FallBack(const std::string& why) {
    meter_.reset();
    resident_ = true;
    events_.on_note("The runtime does not tell the size of its heap (" + why +
                    "); the resident memory of the process is watched instead.");
  }

  const Machine& machine_;
  const int64_t pid_;
  const SeriesEvents& events_;
  std::unique_ptr<HeapMeter> meter_;
  bool resident_ = false;
  uint64_t readings_ = 0;
};

class LiveWorld : public SeriesWorld {
 public:
  LiveWorld(const Machine& machine, const SeriesRequest& request, const Target& target, const std::string& name,
            const SeriesEvents& events, const std::function<void(const CaptureProgress&)>& progress,
            const std::atomic<bool>& cancel)
      : machine_(machine),
        capture_(request.capture),
        start_time_(target.start_time),
        names_(request.options.folder, name, target.pid),
        gauge_(machine, target.pid, events),
        progress_(progress),
        cancel_(cancel) {
    capture_.target = {target.pid, {}, {}};
    capture_.overwrite = false;
    if (request.options.NeedsHeapSize()) gauge_.Open(target);
    if (request.options.on_line) lines_.emplace(STDIN_FILENO);
  }

  Clock::time_point Now() override { return Clock::now(); }

  void Sleep(milliseconds time) override {
    if (lines_) return lines_->Wait(time);
    std::this_thread::sleep_for(time);
  }

  bool IsAsked() override { return lines_ && lines_->Take(); }
  bool AskingEnded() override { return lines_ && lines_->Ended(); }

  bool TargetIsThere() override {
    const auto status = machine_.proc.Status(*capture_.target.pid);
    if (!status || status->state == 'Z' || status->state == 'X') return false;
    return machine_.proc.StartTime(*capture_.target.pid) == start_time_;
  }

  std::optional<HeapReading> Heap() override { return gauge_.Read(); }
  uint64_t HeapOf(const CaptureResult& captured) override { return gauge_.Of(captured); }

  // The collector of a process that ends is gone a moment before the process is.
  std::optional<Error> Ended() override {
    auto ended = tracker_ ? tracker_->Ended() : allocations_ ? allocations_->Ended() : std::nullopt;
    for (int i = 0; ended && i < 10; ++i) {
      if (!TargetIsThere()) return std::nullopt;
      std::this_thread::sleep_for(milliseconds(20));
    }
    return ended;
  }

  Status Track() {
    auto tracker = SeriesTracker::Start(machine_, capture_, cancel_);
    if (!tracker) return tl::make_unexpected(tracker.error());
    tracker_ = std::move(*tracker);
    capture_.tracker = tracker_.get();
    capture_.light = true;
    return {};
  }

  Status SampleAllocations() {
    auto allocations = AllocationTracker::Start(machine_, capture_, cancel_);
    if (!allocations) return tl::make_unexpected(allocations.error());
    allocations_ = std::move(*allocations);
    capture_.allocations = allocations_.get();
    capture_.light = true;
    return {};
  }

  Result<CaptureResult> Capture() override {
    capture_.output = names_.Next(std::time(nullptr));
    return CaptureOn(machine_, capture_, progress_, cancel_);
  }

  void Remove(const std::string& path) override {
    std::error_code gone_already;
    std::filesystem::remove(path, gone_already);
  }

 private:
  const Machine& machine_;
  CaptureRequest capture_;
  const uint64_t start_time_;
  SeriesNames names_;
  HeapGauge gauge_;
  std::optional<LineRequests> lines_;
  std::unique_ptr<SeriesTracker> tracker_;
  std::unique_ptr<AllocationTracker> allocations_;
  const std::function<void(const CaptureProgress&)>& progress_;
  const std::atomic<bool>& cancel_;
};

// --when-heap-over in bytes.
Result<std::optional<uint64_t>> OverBytes(const Machine& machine, const SeriesOptions& options, int64_t pid) {
  if (!options.over_percent_of_limit) return options.over_bytes;
  const auto limit = machine.proc.MemoryLimit(pid);
  if (!limit)
    return Fail(ErrorKind::kFailed, "watch.no_limit",
                "Process " + std::to_string(pid) + " has no memory limit to take a share of.",
                "Pass --when-heap-over a size, such as 2GiB.");
  const double share = *options.over_percent_of_limit / 100;
  return std::optional(static_cast<uint64_t>(share * static_cast<double>(*limit)));
}

std::string NameOfLive(Target& target) {
  const auto info = target.sockets.empty() ? Result<RuntimeInfo>(RuntimeInfo()) : AskTarget(target, kAskTimeout);
  return NameOf(target, info ? info->entry_assembly : "");
}

}  // namespace

Status PrepareFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    return Fail(ErrorKind::kFailed, "output.no_folder",
                "The folder " + folder + " cannot be made: " + (error ? error.message() : "a file is there") + ".",
                "Name another with --output.");
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return Fail(ErrorKind::kFailed, "output.unwritable", folder + " cannot be written to: " + ErrnoText(errno) + ".",
              "Name another with --output.");
}

std::string SeriesNames::Next(std::time_t now) {
  constexpr std::string_view kSuffix = ".cairn";
  latest_ = std::max(latest_, now);
  std::string path = folder_ + "/" + DefaultOutput(name_, pid_, latest_);
  path.resize(path.size() - kSuffix.size());
  std::string numbered;
  std::error_code error;
  do {
    char number[32];
    std::snprintf(number, sizeof number, "_%04llu", static_cast<unsigned long long>(++number_));
    numbered = path + number + std::string(kSuffix);
  } while (std::filesystem::exists(std::filesystem::symlink_status(numbered, error)));
  return numbered;
}

Result<SeriesResult> WatchSeriesOn(const Machine& machine, const SeriesRequest& request, const SeriesEvents& events,
                                   const std::function<void(const CaptureProgress&)>& progress,
                                   const std::atomic<bool>& cancel) {
  CAIRN_TRY(CheckRequest(request.capture));
  const auto pid = ResolveTargetOn(machine, request.capture.target);
  if (!pid) return tl::make_unexpected(pid.error());
  auto target = InspectTarget(machine, *pid);
  if (!target) return tl::make_unexpected(target.error());
  const auto over_bytes = OverBytes(machine, request.options, *pid);
  if (!over_bytes) return tl::make_unexpected(over_bytes.error());
  CAIRN_TRY(PrepareFolder(request.options.folder));
  const std::string name = NameOfLive(*target);
  LiveWorld world(machine, request, *target, name, events, progress, cancel);
  if (request.options.track) {
    events.on_note(PriceOfTracking());
    CAIRN_TRY(world.Track());
  }
  if (request.options.allocations) {
    events.on_note(PriceOfAllocations());
    CAIRN_TRY(world.SampleAllocations());
  }
  return SeriesLoop(request.options, *over_bytes, world, events, cancel).Run();
}

Result<SeriesResult> WatchSeries(const SeriesRequest& request, const SeriesEvents& events,
                                 const std::function<void(const CaptureProgress&)>& progress,
                                 const std::atomic<bool>& cancel) {
  return WatchSeriesOn(Machine::This(), request, events, progress, cancel);
}

}  // namespace cairn::client
