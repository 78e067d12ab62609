#include "collector/client/capture_session.h"

#include <ctime>

#include "collector/client/allocation_tracker.h"
#include "collector/client/capture_listener.h"
#include "collector/client/capture_lock.h"
#include "collector/client/capture_loop.h"
#include "collector/client/capture_request.h"
#include "collector/client/elf_file.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"
#include "collector/client/ready_target.h"
#include "collector/client/series_tracker.h"

namespace cairn::client {
namespace {

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// One capture, step by step; each step either holds or ends it.
class Session {
 public:
  Session(const Machine& machine, const CaptureRequest& request,
          const std::function<void(const CaptureProgress&)>& progress, const std::atomic<bool>& cancel)
      : machine_(machine), request_(request), progress_(progress), cancel_(cancel) {}

  Result<CaptureResult> Run() {
    context_.started = Clock::now();
    CAIRN_TRY(CheckRequest(request_));
    CAIRN_TRY(FindTarget());
    CAIRN_TRY(FillContext());
    constants_ = MachineConstants::Load(machine_.cache_folder);
    CAIRN_TRY(CheckPause(request_, constants_, context_.memory.rss_bytes));
    CAIRN_TRY(CheckOutputFile());
    auto result = Receive();
    if (result) Learn(*result);
    return result;
  }

 private:
  void Learn(const CaptureResult& result) {
    const bool changed =
        result.summary.complete && constants_.Learn(result.summary.capture, result.summary.totals.objects);
    if (changed) constants_.Save(machine_.cache_folder);
  }

  Status FindTarget() {
    auto ready = MakeReady(machine_, request_, ResidentUse::kAsked);
    if (!ready) return tl::make_unexpected(ready.error());
    target_ = std::move(ready->target);
    runtime_ = std::move(ready->runtime);
    library_ = std::move(ready->library);
    resident_ = std::move(ready->resident);
    context_.other_profiler = std::move(ready->other_profiler);
    return {};
  }

  Status FillContext() {
    snapshot::Process& process = context_.process;
    process.pid = target_.pid;
    process.name = NameOf(target_, runtime_.entry_assembly);
    process.command_line = Join(target_.command_line);
    process.runtime = runtime_.version;
    process.architecture = runtime_.architecture;
    if (process.architecture.empty()) process.architecture = ArchitectureName(MachineOf(machine_, target_));
    context_.memory.rss_bytes = machine_.proc.ResidentBytes(target_.pid);
    context_.memory.limit_bytes = machine_.proc.MemoryLimit(target_.pid);
    context_.gc = EffectiveGc(request_);
    context_.strings = request_.strings;
    context_.values = request_.values;
    context_.max_pause_ms = request_.max_pause_ms;
    context_.captured_at = UtcNow();
    context_.output = request_.output;
    if (context_.output.empty()) context_.output = DefaultOutput(process.name, target_.pid, std::time(nullptr));
    return {};
  }

  // A writer is made and thrown away: what only the file system can tell is known before the target is touched.
  Status CheckOutputFile() const {
    CAIRN_TRY(CheckOutput(context_.output, request_.overwrite));
    const auto trial = MakeWriter();
    return trial ? Status() : tl::make_unexpected(trial.error());
  }

  Result<std::unique_ptr<snapshot::SnapshotWriter>> MakeWriter() const {
    return snapshot::SnapshotWriter::Create(context_.output, {request_.overwrite, {}});
  }

  Result<std::unique_ptr<Assembler>> MakeAssembler(const Attach& attach) {
    auto writer = MakeWriter();
    if (!writer) return tl::make_unexpected(writer.error());
    context_.beside = attach.Beside();
    return std::make_unique<Assembler>(std::move(*writer), context_);
  }

