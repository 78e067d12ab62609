#pragma once
// The event log's half in the target. Each group of events comes from one source: threads from callbacks, which know
// their names, all the rest from the runtime's events, whose payloads bring names of what may be gone a moment later.
// Thread rule and ownership: as Observer.

#include <cstdint>
#include <map>
#include <string>

#include "collector/events/event_list.h"
#include "collector/events/event_record.h"
#include "collector/observing/function_names.h"
#include "collector/observing/observer.h"
#include "collector/observing/record_rings.h"

namespace cairn::collector {

class EventObserver final : public Observer {
 public:
  ~EventObserver() override { rings_.Unmap(); }
  const Refusal* Start(const ObserverContext& context, std::span<const uint8_t> wishes) override;
  ObserverNeeds Needs() const override;
  bool Drain(ObservationSink& sink) override;

  void OnEvent(const ObservedEvent& event) override;
  void OnThreadCreated(abi::ThreadID thread) override { NoteThread(kThreadCreated, thread, 0, {}); }
  void OnThreadDestroyed(abi::ThreadID thread) override { NoteThread(kThreadDestroyed, thread, 0, {}); }
  void OnThreadAssigned(abi::ThreadID thread, uint32_t os_id) override {
    NoteThread(kThreadAssigned, thread, os_id, {});
  }
  void OnThreadNamed(abi::ThreadID thread, std::span<const abi::WChar> name) override;
  void OnModuleUnloadStarted(abi::ModuleID module) override { names_.Forget(module); }
  void OnDynamicMethodUnloaded(abi::FunctionID function) override { names_.ForgetMethod(function); }

 private:
  struct KnownThread {
    uint32_t os_id = 0, managed_id = 0;
    std::string name;
  };
  // Of the observation's thread.
  struct Knowledge {
    std::map<uint64_t, KnownThread> threads;       // by ThreadID
    std::map<uint32_t, uint64_t> by_os_id;         // → ThreadID
    std::map<uint32_t, std::string> system_names;  // of threads that the runtime said nothing of
    std::map<uint64_t, std::string> modules;       // file names, by ModuleID
  };

  bool Wants(EventGroup group) const { return (groups_ >> static_cast<uint32_t>(group) & 1) != 0; }
  uint32_t MethodOnTop();
  size_t TextFor(const ObservedEvent& event, char* text, size_t capacity);
  void NoteThread(uint16_t what, abi::ThreadID thread, uint32_t os_id, std::span<const uint8_t> name);

  bool Log(const ObservedRecord& record, std::span<const uint8_t> bytes, ObservationSink& sink);
  bool DecodeCallback(const ObservedRecord& record, const EventParts& parts, protocol::LoggedEvent* event);
  void Learn(uint16_t id, const EventParts& parts, const protocol::LoggedEvent& event);
  void NameModule(uint16_t id, const EventParts& parts, protocol::LoggedEvent* event);
  bool IsOurs(uint32_t os_thread);
  const std::string& SystemName(uint32_t os_thread);
  void NameThread(protocol::LoggedEvent* event);
  void Forget(uint64_t thread, uint32_t os_id);
  bool TellLost(ObservationSink& sink);

  abi::ICorProfilerInfo10* info_ = nullptr;
  uint32_t groups_ = 0;
  RecordRings rings_;
  FunctionNames names_;
  Knowledge known_;
};

}  // namespace cairn::collector
