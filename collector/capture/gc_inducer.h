#pragma once
// Has a young collection made, which the profiling API cannot: through the hosting interface of the runtime,
// which reaches a method of the base library that takes a generation. A single-file application does not
// export that interface.

#include <cstdint>

#include "collector/abi/com.h"

namespace cairn::collector {

class GcInducer {
 public:
  virtual ~GcInducer() = default;

  // Outside callbacks and collections, on the thread that is to collect: it becomes a managed thread for the
  // runtime. False: not available in this process.
  virtual bool Prepare() = 0;
  // After Prepare, on the same thread. Returns when the collection is over; the runtime may have made it an
  // older one, or none where the application has forbidden collections.
  virtual void CollectGeneration0() = 0;
};

class HostedGcInducer : public GcInducer {
 public:
  bool Prepare() override;
  void CollectGeneration0() override;

 private:
  // The third argument came with .NET 10; earlier ones do not look at it.
  using CollectMethod = void(CAIRN_STDCALL*)(int32_t generation, int32_t mode, int32_t low_memory_pressure);
  CollectMethod collect_ = nullptr;
};

}  // namespace cairn::collector
