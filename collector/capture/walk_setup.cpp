#include "collector/capture/walk_setup.h"

#include <unistd.h>

#include <cstring>

#include "collector/abi/enumerators.h"
#include "collector/abi/masks.h"
#include "collector/contents/content_salt.h"

namespace cairn::collector {

namespace {

constexpr int kConnectMs = 2000;

// The child's own connection, greeted for it. -1: the client is not there any more.
int ConnectForChild(const CaptureContext& capture, uint64_t* frames) {
  ClientChannel channel;
  if (!channel.Connect(capture.options.socket_path, kConnectMs)) return -1;
  if (!channel.Send(protocol::FrameKind::kHello, Greeting(capture, true))) return -1;
  *frames = channel.FramesSent();
  return channel.Release();
}

ForkWalk::Setup SetupOf(const CaptureContext& capture) {
  ForkWalk::Setup setup;
  setup.socket = ConnectForChild(capture, &setup.frames_sent);
  setup.deadline_ms = capture.options.client_deadline_ms;
  if (setup.deadline_ms == 0) setup.deadline_ms = ClientChannel::kDefaultDeadlineMs;
  setup.group = capture.plan.budget.tightest_group;
  setup.least_memory = kRoomForTheApplication;
  return setup;
}

// Without random numbers there is no salt, and without a salt nothing is hashed.
void PlanContents(CaptureContext& capture) {
  ContentPlan& plan = capture.contents;
  const protocol::StringCapture strings = capture.options.strings;
  plan.hashes = strings != protocol::StringCapture::kNone && ReadContentSalt(&plan.salt);
  plan.texts = strings == protocol::StringCapture::kAll;
  plan.values = capture.options.values != 0;
  capture.layout.contents = &plan;
}

}  // namespace

protocol::Hello Greeting(const CaptureContext& capture, bool of_child) {
  protocol::Hello hello;
  std::memcpy(hello.nonce, capture.options.nonce, sizeof hello.nonce);
  hello.pid = getpid();
  hello.runtime_version = capture.runtime.version;
  hello.pointer_size = sizeof(void*);
  hello.address_shift = static_cast<uint8_t>(NativeLayout(capture.runtime.major).address_shift);
  hello.server_gc = capture.runtime.server_gc;
  hello.of_child = of_child;
  return hello;
}

// Their types must be asked about in the pause. One that appears after this look stays without a name.
bool HasCollectibleModules(abi::ICorProfilerInfo10* info) {
  abi::ComPtr<abi::ICorProfilerModuleEnum> modules;
  if (!abi::Succeeded(info->EnumModules(modules.Out()))) return true;
  abi::ModuleID module = 0;
  uint32_t got = 0;
  while (modules->Next(1, &module, &got) == abi::kOk && got == 1) {
    uint32_t flags = 0;
    const bool known = abi::Succeeded(info->GetModuleInfo2(module, nullptr, 0, nullptr, nullptr, nullptr, &flags));
    if (!known || (flags & abi::kModuleCollectible) != 0) return true;
  }
  return false;
}

const Refusal* SetUpWalks(CaptureContext& capture) {
  WalkMemories& memories = *capture.memories;
  PlanContents(capture);
  capture.pause_walk = std::make_unique<PauseWalk>(capture.layout, memories.spools);
  capture.pause_walk->Prepare(ChildMemory::kMostRanges);
  if (capture.runtime.server_gc) capture.gc_threads.Find();
  const bool only_fork = capture.options.method == protocol::WalkMethod::kFork;
  if (memories.child == nullptr) return only_fork ? &kForkMemory : nullptr;
  if (capture.options.method == protocol::WalkMethod::kPause) return nullptr;
  const ForkWalk::Setup setup = SetupOf(capture);
  if (setup.socket < 0) return only_fork ? &kForkFailed : nullptr;
  capture.fork_walk = std::make_unique<ForkWalk>(capture.layout, *memories.child, setup);
  capture.has_collectible_types = HasCollectibleModules(capture.runtime.info.Get());
  if (capture.has_collectible_types) capture.contexts.LearnModules(capture.runtime.info.Get());
  return nullptr;
}

}  // namespace cairn::collector
