#include "collector/capture/event_masks.h"

#include <utility>

namespace cairn::collector {

namespace {

// Of modules only their unloading is of interest: see UnloadGate.
constexpr uint32_t kLowMask = abi::kMonitorSuspends | abi::kMonitorModuleLoads | abi::kEnableStackSnapshot;

// .NET Core 3.1 refuses a mask that names events which it does not have.
uint32_t HighMask(abi::ICorProfilerInfo5& info) {
  const bool has_events = static_cast<bool>(abi::ComPtr<abi::ICorProfilerInfo12>::From(&info));
  return abi::kHighBasicGc | (has_events ? abi::kHighMonitorEventPipe : 0);
}

}  // namespace

EventMasks::Bits EventMasks::OfCapture(abi::ICorProfilerInfo5& info, uint32_t also) {
  return {kLowMask | also, HighMask(info)};
}

abi::HRESULT EventMasks::SetFirst(abi::ICorProfilerInfo5& info) {
  return Set(info, capture_, OfCapture(info, abi::kMonitorGc));
}

abi::HRESULT EventMasks::SetMonitorGc(abi::ICorProfilerInfo5& info, bool on) {
  return Set(info, capture_, OfCapture(info, on ? abi::kMonitorGc : 0));
}

abi::HRESULT EventMasks::SetThreadCallbacks(abi::ICorProfilerInfo5& info, bool on) {
  return Set(info, capture_, OfCapture(info, on ? abi::kMonitorThreads : 0));
}

abi::HRESULT EventMasks::EndCapture(abi::ICorProfilerInfo5& info) { return Set(info, capture_, {}); }

abi::HRESULT EventMasks::Keep(abi::ICorProfilerInfo5& info, uint32_t low, uint32_t high) {
  return Set(info, kept_, {low, high});
}

abi::HRESULT EventMasks::KeepAsCapture(abi::ICorProfilerInfo5& info) { return Set(info, kept_, OfCapture(info, 0)); }

abi::HRESULT EventMasks::Clear(abi::ICorProfilerInfo5& info) {
  const std::lock_guard lock(mutex_);
  capture_ = kept_ = {};
  return info.SetEventMask2(fixed_, abi::kHighMonitorNone);
}

void EventMasks::Forget() {
  const std::lock_guard lock(mutex_);
  capture_ = kept_ = {};
  fixed_ = 0;
}

// What the runtime refused it has not.
abi::HRESULT EventMasks::Set(abi::ICorProfilerInfo5& info, Bits& part, Bits wanted) {
  const std::lock_guard lock(mutex_);
  const Bits before = std::exchange(part, wanted);
  const uint32_t low = capture_.low | kept_.low | fixed_;
  const abi::HRESULT result = info.SetEventMask2(low, capture_.high | kept_.high);
  if (abi::Failed(result))
    part = before;
  else
    fixed_ = low & abi::kMonitorImmutable;
  return result;
}

}  // namespace cairn::collector