  Result<CaptureResult> Receive() {
    const auto lock = CaptureLock::Take(machine_, target_);
    if (!lock) return tl::make_unexpected(lock.error());
    const auto listener = CaptureListener::Open(machine_, target_);
    if (!listener) return tl::make_unexpected(listener.error());
    std::vector<uint8_t> nonce(protocol::kNonceBytes);
    FillRandom(nonce);
    const protocol::Options options = MakeOptions(request_, nonce, listener->Path(), constants_);
    if (resident_) return ReceiveResident(*listener, nonce, options);
    if (request_.allocations != nullptr) return ReceiveSampled(*listener, nonce, options);
    return request_.tracker != nullptr ? ReceiveTracked(*listener, nonce, options)
                                       : ReceiveAttached(*listener, nonce, options);
  }

  Result<CaptureResult> ReceiveAttached(const CaptureListener& listener, const std::vector<uint8_t>& nonce,
                                        const protocol::Options& options) {
    const auto placed = PlaceLibrary(machine_, target_, library_);
    if (!placed) return tl::make_unexpected(placed.error());
    Attach attach(target_.Socket(), static_cast<pid_t>(target_.pid), placed->path, options,
                  !context_.other_profiler.empty());
    return ReceiveOver(listener, nonce, attach);
  }

  // From the collector that was loaded at the start, which knows light captures only.
  Result<CaptureResult> ReceiveResident(const CaptureListener& listener, const std::vector<uint8_t>& nonce,
                                        protocol::Options options) {
    options.light = 1;
    Attach attach([&] { return OrderCapture(*resident_, options); });
    return ReceiveOver(listener, nonce, attach);
  }

  // Over the attach of its series.
  Result<CaptureResult> ReceiveTracked(const CaptureListener& listener, const std::vector<uint8_t>& nonce,
                                       protocol::Options options) {
    SeriesTracker& tracker = *request_.tracker;
    options.track = 1;
    context_.tracking = [&tracker, nonce] { return tracker.At(nonce); };
    Attach attach([&] { return tracker.Ask(options); });
    auto result = ReceiveOver(listener, nonce, attach);
    if (result && result->summary.complete) tracker.Kept(result->summary.capture.id);
    return result;
  }

  // Over the attach that samples allocations.
  Result<CaptureResult> ReceiveSampled(const CaptureListener& listener, const std::vector<uint8_t>& nonce,
                                       protocol::Options options) {
    AllocationTracker& tracker = *request_.allocations;
    options.track = 1;
    context_.sampled = [&tracker, nonce] { return tracker.At(nonce); };
    Attach attach([&] { return tracker.Ask(options); });
    auto result = ReceiveOver(listener, nonce, attach);
    tracker.Resume();
    return result;
  }

  Result<CaptureResult> ReceiveOver(const CaptureListener& listener, const std::vector<uint8_t>& nonce,
                                    Attach& attach) {
    CaptureLoop loop({machine_, target_, listener, attach, nonce, [&] { return MakeAssembler(attach); }, progress_,
                      cancel_, request_.timeout + milliseconds(request_.wait_natural_ms)});
    return loop.Run();
  }

  const Machine& machine_;
  const CaptureRequest& request_;
  const std::function<void(const CaptureProgress&)>& progress_;
  const std::atomic<bool>& cancel_;
  Target target_;
  RuntimeInfo runtime_;
  std::string library_;
  std::optional<Resident> resident_;
  CaptureContext context_;
  MachineConstants constants_;
};

}  // namespace

Result<CaptureResult> CaptureOn(const Machine& machine, const CaptureRequest& request,
                                const std::function<void(const CaptureProgress&)>& progress,
                                const std::atomic<bool>& cancel) {
  const std::function<void(const CaptureProgress&)> quiet = [](const CaptureProgress&) {};
  return Session(machine, request, progress ? progress : quiet, cancel).Run();
}

Result<CaptureResult> Capture(const CaptureRequest& request,
                              const std::function<void(const CaptureProgress&)>& progress,
                              const std::atomic<bool>& cancel) {
  return CaptureOn(Machine::This(), request, progress, cancel);
}

}  // namespace cairn::client
