#pragma once
// ThreadStaticSource over the profiling API. Thread rule: one thread at a time.

#include "collector/abi/ids.h"
#include "collector/roots/thread_static_recorder.h"

namespace cairn::collector {

namespace abi {
class ICorProfilerInfo10;
}

class ComThreadStatics final : public ThreadStaticSource {
 public:
  // `info` is observed and must outlive this object.
  explicit ComThreadStatics(abi::ICorProfilerInfo10* info) : info_(info) {}

  bool CanAskInPause() override;
  bool IsThreadStatic(ClassId id, Token field) override;
  size_t ThreadsInPause(std::span<PausedThread> threads) override;
  bool AddressInThread(ClassId id, Token field, uint64_t thread, uint64_t* address) override;

 private:
  bool FindAppDomain();

  abi::ICorProfilerInfo10* info_;
  abi::AppDomainID app_domain_ = 0;
};

}  // namespace cairn::collector
