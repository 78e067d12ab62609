#pragma once
// The half of `cairn ids` in the target: asks the runtime what it knows of its own IDs, once, and is done.
//
// The runtime crashes when asked about an ID that is gone or never was, so nothing is asked about an ID that it has not
// just given itself: an ID that the user names is looked for among those. Load contexts that go meanwhile wait for the
// few questions under way. Of load contexts that can go only the modules are told, since one may be on its
// way out already as the questions begin; generic methods and dynamic ones are left out for the same reason.
// Thread rule and ownership: as Observer.

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collector/capture/unload_gate.h"
#include "collector/observing/observer.h"
#include "collector/protocol/id_observation.h"
#include "collector/roots/com_roots.h"
#include "collector/types/live_types.h"

namespace cairn::collector {

class IdObserver final : public Observer {
 public:
  const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) override;
  ObserverNeeds Needs() const override { return {}; }
  bool Drain(ObservationSink& sink) override;
  bool IsDone() const override { return done_; }
  void OnModuleUnloadStarted(abi::ModuleID) override {
    ++unloads_;
    gate_.Pass();
  }

 private:
  struct Tools;

  bool Wants(protocol::IdKind kind, uint64_t id) const;
  // What is asked keeps load contexts from going; it is sent when they may go again, since the client may take its
  // time.
  void Ask(const std::function<void()>& questions);
  bool Send(ObservationSink& sink);
  void Note(protocol::IdRow row);
  void NoteThreads();
  bool TellModule(uint64_t module, ObservationSink& sink);
  bool NoteModule(uint64_t module, std::string& file);
  void NoteAssembly(uint64_t module, uint64_t assembly);
  bool TellMethods(uint64_t module, const std::string& file, ObservationSink& sink);
  void NoteMethods(uint64_t module, Token type, const std::string& file);
  void NoteFunction(uint64_t function, const FunctionRow& row, const std::string& method, const std::string& file);
  void NoteClass(uint64_t id, const std::string& file);
  void NoteFields(uint64_t id, const ClassLayout& layout, protocol::IdRow& row);

  abi::ICorProfilerInfo10* info_ = nullptr;
  protocol::IdWishes wishes_;
  UnloadGate gate_;
  std::atomic<uint64_t> unloads_{0};
  uint64_t known_unloads_ = 0;  // when the tools were made
  std::unique_ptr<Tools> tools_;
  std::vector<protocol::IdRow> rows_;  // to be sent
  std::set<uint64_t> told_;            // classes and assemblies, each once
  bool done_ = false;

 public:
  IdObserver();
  ~IdObserver() override;
};

}  // namespace cairn::collector
