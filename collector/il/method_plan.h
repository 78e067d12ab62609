#pragma once
// Which methods a trace rewrites, and the bytes that the runtime is given for each when it compiles it anew.
// Life: Choose (nothing is changed), Write (metadata is added), then read only. Thread rule: both on the observation's
// thread; BytesOf from any thread afterwards. In a process that is traced from its start: Add for each module, WriteNow
// for each method, from any thread, one at a time.

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

// What is compiled anew, side by side; and what became of putting it back.
struct MethodRows {
  std::vector<abi::ModuleID> modules;
  std::vector<abi::mdMethodDef> methods;
  std::vector<abi::HRESULT> results;

  void Reserve(size_t count) {
    modules.reserve(count);
    methods.reserve(count);
    results.reserve(count);
  }
  void Add(abi::ModuleID module, abi::mdMethodDef method) {
    modules.push_back(module);
    methods.push_back(method);
    results.push_back(abi::kOk);
  }
};

// What rewritten methods call, and how they call themselves.
struct CallTarget {
  uint64_t first_key = 0, enter_address = 0, leave_address = 0;
};

class MethodPlan {
 public:
  explicit MethodPlan(abi::ICorProfilerInfo10* info) : info_(info), finder_(info) {}

  // Finds all and tries the first `most` of them on paper.
  void Choose(const std::vector<std::string>& patterns, size_t most);
  // The key of a method is `first_key` and its index.
  void Write(const CallTarget& target);
  // Adds those of a module that is being loaded, up to `most` of all modules, and returns the index of the first.
  size_t Add(abi::ModuleID module, const std::vector<std::string>& patterns, size_t most);
  // The index of one that is to be rewritten; kNone: it is not.
  static constexpr size_t kNone = SIZE_MAX;
  size_t IndexOf(abi::ModuleID module, abi::mdMethodDef method) const;
  // Writes one that was added, when the runtime asks for it: what names the framework's types was not loaded before.
  // False: `not_traced` says why.
  bool WriteNow(size_t index, const CallTarget& target);
  void LeaveAlone(size_t index, std::string why) { methods_[index].not_traced = std::move(why); }

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
  void Take(std::vector<FoundMethod> found);
  Fault Try(const FoundMethod& method);
  // Tokens of one module.
  struct Edit {
    abi::ModuleID module = 0;
    ModuleEditor editor;
    Wrapping wrapping;  // without an enter_signature: nothing can be written there
  };
  std::unique_ptr<Edit> Open(abi::ModuleID module, const CallTarget& target) const;
  Fault WriteIn(Edit& edit, size_t index, const CallTarget& target);
  Fault WriteOne(ModuleEditor& editor, const Wrapping& wrapping, PlannedMethod& planned);

  abi::ICorProfilerInfo10* info_;
  MethodFinder finder_;
  std::vector<PlannedMethod> methods_;
  std::map<std::pair<abi::ModuleID, abi::mdMethodDef>, size_t> index_;
};

}  // namespace cairn::collector::il
