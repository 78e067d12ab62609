#include "collector/roots/com_thread_statics.h"

#include "collector/abi/enumerators.h"
#include "collector/abi/masks.h"
#include "collector/abi/profiler_info.h"

namespace cairn::collector {

// There is one AppDomain in a process; any thread of the runtime knows it.
bool ComThreadStatics::FindAppDomain() {
  abi::ComPtr<abi::ICorProfilerThreadEnum> threads;
  if (abi::Failed(info_->EnumThreads(threads.Out())) || !threads) return false;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; app_domain_ == 0 && abi::Succeeded(threads->Next(1, &thread, &fetched)) && fetched == 1;) {
    if (abi::Failed(info_->GetThreadAppDomain(thread, &app_domain_))) app_domain_ = 0;
  }
  return app_domain_ != 0;
}

// The first patches of .NET 9.0 take a lock to list threads that the pause itself holds.
bool ComThreadStatics::CanAskInPause() {
  constexpr uint16_t kMajor = 9, kFirstPatch = 3;
  uint16_t instance = 0, major = 0, minor = 0, patch = 0, fix = 0;
  abi::RuntimeType type{};
  abi::WChar text[64];  // .NET Core 3.1 wants one
  uint32_t length = 0;
  if (abi::Failed(info_->GetRuntimeInformation(&instance, &type, &major, &minor, &patch, &fix, 64, &length, text))) {
    return false;
  }
  return (major != kMajor || minor != 0 || patch >= kFirstPatch) && FindAppDomain();
}

bool ComThreadStatics::IsThreadStatic(ClassId id, Token field) {
  uint32_t kind = 0;
  return abi::Succeeded(info_->GetStaticFieldInfo(id, field, &kind)) && kind == abi::kFieldThreadStatic;
}

size_t ComThreadStatics::ThreadsInPause(std::span<PausedThread> threads) {
  abi::ComPtr<abi::ICorProfilerThreadEnum> list;
  if (abi::Failed(info_->EnumThreads(list.Out())) || !list) return 0;
  size_t count = 0;
  abi::ThreadID thread = 0;
  for (uint32_t fetched = 0; abi::Succeeded(list->Next(1, &thread, &fetched)) && fetched == 1;) {
    PausedThread found{thread, 0};
    if (count == threads.size()) break;
    if (abi::Succeeded(info_->GetThreadInfo(thread, &found.os_id)) && found.os_id != 0) threads[count++] = found;
  }
  return count;
}

bool ComThreadStatics::AddressInThread(ClassId id, Token field, uint64_t thread, uint64_t* address) {
  void* slot = nullptr;
  const auto asked = static_cast<abi::ThreadID>(thread);
  if (abi::Failed(info_->GetThreadStaticAddress2(id, field, app_domain_, asked, &slot))) return false;
  *address = reinterpret_cast<uintptr_t>(slot);
  return slot != nullptr;
}

}  // namespace cairn::collector
