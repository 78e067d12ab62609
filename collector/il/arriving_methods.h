#pragma once
// The methods of a process that is traced from its start: found in each module as it is loaded, before anything of it
// is compiled, and written when the runtime asks for their bodies.
// Thread rule: Add, Refuse and Body from callbacks, many at once; the rest on the observation's thread. A lock is held
// only while metadata is read and written, never while the runtime is told to compile anew: whoever does that may wait
// for threads that wait for the lock.

#include <mutex>
#include <string>
#include <vector>

#include "collector/il/method_plan.h"
#include "collector/protocol/method_observation.h"

namespace cairn::collector::il {

class ArrivingMethods {
 public:
  ArrivingMethods(MethodPlan& plan, const protocol::MethodWishes& wishes) : plan_(plan), wishes_(wishes) {}

  // Before the first module comes.
  void Begin(const CallTarget& target) { target_ = target; }

  // Those of a module that are to be compiled anew.
  MethodRows Add(abi::ModuleID module);
  // The runtime does not do it.
  void Refuse(const MethodRows& rows);
  // What to compile. Empty: what it was.
  std::vector<uint8_t> Body(abi::ModuleID module, abi::mdMethodDef method);

  // What was not told yet: methods that came, and those that are left alone after all, again.
  std::vector<protocol::TracedMethod> Untold();
  size_t Matched() const;
  // All that are compiled anew. Once no callback comes any more.
  MethodRows& Rows() { return rows_; }

 private:
  MethodPlan& plan_;
  const protocol::MethodWishes& wishes_;
  CallTarget target_;
  mutable std::mutex mutex_;
  MethodRows rows_;
  size_t told_ = 0;
  std::vector<size_t> corrected_;
};

}  // namespace cairn::collector::il
