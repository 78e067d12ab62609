#pragma once
// A runtime made of a table of functions: every slot of ICorProfilerInfo15 answers E_NOTIMPL until a test
// puts a function there. Slot numbers are those that tests/collector/abi pins.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collector/abi/profiler_info.h"

namespace cairn::collector {

inline constexpr size_t kInfoSlots = 115;

// What an interface pointer points to: the address of the table comes first.
struct FakeInterface {
  using Slot = void (*)();
  Slot* table = slots;
  Slot slots[kInfoSlots];
};

class FakeRuntime : private FakeInterface {
 public:
  FakeRuntime();
  FakeRuntime(const FakeRuntime&) = delete;
  FakeRuntime& operator=(const FakeRuntime&) = delete;

  template <class Info = abi::ICorProfilerInfo15>
  Info* As() {
    return reinterpret_cast<Info*>(static_cast<FakeInterface*>(this));
  }

  // ---- what it answers ----
  abi::HRESULT mask_answer = abi::kOk;
  abi::HRESULT force_answer = abi::kOk;
  abi::HRESULT detach_answer = abi::kOk;
  unsigned highest_info = 15;  // QueryInterface refuses what is above
  std::vector<abi::GcGenerationRange> ranges;
  std::vector<abi::NonGcHeapRange> frozen;
  struct Module {
    abi::ModuleID id = 0;
    std::u16string path;
    uint32_t flags = 0;
  };
  std::vector<Module> modules;          // loaded ones; without metadata
  std::vector<abi::FunctionID> frames;  // of every thread, innermost first; none: its stack is refused
  std::function<size_t(abi::ObjectID)> size_of = [](abi::ObjectID) { return size_t{24}; };
  std::function<void()> on_force;  // inside ForceGC: the callbacks of a collection
  std::function<void()> on_detach_request;
  std::function<void()> on_suspend;  // inside SuspendRuntime: its callback

  // ---- what it was asked ----
  std::vector<uint32_t> low_masks, high_masks;
  int references = 0, sessions_started = 0, sessions_stopped = 0, forced = 0, detaches = 0, suspended = 0, resumed = 0;
  std::vector<uint64_t> handles_made;
  int handles_destroyed = 0;
  std::vector<abi::ModuleID> metadata_asked;

  // Objects that report a LoaderAllocator, by address.
  std::vector<std::pair<uint64_t, uint64_t>> loader_allocators;

 private:
  template <class Function>
  void Put(size_t slot, Function* function) {
    slots[slot] = reinterpret_cast<Slot>(function);
  }
  void PutAttachSlots();
  void PutHeapSlots();
  void PutModuleSlots();
  void PutAllocationSlots();

  // One at a time.
  struct ModuleList : FakeInterface {
    const std::vector<Module>* modules = nullptr;
    size_t next = 0;
  } module_list_;

  static FakeRuntime& Of(void* self) { return *static_cast<FakeRuntime*>(static_cast<FakeInterface*>(self)); }
};

}  // namespace cairn::collector
