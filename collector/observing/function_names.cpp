#include "collector/observing/function_names.h"

#include <array>
#include <cstring>

#include "collector/capture/clock.h"
#include "collector/capture/unload_gate.h"
#include "collector/roots/com_roots.h"
#include "collector/types/com_runtime.h"
#include "collector/types/file_name.h"
#include "collector/types/type_namer.h"

namespace cairn::collector {

namespace {

constexpr size_t kSlots = 1u << 16;  // a power of two
constexpr size_t kLongestProbe = 64;
constexpr size_t kRingBytes = 4u << 20;
constexpr size_t kNameBytes = 512;
constexpr int kPublishTries = 100;
// So many names are kept, about 100 bytes each; whatever else is seen later has none.
constexpr uint32_t kMostSerials = 1u << 18;

// What stands in a slot instead of a FunctionID, which is an aligned address.
constexpr uint64_t kFree = 0, kForgotten = 1, kBeingFilled = 2;

struct Sighted {
  uint64_t function;
  uint32_t serial;
  uint32_t may_go;  // its name follows
};

const std::string kUnknown = "(unknown)";
const std::string kNoModule;

}  // namespace

struct FunctionNames::Slot {
  std::atomic<uint64_t> function;
  std::atomic<uint32_t> serial;
  std::atomic<uint32_t> may_go;
};

struct FunctionNames::State {
  struct Entry {
    FunctionId function = 0;
    bool is_named = false;
    std::string name, module;
  };

  explicit State(abi::ICorProfilerInfo10* info)
      : roots(info),
        runtime(info),
        modules(runtime.Metadata()),
        types(runtime.Metadata(), runtime.Classes(), modules, problems) {}
  ~State() {
    if (slots != nullptr) pages::Unmap(reinterpret_cast<uint8_t*>(slots), kSlots * sizeof(Slot));
  }

  bool Map() {
    slots = reinterpret_cast<Slot*>(pages::Map(kSlots * sizeof(Slot)));
    return slots != nullptr && ring.Map(kRingBytes);
  }
  static size_t Home(uint64_t function) { return (function * 0x9E3779B97F4A7C15) >> 48; }
  uint32_t Find(uint64_t function) const;
  void Keep(uint64_t function, uint32_t serial, bool may_go);
  void ForgetSlot(Slot& slot);
  void NameOrdinary(Entry& entry);

