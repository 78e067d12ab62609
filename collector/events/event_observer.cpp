#include "collector/events/event_observer.h"

#include <cstring>

#include "collector/capture/clock.h"
#include "collector/events/event_decoder.h"
#include "collector/events/module_path.h"
#include "collector/events/payload_reader.h"
#include "collector/observing/event_switch.h"
#include "collector/roots/thread_name.h"
#include "collector/types/com_text.h"
#include "collector/types/utf16.h"

namespace cairn::collector {

namespace {

// What tells of the process at either end of a session has the number of a collection's start, and a lower version.
bool IsOfRuntime(const ObservedEvent& event) {
  constexpr uint32_t kStartVersion = 2;
  return event.id != kGcStart || event.version >= kStartVersion;
}

using protocol::LoggedEvent;

constexpr size_t kRingBytes = 2u << 20;
constexpr size_t kSmallestRing = 64u << 10, kLargestRing = 64u << 20;
constexpr size_t kTextBytes = 768;

// The noisy ones leave room to those of which each line counts.
constexpr unsigned kRanks[protocol::kEventGroups] = {0, 4, 4, 0, 3, 1, 2, 4, 3};

size_t RingBytes(uint64_t wished) {
  size_t bytes = kSmallestRing;
  while (bytes < wished && bytes < kLargestRing) bytes *= 2;
  return wished == 0 ? kRingBytes : bytes;
}

// The frame on top of the stack ends the snapshot.
abi::HRESULT CAIRN_STDCALL TakeTop(abi::FunctionID function, uintptr_t, abi::FrameInfo, uint32_t, uint8_t*,
                                   void* where) {
  if (function == 0) return abi::kOk;
  *static_cast<abi::FunctionID*>(where) = function;
  return abi::kFail;
}

uint64_t WordAt(std::span<const uint8_t> payload, size_t offset) {
  uint64_t word = 0;
  if (payload.size() >= offset + sizeof word) std::memcpy(&word, payload.data() + offset, sizeof word);
  return word;
}

const ListedEvent* ListedCallback(uint16_t id) {
  static constexpr ListedEvent kEnd{kThreadDestroyed, EventGroup::kThread, "thread-end"};
  static constexpr ListedEvent kNamed{kThreadNamed, EventGroup::kThread, "thread-name"};
  return id == kThreadDestroyed ? &kEnd : id == kThreadNamed ? &kNamed : nullptr;
}

}  // namespace

// ---- start -----------------------------------------------------------------------------------------

const Refusal* EventObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  protocol::EventWishes wished;
  stream::RecordReader reader(wishes);
  reader(wished);
  if (!reader.Complete() || wished.groups == 0 || wished.groups >> protocol::kEventGroups != 0) return &kInternal;
  groups_ = wished.groups;
  info_ = context.runtime.info.Get();
  for (uint16_t group = 0; group < protocol::kEventGroups; ++group) rings_.SetRank(group, kRanks[group]);
  return rings_.Map(RingBytes(wished.ring_bytes)) && names_.Open(info_) ? nullptr : &kMemoryLimit;
}

ObserverNeeds EventObserver::Needs() const {
  ObserverNeeds needs;
  // Threads are named in every line, so their names are wanted whatever is logged.
  needs.low_mask = abi::kMonitorThreads;
  if (Wants(EventGroup::kException)) {
    needs.low_mask |= abi::kEnableStackSnapshot;
    needs.high_mask |= abi::kHighMonitorDynamicFunctionUnloads;
  }
  const EventSubscription subscription = SubscriptionFor(groups_);
  needs.providers.push_back({CAIRN_WIDE("Microsoft-Windows-DotNETRuntime"), subscription.keywords,
                             static_cast<abi::EventPipeLevel>(subscription.level)});
  return needs;
}

// ---- callbacks -------------------------------------------------------------------------------------

