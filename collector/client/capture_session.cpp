#include "collector/client/capture_session.h"

#include <ctime>

#include "collector/client/capture_listener.h"
#include "collector/client/capture_lock.h"
#include "collector/client/capture_loop.h"
#include "collector/client/capture_request.h"
#include "collector/client/checks.h"
#include "collector/client/elf_file.h"
#include "collector/client/library_placement.h"
#include "collector/client/on_machine.h"

namespace cairn::client {
namespace {

constexpr milliseconds kAskTimeout{1000};

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
    CAIRN_TRY(CheckTarget());
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
    const auto pid = ResolveTargetOn(machine_, request_.target);
    if (!pid) return tl::make_unexpected(pid.error());
    auto target = InspectTarget(machine_, *pid);
    if (!target) return tl::make_unexpected(target.error());
    target_ = std::move(*target);
    return {};
  }

  Status CheckTarget() {
    CAIRN_TRY(CheckUser(machine_, target_));
    CAIRN_TRY(CheckState(target_));
    CAIRN_TRY(CheckDotnet(machine_, target_));
    CAIRN_TRY(CheckSocket(target_));
    auto info = AskTarget(target_, kAskTimeout);
    if (!info) {
      // A process that was stopped a moment ago may only now look so.
      if (const auto now = InspectTarget(machine_, target_.pid)) CAIRN_TRY(CheckState(*now));
      return tl::make_unexpected(info.error());
    }
    runtime_ = std::move(*info);
    if (runtime_.version.empty()) runtime_.version = RuntimeVersionOf(target_);
    CAIRN_TRY(CheckRuntime(request_, runtime_.version));
    CAIRN_TRY(CheckResident(target_));
    context_.other_profiler = OtherProfiler(target_);
    CAIRN_TRY(CheckBeside(target_, context_.other_profiler, EffectiveGc(request_), runtime_.version));
    auto library = LocateLibrary(machine_, request_.library);
    if (!library) return tl::make_unexpected(library.error());
    library_ = std::move(*library);
    return CheckLibrary(machine_, target_, library_);
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
    const auto placed = PlaceLibrary(machine_, target_, library_);
    if (!placed) return tl::make_unexpected(placed.error());
    const auto listener = CaptureListener::Open(machine_, target_);
    if (!listener) return tl::make_unexpected(listener.error());
    std::vector<uint8_t> nonce(protocol::kNonceBytes);
    FillRandom(nonce);
    Attach attach(target_.Socket(), static_cast<pid_t>(target_.pid), placed->path,
                  MakeOptions(request_, nonce, listener->Path(), constants_), !context_.other_profiler.empty());
    CaptureLoop loop({machine_, target_, *listener, attach, nonce, [&] { return MakeAssembler(attach); }, progress_,
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
