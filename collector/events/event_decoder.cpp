#include "collector/events/event_decoder.h"

#include <iterator>

#include "collector/events/payload_reader.h"
#include "collector/types/file_name.h"

namespace cairn::collector {

namespace {

using protocol::EventValue;
using protocol::EventValueKind;
using protocol::LoggedEvent;

void AddNumber(LoggedEvent* event, const char* key, uint64_t number, EventValueKind kind = EventValueKind::kNumber) {
  event->values.push_back({key, kind, number, 0, {}});
}
void AddText(LoggedEvent* event, const char* key, std::string text) {
  event->values.push_back({key, EventValueKind::kText, 0, 0, std::move(text)});
}
void AddReal(LoggedEvent* event, const char* key, double real) {
  event->values.push_back({key, EventValueKind::kReal, 0, real, {}});
}
void AddFlag(LoggedEvent* event, const char* key, bool flag) { AddNumber(event, key, flag, EventValueKind::kFlag); }

template <size_t N>
std::string Word(const char* const (&words)[N], uint32_t number) {
  return number < N ? words[number] : std::to_string(number);
}

constexpr const char* kGcReasons[] = {"allocation",
                                      "induced",
                                      "low memory",
                                      "empty",
                                      "large object allocation",
                                      "out of space (small)",
                                      "out of space (large)",
                                      "induced, not forced",
                                      "internal",
                                      "induced, low memory",
                                      "induced, compacting",
                                      "low memory, host",
                                      "before a full collection",
                                      "low memory, host, blocking"};
constexpr const char* kGcTypes[] = {"blocking", "background", "foreground"};
constexpr const char* kSuspendReasons[] = {"other",    "gc",       "appdomain shutdown", "code pitching",
                                           "shutdown", "debugger", "gc preparation",     "debugger sweep"};
constexpr const char* kTiers[] = {"unknown", "minimal",    "optimized",    "tier 0",
                                  "tier 1",  "tier 1 OSR", "instrumented", "instrumented, optimized"};
constexpr const char* kAdjustments[] = {"warmup",        "initializing", "random move",
                                        "climbing move", "change point", "stabilizing",
                                        "starvation",    "timed out",    "cooperative blocking"};

void ReadGcStart(PayloadReader& in, LoggedEvent* event) {
  AddNumber(event, "number", in.Next<uint32_t>());
  AddNumber(event, "generation", in.Next<uint32_t>());
  AddText(event, "reason", Word(kGcReasons, in.Next<uint32_t>()));
  AddText(event, "type", Word(kGcTypes, in.Next<uint32_t>()));
}

void ReadGcEnd(PayloadReader& in, LoggedEvent* event) {
  AddNumber(event, "number", in.Next<uint32_t>());
  AddNumber(event, "generation", in.Next<uint32_t>());
}

// Pairs of size and promoted bytes for generations 0 to 3.
void ReadGcHeap(PayloadReader& in, LoggedEvent* event) {
  for (const char* key : {"gen0_bytes", "gen1_bytes", "gen2_bytes", "loh_bytes"}) {
    AddNumber(event, key, in.Next<uint64_t>());
    in.Skip(sizeof(uint64_t));
  }
}

void ReadSuspendBegin(PayloadReader& in, LoggedEvent* event) {
  AddText(event, "reason", Word(kSuspendReasons, in.Next<uint32_t>()));
}

void ReadFinalizers(PayloadReader& in, LoggedEvent* event) { AddNumber(event, "finalized", in.Next<uint32_t>()); }

void ReadPoolWorkers(PayloadReader& in, LoggedEvent* event) { AddNumber(event, "workers", in.Next<uint32_t>()); }

void ReadPoolSample(PayloadReader& in, LoggedEvent* event) { AddReal(event, "throughput", in.Next<double>()); }

void ReadPoolAdjustment(PayloadReader& in, LoggedEvent* event) {
  AddReal(event, "throughput", in.Next<double>());
  AddNumber(event, "workers", in.Next<uint32_t>());
  AddText(event, "reason", Word(kAdjustments, in.Next<uint32_t>()));
}

void ReadTypeLoad(PayloadReader& in, LoggedEvent* event) {
  in.Skip(sizeof(uint32_t) + sizeof(uint16_t));
  AddNumber(event, "level", in.Next<uint16_t>());
  AddNumber(event, "class_id", in.Next<uint64_t>(), EventValueKind::kAddress);
  event->type = in.Text();
}

void ReadException(PayloadReader& in, LoggedEvent* event) {
  event->type = in.Text();
  AddText(event, "message", in.Text());
  in.Skip(sizeof(uint64_t));
  AddNumber(event, "hresult", in.Next<uint32_t>(), EventValueKind::kAddress);
  const auto flags = in.Next<uint16_t>();
  AddFlag(event, "nested", (flags & 2) != 0);
  AddFlag(event, "rethrown", (flags & 4) != 0);
}

void ReadContentionStart(PayloadReader& in, LoggedEvent* event, uint16_t version) {
  in.Skip(sizeof(uint8_t) + sizeof(uint16_t));
  if (version < 2) return;
  AddNumber(event, "lock", in.Next<uint64_t>(), EventValueKind::kAddress);
  AddNumber(event, "object", in.Next<uint64_t>(), EventValueKind::kAddress);
  AddNumber(event, "owner_os_thread", in.Next<uint64_t>());
}

void ReadContentionStop(PayloadReader& in, LoggedEvent* event, uint16_t version) {
  in.Skip(sizeof(uint8_t) + sizeof(uint16_t));
  if (version >= 1) AddReal(event, "waited_us", in.Next<double>() / 1000);
}

void ReadThread(PayloadReader& in, LoggedEvent* event) {
  AddNumber(event, "thread_id", in.Next<uint64_t>(), EventValueKind::kAddress);
  in.Skip(sizeof(uint64_t) + sizeof(uint32_t));
  AddNumber(event, "managed_thread", in.Next<uint32_t>());
  AddNumber(event, "os_thread", in.Next<uint32_t>());
}

// Flags: 0x1 dynamic, 0x8 compiled at run time; the tier in bits 7 to 9.
void ReadMethod(PayloadReader& in, LoggedEvent* event) {
  in.Skip(2 * sizeof(uint64_t));
  AddNumber(event, "code", in.Next<uint64_t>(), EventValueKind::kAddress);
  AddNumber(event, "bytes", in.Next<uint32_t>());
  in.Skip(sizeof(uint32_t));
  const auto flags = in.Next<uint32_t>();
  event->type = in.Text();
  event->name = in.Text();
  AddText(event, "signature", in.Text());
  AddFlag(event, "dynamic", (flags & 1) != 0);
  AddText(event, "tier", Word(kTiers, flags >> 7 & 7));
}

// Flags: 0x2 it has a native image, 0x4 dynamic. An assembly's are others: 0x2 dynamic, 0x4 a native image.
void ReadModule(PayloadReader& in, LoggedEvent* event) {
  in.Skip(2 * sizeof(uint64_t));
  const auto flags = in.Next<uint32_t>();
  in.Skip(sizeof(uint32_t));
  const std::string path = in.Text();
  event->name = event->module = FileNameOf(path);
  AddText(event, "path", path);
  AddFlag(event, "dynamic", (flags & 4) != 0);
}

void ReadAssembly(PayloadReader& in, LoggedEvent* event) {
  in.Skip(3 * sizeof(uint64_t));
  const auto flags = in.Next<uint32_t>();
  const std::string full = in.Text();
  event->name = full.substr(0, full.find(','));
  AddText(event, "identity", full);
  AddFlag(event, "dynamic", (flags & 2) != 0);
  AddFlag(event, "collectible", (flags & 8) != 0);
}

void ReadPayload(uint16_t id, uint16_t version, PayloadReader& in, LoggedEvent* event) {
  switch (id) {
    case kGcStart:
      return ReadGcStart(in, event);
    case kGcEnd:
      return ReadGcEnd(in, event);
    case kGcHeapStats:
      return ReadGcHeap(in, event);
    case kSuspendBegin:
      return ReadSuspendBegin(in, event);
    case kFinalizersEnd:
      return ReadFinalizers(in, event);
    case kPoolWorkerStart:
    case kPoolWorkerStop:
      return ReadPoolWorkers(in, event);
    case kPoolSample:
      return ReadPoolSample(in, event);
    case kPoolAdjustment:
      return ReadPoolAdjustment(in, event);
    case kTypeLoadStop:
      return ReadTypeLoad(in, event);
    case kExceptionThrown:
      return ReadException(in, event);
    case kContentionStart:
      return ReadContentionStart(in, event, version);
    case kContentionStop:
      return ReadContentionStop(in, event, version);
    case kThreadCreatedEvent:
      return ReadThread(in, event);
    case kMethodLoad:
    case kMethodUnload:
      return ReadMethod(in, event);
    case kModuleLoad:
    case kModuleUnload:
      return ReadModule(in, event);
    case kAssemblyLoad:
    case kAssemblyUnload:
      return ReadAssembly(in, event);
    default:
      return;
  }
}

}  // namespace

bool DecodeEvent(const ListedEvent& listed, const EventParts& parts, protocol::LoggedEvent* event) {
  PayloadReader in(parts.payload);
  event->group = listed.group;
  event->event = listed.name;
  ReadPayload(listed.id, parts.prefix.version, in, event);
  if (listed.group == EventGroup::kJit) event->module = FileNameOf(parts.text);
  return in.IsWhole();
}

}  // namespace cairn::collector