void EventObserver::OnEvent(const ObservedEvent& event) {
  const ListedEvent* listed = FindEvent(event.id);
  if (listed == nullptr || !Wants(listed->group) || !IsOfRuntime(event)) return;
  uint8_t first[sizeof(EventPrefix) + kTextBytes];
  EventPrefix prefix;
  prefix.version = static_cast<uint16_t>(event.version);
  prefix.text_size = static_cast<uint16_t>(TextFor(event, reinterpret_cast<char*>(first + sizeof prefix), kTextBytes));
  prefix.method = event.id == kExceptionThrown ? MethodOnTop() : 0;
  std::memcpy(first, &prefix, sizeof prefix);
  rings_.Write(static_cast<uint16_t>(listed->group), listed->id, {first, sizeof prefix + prefix.text_size},
               event.payload);
}

uint32_t EventObserver::MethodOnTop() {
  abi::FunctionID function = 0;
  info_->DoStackSnapshot(0, TakeTop, abi::kSnapshotDefault, &function, nullptr, 0);
  return function == 0 ? 0 : names_.Sight(function);
}

// Of a method's module while it is compiled. What a lock belongs to is never asked: locks that are managed code tell of
// themselves where collections may run, so that the object has moved away from its address by now.
size_t EventObserver::TextFor(const ObservedEvent& event, char* text, size_t capacity) {
  constexpr size_t kModuleAt = 8;
  if (event.id != kMethodLoad) return 0;
  const abi::ModuleID module = WordAt(event.payload, kModuleAt);
  return module == 0 ? 0 : ModulePath(*info_, module, text, capacity);
}

void EventObserver::OnThreadNamed(abi::ThreadID thread, std::span<const abi::WChar> name) {
  char text[kTextBytes - 16];
  const size_t size = ToUtf8(name.data(), name.size(), text, sizeof text);
  uint32_t os_id = 0;
  if (abi::Failed(info_->GetThreadInfo(thread, &os_id))) os_id = 0;
  NoteThread(kThreadNamed, thread, os_id, {reinterpret_cast<const uint8_t*>(text), size});
}

void EventObserver::NoteThread(uint16_t what, abi::ThreadID thread, uint32_t os_id, std::span<const uint8_t> name) {
  uint8_t first[sizeof(EventPrefix) + kTextBytes];
  const EventPrefix prefix{0, static_cast<uint16_t>(name.size()), 0};
  std::memcpy(first, &prefix, sizeof prefix);
  if (!name.empty()) std::memcpy(first + sizeof prefix, name.data(), name.size());
  uint8_t payload[sizeof(uint64_t) + sizeof os_id];
  const uint64_t id = thread;
  std::memcpy(payload, &id, sizeof id);
  std::memcpy(payload + sizeof id, &os_id, sizeof os_id);
  rings_.Write(static_cast<uint16_t>(EventGroup::kThread), what, {first, sizeof prefix + name.size()}, payload);
}

// ---- the observation's thread ----------------------------------------------------------------------

bool EventObserver::Drain(ObservationSink& sink) {
  names_.Take();
  const bool whole = rings_.Drain(
      [&](const ObservedRecord& record, std::span<const uint8_t> bytes) { return Log(record, bytes, sink); });
  return whole && TellLost(sink);
}

bool EventObserver::Log(const ObservedRecord& record, std::span<const uint8_t> bytes, ObservationSink& sink) {
  EventParts parts;
  LoggedEvent event;
  if (IsOurs(record.os_thread) || !TakeApart(bytes, &parts)) return true;
  const ListedEvent* listed = FindEvent(record.detail);
  const bool shown =
      listed != nullptr ? (DecodeEvent(*listed, parts, &event), true) : DecodeCallback(record, parts, &event);
  Learn(record.detail, parts, event);
  if (!shown || !Wants(event.group)) return true;
  event.time_ns = record.time_ns;
  // Another thread buries one that has ended.
  if (record.detail != kThreadDestroyed) event.os_thread = record.os_thread;
  if (parts.prefix.method != 0) {
    event.name = names_.Name(parts.prefix.method);
    event.module = names_.Module(parts.prefix.method);
  }
  NameModule(record.detail, parts, &event);
  NameThread(&event);
  return sink.Send(event);
}