  ComRoots roots;
  ComRuntime runtime;
  ModuleTable modules;
  ProblemList problems;
  TypeNamer types;
  UnloadGate gate;  // naming looks at all modules
  Slot* slots = nullptr;
  JournalRing ring;
  std::atomic<uint32_t> next{1};
  std::deque<Entry> entries{1};
};

FunctionNames::FunctionNames() = default;
FunctionNames::~FunctionNames() = default;

bool FunctionNames::Open(abi::ICorProfilerInfo10* info) {
  state_ = std::make_unique<State>(info);
  return state_->Map();
}

// ---- callbacks -------------------------------------------------------------------------------------

// Another may get the slot at any moment: then its serial is seen only after the function has changed.
uint32_t FunctionNames::State::Find(uint64_t function) const {
  for (size_t i = 0; i < kLongestProbe; ++i) {
    const Slot& slot = slots[(Home(function) + i) % kSlots];
    const uint64_t there = slot.function.load(std::memory_order_acquire);
    if (there == kFree) return 0;
    if (there != function) continue;
    const uint32_t serial = slot.serial.load(std::memory_order_acquire);
    if (slot.function.load(std::memory_order_relaxed) == function) return serial;
  }
  return 0;
}

// Two threads may keep the same function in two slots, which costs a name and nothing else.
void FunctionNames::State::Keep(uint64_t function, uint32_t serial, bool may_go) {
  for (size_t i = 0; i < kLongestProbe; ++i) {
    Slot& slot = slots[(Home(function) + i) % kSlots];
    uint64_t there = slot.function.load(std::memory_order_relaxed);
    if (there > kForgotten || !slot.function.compare_exchange_strong(there, kBeingFilled)) continue;
    slot.serial.store(serial, std::memory_order_release);
    slot.may_go.store(may_go ? 1 : 0, std::memory_order_relaxed);
    slot.function.store(function, std::memory_order_release);
    return;
  }
}

// The name is in the ring before anybody can learn the serial.
uint32_t FunctionNames::Sight(abi::FunctionID function) {
  if (function <= kBeingFilled) return 0;
  if (const uint32_t known = state_->Find(function)) return known;
  if (state_->next.load(std::memory_order_relaxed) >= kMostSerials) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  char name[kNameBytes];
  const size_t size = state_->roots.Functions().UnsafeName(function, name, sizeof name);
  const Sighted sighted{function, state_->next.fetch_add(1), size != 0 ? 1u : 0u};
  const std::span head(reinterpret_cast<const uint8_t*>(&sighted), sizeof sighted);
  if (!state_->ring.Write(head, {reinterpret_cast<const uint8_t*>(name), size}, 0)) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  state_->Keep(function, sighted.serial, size != 0);
  return sighted.serial;
}

void FunctionNames::State::ForgetSlot(Slot& slot) {
  uint64_t there = slot.function.load(std::memory_order_acquire);
  if (there > kBeingFilled && slot.may_go.load(std::memory_order_relaxed) != 0)
    slot.function.compare_exchange_strong(there, kForgotten);
}

// Code over types of this module may belong to methods of any other: all that may go is forgotten, and seen anew.
void FunctionNames::Forget(abi::ModuleID) {
  if (!state_ || state_->slots == nullptr) return;
  for (size_t i = 0; i < kSlots; ++i) state_->ForgetSlot(state_->slots[i]);
  state_->gate.Pass();
}

void FunctionNames::ForgetMethod(abi::FunctionID function) {
  if (!state_ || state_->slots == nullptr) return;
  for (size_t i = 0; i < kLongestProbe; ++i) {
    Slot& slot = state_->slots[(State::Home(function) + i) % kSlots];
    const uint64_t there = slot.function.load(std::memory_order_relaxed);
    if (there == function) state_->ForgetSlot(slot);
    if (there == kFree) return;
  }
}

// ---- the observation's thread ----------------------------------------------------------------------

void FunctionNames::Take() {
  for (auto record = state_->ring.Next(); !record.empty(); record = state_->ring.Next()) {
    Sighted sighted;
    std::memcpy(&sighted, record.data(), sizeof sighted);
    if (sighted.serial >= state_->entries.size()) state_->entries.resize(sighted.serial + 1);
    State::Entry& entry = state_->entries[sighted.serial];
    entry.function = sighted.function;
    entry.is_named = sighted.may_go != 0;
    const auto text = record.subspan(sizeof sighted);
    entry.name.assign(reinterpret_cast<const char*>(text.data()), text.size());
    state_->ring.Pop();
  }
}

// Not collectible, so that it cannot go.
void FunctionNames::State::NameOrdinary(Entry& entry) {
  const UnloadGate::Hold hold(gate);
  entry.is_named = true;
  entry.name = kUnknown;
  FunctionRow function;
  MethodRow method;
  if (!roots.Functions().Function(entry.function, &function)) return;
  ModuleRow module;
  if (runtime.Metadata().Module(function.module, &module)) entry.module = FileNameOf(module.path);
  if (!runtime.Metadata().Method(function.module, function.method, &method)) return;
  entry.name =
      function.class_id != 0 ? types.ClassName(function.class_id) : types.DefinitionName(function.module, method.owner);
  entry.name += "." + method.name;
  for (size_t i = 0; i < function.arguments.size(); ++i)
    entry.name += (i == 0 ? "<" : ", ") + types.ClassName(function.arguments[i]);
  if (!function.arguments.empty()) entry.name += ">";
}

// A serial was given only after its name was in the ring; behind one that is still being written it may come late.
const std::string& FunctionNames::Name(uint32_t serial) {
  auto& entries = state_->entries;
  for (int i = 0; i < kPublishTries && (serial >= entries.size() || entries[serial].function == 0); ++i) {
    if (serial == 0) return kUnknown;
    if (i > 0) SleepMs(1);
    Take();
  }
  if (serial >= entries.size() || entries[serial].function == 0) return kUnknown;
  if (!entries[serial].is_named) state_->NameOrdinary(entries[serial]);
  return entries[serial].name;
}

const std::string& FunctionNames::Module(uint32_t serial) {
  Name(serial);
  return serial < state_->entries.size() ? state_->entries[serial].module : kNoModule;
}

}  // namespace cairn::collector
