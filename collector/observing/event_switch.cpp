#include "collector/observing/event_switch.h"

#include "collector/capture/native_thread.h"

namespace cairn::collector {

namespace {

constexpr size_t kStackBytes = 256u << 10;

}  // namespace

const Refusal* EventSwitch::Start(abi::ICorProfilerInfo12* info, const std::vector<ObservedProvider>& providers) {
  info_ = info;
  configs_.clear();
  for (const ObservedProvider& provider : providers)
    configs_.push_back({provider.name, provider.keywords, static_cast<uint32_t>(provider.level), nullptr});
  Become(State::kOpening);
  const bool started = StartThread(kSwitchThread, kStackBytes, Enter, this);
  if (started && WaitWhile(State::kOpening) == State::kOpen) return nullptr;
  Become(State::kNone);
  return started ? &kObserveRefused : &kNoThread;
}

void EventSwitch::Stop() {
  if (WaitWhile(State::kOpening) != State::kOpen) return;
  Become(State::kClosing);
  WaitWhile(State::kClosing);
}

void EventSwitch::Enter(void* self) { static_cast<EventSwitch*>(self)->Serve(); }

void EventSwitch::Serve() {
  abi::EventPipeSession session = 0;
  const auto count = static_cast<uint32_t>(configs_.size());
  const abi::HRESULT opened = info_->EventPipeStartSession(count, configs_.data(), 0, &session);
  Become(abi::Failed(opened) ? State::kRefused : State::kOpen);
  if (abi::Failed(opened)) return;
  WaitWhile(State::kOpen);
  info_->EventPipeStopSession(session);
  Become(State::kNone);
}

void EventSwitch::Become(State state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  changed_.notify_all();
}

EventSwitch::State EventSwitch::WaitWhile(State state) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return state_ != state; });
  return state_;
}

}  // namespace cairn::collector
