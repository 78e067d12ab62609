#pragma once
// Names of types that callbacks meet (collector/observing/sighted_names.h says why not by their IDs).
// Thread rule: that of SightedNames.

#include <memory>

#include "collector/abi/profiler_info.h"
#include "collector/observing/sighted_names.h"

namespace cairn::collector {

class ClassNames final : public SightedNames {
 public:
  ClassNames();
  ~ClassNames() override;

  // `info` is observed. False: no memory.
  bool Open(abi::ICorProfilerInfo10* info);

 private:
  struct Tools;

  size_t NameOfUnsafe(uint64_t id, char* name, size_t capacity) override;
  void NameOrdinary(Entry& entry) override;
  std::string Readable(std::string name) const override;

  std::unique_ptr<Tools> tools_;
};

}  // namespace cairn::collector