// What threads say of themselves is learnt also where it is not logged.
bool EventObserver::DecodeCallback(const ObservedRecord& record, const EventParts& parts, LoggedEvent* event) {
  PayloadReader in(parts.payload);
  const auto thread = in.Next<uint64_t>();
  const auto os_id = in.Next<uint32_t>();
  KnownThread& known = known_.threads[thread];
  if (os_id != 0) {
    known.os_id = os_id;
    known_.by_os_id[os_id] = thread;
  }
  if (record.detail == kThreadNamed) known.name = parts.text;
  const ListedEvent* listed = ListedCallback(record.detail);
  if (listed == nullptr) return false;
  event->group = listed->group;
  event->event = listed->name;
  event->name = known.name;
  event->values.push_back(protocol::AddressValue("thread_id", thread));
  if (known.managed_id != 0) event->values.push_back(protocol::NumberValue("managed_thread", known.managed_id));
  if (known.os_id != 0) event->values.push_back(protocol::NumberValue("os_thread", known.os_id));
  if (record.detail != kThreadDestroyed) return true;
  event->os_thread = known.os_id;
  event->managed_thread = known.managed_id;
  event->thread_name = known.name;
  Forget(thread, known.os_id);
  return true;
}

// The system may have given its id to another thread meanwhile.
void EventObserver::Forget(uint64_t thread, uint32_t os_id) {
  known_.threads.erase(thread);
  const auto bearer = known_.by_os_id.find(os_id);
  if (bearer == known_.by_os_id.end() || bearer->second != thread) return;
  known_.by_os_id.erase(bearer);
  known_.system_names.erase(os_id);
}

void EventObserver::Learn(uint16_t id, const EventParts& parts, const LoggedEvent& event) {
  PayloadReader in(parts.payload);
  const auto first = in.Next<uint64_t>();
  if (id == kModuleLoad) known_.modules[first] = event.module;
  if (id == kModuleUnload) known_.modules.erase(first);
  if (id == kMethodLoad && !event.module.empty()) known_.modules.try_emplace(in.Next<uint64_t>(), event.module);
  if (id != kThreadCreatedEvent) return;
  in.Skip(sizeof(uint64_t) + sizeof(uint32_t));
  KnownThread& known = known_.threads[first];
  known.managed_id = in.Next<uint32_t>();
  known.os_id = in.Next<uint32_t>();
  if (known.os_id != 0) known_.by_os_id[known.os_id] = first;
}

// The module of a method that goes may be gone as well: it is not asked for, but known from before. And modules that
// were made in memory are all called the same by the runtime, but for the moment in which they are loaded.
void EventObserver::NameModule(uint16_t id, const EventParts& parts, LoggedEvent* event) {
  if (id != kMethodUnload && id != kMethodLoad) return;
  const auto found = known_.modules.find(WordAt(parts.payload, sizeof(uint64_t)));
  if (found != known_.modules.end()) event->module = found->second;
}

// What the observation's own threads make the runtime do is no news of the application.
bool EventObserver::IsOurs(uint32_t os_thread) {
  if (known_.by_os_id.contains(os_thread) && !known_.threads[known_.by_os_id[os_thread]].name.empty()) return false;
  const std::string& name = SystemName(os_thread);
  return name == kSwitchThread || name == kObserveThread;
}

const std::string& EventObserver::SystemName(uint32_t os_thread) {
  const auto [name, is_new] = known_.system_names.try_emplace(os_thread);
  if (is_new) name->second = ThreadName(os_thread);
  return name->second;
}

void EventObserver::NameThread(LoggedEvent* event) {
  if (event->event == "thread-end") return;  // has said who it was
  const auto found = known_.by_os_id.find(event->os_thread);
  if (found != known_.by_os_id.end()) {
    const KnownThread& known = known_.threads[found->second];
    event->managed_thread = known.managed_id;
    event->thread_name = known.name;
  }
  if (event->thread_name.empty()) event->thread_name = SystemName(event->os_thread);
}

bool EventObserver::TellLost(ObservationSink& sink) {
  for (uint16_t group = 0; group < protocol::kEventGroups; ++group) {
    const uint64_t lost = rings_.Reopen(group);
    if (lost == 0 || !Wants(static_cast<EventGroup>(group))) continue;
    LoggedEvent event;
    event.time_ns = NowNs();
    event.group = static_cast<EventGroup>(group);
    event.event = "lost";
    event.values.push_back(protocol::NumberValue("count", lost));
    if (!sink.Send(event)) return false;
  }
  return true;
}

}  // namespace cairn::collector
