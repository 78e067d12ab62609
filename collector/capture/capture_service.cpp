#include "collector/capture/capture_service.h"

#include <exception>

#include "collector/capture/clock.h"
#include "collector/capture/descriptors.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/option_check.h"
#include "collector/capture/refusal_frame.h"
#include "collector/capture/walk_setup.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr int kConnectMs = 2000;
// The client tries again at most 200 ms after a background collection was in the way.
constexpr int kKeepMemoryMs = 3000;
constexpr int kBusyWaitMs = 1000;
constexpr int kBusySliceMs = 5;
// The runtime's own thread has long forgotten a profiler that left so long ago.
constexpr uint64_t kJustNowMs = 1000;
constexpr size_t kKeeperStackBytes = 64u << 10;

abi::HRESULT Refuse(CaptureContext& context, const Refusal& refusal) {
  SendRefusal(context.channel, refusal);
  return abi::kErrorProfilerCancelActivation;
}

// Says no in words where its scope is left by an exception, while the context is still there.
class WordsForThrown {
 public:
  explicit WordsForThrown(CaptureContext& context) : context_(context) {}
  ~WordsForThrown() {
    if (std::uncaught_exceptions() > before_) SendRefusal(context_.channel, kMemoryRefused);
  }
  WordsForThrown(const WordsForThrown&) = delete;
  WordsForThrown& operator=(const WordsForThrown&) = delete;

 private:
  CaptureContext& context_;
  const int before_ = std::uncaught_exceptions();
};

// Of a context for which there is no memory.
std::unique_ptr<CaptureContext> MakeContext(const protocol::Options& options) {
  try {
    return std::make_unique<CaptureContext>();
  } catch (...) {
    ClientChannel channel;
    if (channel.Connect(options.socket_path, kConnectMs)) SendRefusal(channel, RefusalOfThrown());
    throw;
  }
}

// Seen to work, and to leave without harm, from this version on.
constexpr unsigned kFirstMajorBeside = 8;

const Refusal* BesideRefusal(const CaptureContext& context) {
  if (!context.beside) return nullptr;
  if (context.runtime.major < kFirstMajorBeside) return &kBesideOldRuntime;
  return context.options.light == 0 ? &kBesideYoung : nullptr;
}

}  // namespace

// ---- attach ----------------------------------------------------------------------------------------

abi::HRESULT CaptureService::Attach(abi::IUnknown* runtime, const void* data, size_t size, bool beside) {
  protocol::Options options;
  if (!ReadOptions(data, size, options)) return abi::kInvalidArgument;
  auto context = Meet(options);
  if (context == nullptr) return abi::kErrorProfilerCancelActivation;
  context->beside = beside;
  const abi::HRESULT opened = Open(runtime, *context);
  return abi::Failed(opened) ? opened : Start(std::move(context));
}

bool CaptureService::CaptureAttached(abi::IUnknown* runtime, const protocol::Options& options) {
  protocol::Options checked;
  if (!ReadOptions(&options, sizeof options, checked)) return false;
  auto context = Meet(checked);
  if (context == nullptr) return false;
  context->stays = true;
  if (abi::Failed(Open(runtime, *context)) || abi::Failed(Start(std::move(context)))) return false;
  if (Current()->Begin(RunEntry, this)) return true;
  Finish();
  return false;
}

// Nobody there: a request that waited in a stopped process. The client gave up long ago.
std::unique_ptr<CaptureContext> CaptureService::Meet(const protocol::Options& options) {
  auto context = MakeContext(options);
  context->options = options;
  context->collection_deadline_ms = collection_deadline_ms_;
  context->inducer = &inducer_;
  context->masks = &masks_;
  context->channel.SetDeadline(options.client_deadline_ms);
  if (context->channel.Connect(options.socket_path, kConnectMs)) return context;
  DropMemory();
  return nullptr;
}

