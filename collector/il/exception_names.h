#pragma once
// Types of exceptions that methods are left by, from ClassID to a number and a name. The ClassID of a type whose load
// context is gone crashes the runtime when asked about: so unloading waits while one is asked about, and what was
// thrown before an unloading began and is not known by then is never asked about.
// Thread rule: NumberOf on the observation's thread; the other two from callbacks, which wait for one name at most, a
// few microseconds mostly; the runtime is in preemptive mode there.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {
struct LiveTypes;
}

namespace cairn::collector::il {

class ExceptionNames {
 public:
  explicit ExceptionNames(abi::ICorProfilerInfo10* info);
  ~ExceptionNames();

  // `exception` as a rewritten method tells it, at `time_ns`. `tell` gets each new number and name once.
  using Teller = std::function<bool(uint32_t number, const std::string& type)>;
  bool NumberOf(uint64_t exception, uint64_t time_ns, const Teller& tell, uint32_t& number);
  void OnModuleUnload();
  // The runtime is asked nothing any more.
  void OnShutdown();

 private:
  bool Learn(uint64_t exception, uint64_t time_ns, std::string& name, uint32_t& number);
  std::string Name(uint64_t exception, uint64_t time_ns);

  abi::ICorProfilerInfo10* info_;
  std::unique_ptr<LiveTypes> namer_;
  std::unordered_map<uint64_t, uint32_t> by_class_;
  std::unordered_map<std::string, uint32_t> by_name_;
  std::mutex gate_;
  bool stale_ = false;  // IDs may have been given anew
  uint64_t last_unload_ns_ = 0;
};

}  // namespace cairn::collector::il
