#pragma once
// Which methods a trace rewrites, and the bytes that the runtime is given for each when it compiles it anew.
// Life: Choose (nothing is changed), Write (metadata is added), then read only. Thread rule: both on the observation's
// thread; BytesOf from any thread afterwards.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collector/il/method_finder.h"
#include "collector/il/module_editor.h"

namespace cairn::collector::il {

struct PlannedMethod {
  FoundMethod method;
  std::string not_traced;  // why it is left alone; empty: it is rewritten
  std::vector<uint8_t> bytes;
};

class MethodPlan {
 public:
  explicit MethodPlan(abi::ICorProfilerInfo10* info) : info_(info), finder_(info) {}

  // Finds all and tries the first `most` of them on paper.
  void Choose(const std::vector<std::string>& patterns, size_t most);
  // The key of a method is `first_key` and its index.
  void Write(uint64_t first_key, uint64_t enter_address, uint64_t leave_address);

  const std::vector<PlannedMethod>& Methods() const { return methods_; }
  size_t Matched() const { return finder_.Matched(); }
  size_t TracedCount() const;
  // The process has load contexts that can be unloaded.
  bool SawCollectible() const { return finder_.SawCollectible(); }
  const std::vector<uint8_t>* BytesOf(abi::ModuleID module, abi::mdMethodDef method) const;

 private:
  struct Original {
    MethodBody body;
    std::vector<uint8_t> signature, locals;  // copies: adding to the metadata may move it
  };

  Fault Read(ModuleSignatures& signatures, const FoundMethod& method, Original& original) const;
  Fault Try(const FoundMethod& method);
  Fault WriteOne(ModuleEditor& editor, const Wrapping& wrapping, PlannedMethod& planned);

  abi::ICorProfilerInfo10* info_;
  MethodFinder finder_;
  std::vector<PlannedMethod> methods_;
  std::map<std::pair<abi::ModuleID, abi::mdMethodDef>, size_t> index_;
};

}  // namespace cairn::collector::il
