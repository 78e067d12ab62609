#pragma once
// Names of methods that callbacks meet (sighted_names.h says why not by their IDs).
//
//   const uint32_t serial = names_.Sight(function);     // callback: about 10 ns, 1 to 15 us at the first time
//   names_.Forget(module);                              // OnModuleUnloadStarted
//   names_.ForgetMethod(function);                      // OnDynamicMethodUnloaded
//   names_.Take();                                      // own thread: at the beginning of Drain, and before each
//                                                       // record whose serial Name does not know yet
//   const std::string& name = names_.Name(serial);      // own thread, after Take
//
// Thread rule: Sight, Forget from any callbacks at once: no lock, no wait, no allocation of ours. The rest from the
// observation's thread.

#include <cstdint>
#include <memory>
#include <string>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

class FunctionNames {
 public:
  FunctionNames();
  ~FunctionNames();
  FunctionNames(const FunctionNames&) = delete;
  FunctionNames& operator=(const FunctionNames&) = delete;

  // `info` is observed. False: no memory.
  bool Open(abi::ICorProfilerInfo10* info);

  // ---- callbacks ----

  // Call-site rule: the method is on the calling thread's stack, or is otherwise known to live during the call. 0: no
  // room for another, counted.
  uint32_t Sight(abi::FunctionID function);
  void Forget(abi::ModuleID module);
  void ForgetMethod(abi::FunctionID function);

  // ---- the observation's thread ----

  // Learns the serials that were given until now.
  void Take();
  // "Shop.Cache<System.String>.Get"; "(unknown)" for 0 and for what the runtime does not name.
  const std::string& Name(uint32_t serial);
  // File name of the module that defines it, "Shop.dll"; empty for dynamic methods.
  const std::string& Module(uint32_t serial);
  uint64_t NotNamed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::collector