// Says hello, and no in words where it must be.
abi::HRESULT CaptureService::Open(abi::IUnknown* runtime, CaptureContext& context) {
  const WordsForThrown words(context);
  const bool usable = context.runtime.Open(runtime);
  if (!context.channel.Send(FrameKind::kHello, Greeting(context, false))) return abi::kErrorProfilerCancelActivation;
  if (!usable) return Refuse(context, kRuntimeTooOld);
  if (!HasDescriptors()) return Refuse(context, kNoDescriptors);
  if (context.beside ? WasMainJustNow() : IsBusy()) return Refuse(context, kBusy);
  if (const Refusal* refusal = BesideRefusal(context)) return Refuse(context, *refusal);
  if (context.stays && context.options.light == 0) return Refuse(context, kResidentYoung);
  if (context.options.light != 0 && !context.runtime.events) return Refuse(context, kLightNotAvailable);
  context.plan = MakeWalkPlan(context.options, context.runtime.major);
  const Refusal* no_fork = context.plan.fork_refusal;
  if (no_fork != nullptr && context.options.method == protocol::WalkMethod::kFork) return Refuse(context, *no_fork);
  context.memories = TakeOrMakeMemory(context.plan);
  return context.memories == nullptr ? Refuse(context, kMemoryLimit) : abi::kOk;
}

abi::HRESULT CaptureService::Start(std::unique_ptr<CaptureContext> context) {
  CaptureContext& c = *context;
  std::unique_ptr<Capture> capture;
  const WordsForThrown words(c);
  capture = std::make_unique<Capture>(std::move(context));
  if (!capture->PrepareTables()) return Refuse(c, kMemoryLimit);
  // Callbacks may come as soon as the mask is set.
  current_ = capture.get();
  const abi::HRESULT masked = capture->SetMask();
  if (abi::Succeeded(masked)) {
    capture.release();
    return abi::kOk;
  }
  current_ = nullptr;
  KeepMemory(capture->TakeMemory());
  return masked;
}

void CaptureService::AttachComplete() {
  Capture* capture = Current();
  if (capture != nullptr && !capture->Begin(RunEntry, this)) without_threads_ = true;
}

void CaptureService::DetachSucceeded() {
  Capture* capture = Current();
  if (capture == nullptr) return;
  if (!capture->IsBeside()) main_left_ns_ = NowNs();
  capture->OnDetached();
  // No thread of ours waits for this one.
  if (without_threads_.exchange(false)) Finish();
}

void CaptureService::RunEntry(void* service) {
  auto* self = static_cast<CaptureService*>(service);
  // Where the runtime may still call, or the target is exiting, everything stays where it is.
  if (self->Current()->Run()) self->Finish();
}

// The client may attach again as soon as it sees the end, so that comes last.
void CaptureService::Finish() {
  Capture* capture = current_.load();
  const int socket = capture->ReleaseSocket();
  current_ = nullptr;
  while (capture->Stays() && visitors_ != 0) SleepMs(1);
  delete capture;
  CloseConnection(socket);
}

// The main profiler that the runtime speaks of may be ours, leaving: beside that one nothing is safe.
bool CaptureService::WasMainJustNow() const {
  const uint64_t left = main_left_ns_;
  return Current() != nullptr || (left != 0 && NowNs() - left < kJustNowMs * kNsPerMs);
}

// A capture whose client died leaves in a moment.
bool CaptureService::IsBusy() const {
  for (int waited = 0; Current() != nullptr && waited < kBusyWaitMs; waited += kBusySliceMs) SleepMs(kBusySliceMs);
  return Current() != nullptr;
}

// ---- memory ----------------------------------------------------------------------------------------

CaptureService::Memory CaptureService::TakeOrMakeMemory(const WalkPlan& plan) {
  {
    const std::lock_guard lock(kept_mutex_);
    ++kept_round_;
    if (kept_ != nullptr) return std::move(kept_);
  }
  return MakeWalkMemories(plan);
}

// The client comes back soon, but it may also die. The library is linked so that it stays loaded after a
// failed attach, which is what makes a thread safe here.
void CaptureService::KeepMemory(Memory memory) {
  const std::lock_guard lock(kept_mutex_);
  kept_ = std::move(memory);
  ++kept_round_;
  if (!keeper_runs_) keeper_runs_ = StartThread("cairn-keep", kKeeperStackBytes, KeeperEntry, this);
  if (!keeper_runs_) kept_.reset();
}

void CaptureService::DropMemory() {
  const std::lock_guard lock(kept_mutex_);
  kept_.reset();
}

void CaptureService::KeeperEntry(void* service) { static_cast<CaptureService*>(service)->WatchKeptMemory(); }

void CaptureService::WatchKeptMemory() {
  for (uint64_t seen = 0;;) {
    {
      const std::lock_guard lock(kept_mutex_);
      const bool unchanged = seen == kept_round_;
      if (unchanged) kept_.reset();
      if (kept_ == nullptr) {
        keeper_runs_ = false;
        return;
      }
      seen = kept_round_;
    }
    SleepMs(kKeepMemoryMs);
  }
}

}  // namespace cairn::collector
