#include "collector/sampling/allocation_observer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "collector/abi/masks.h"
#include "collector/capture/clock.h"
#include "collector/sampling/runtime_type_name.h"
#include "collector/sampling/stack_recorder.h"
#include "collector/types/utf16.h"
#include "snapshot-format/stream/records.h"

namespace cairn::collector {

namespace {

using protocol::AllocationBlock;

constexpr unsigned kFirstMajorWithSamples = 10;
constexpr uint64_t kMovementKeywords = 0x400001;  // see gc_events.h
constexpr size_t kRingBytes = size_t{2} << 20;
constexpr size_t kMostNameBytes = 1024;  // of a type, in UTF-16
constexpr size_t kMostNameless = 4096;
constexpr size_t kBatch = 1024;
constexpr uint16_t kSampleRecord = 0;

// In a ring; then the frames, then the name.
struct RecordHead {
  uint64_t type_id, size, amount, key;
  uint32_t one_in, type_serial;
  uint16_t frames, name_bytes;
  uint8_t exact, cut;
  uint8_t unused[2];
};
static_assert(sizeof(RecordHead) == 48);

using RecordBuffer =
    std::array<uint8_t, sizeof(RecordHead) + sizeof(uint32_t) * RecordedStack::kMostFrames + kMostNameBytes>;

std::string NameFrom(std::span<const uint8_t> utf16) {
  std::vector<abi::WChar> text(utf16.size() / sizeof(abi::WChar));
  std::memcpy(text.data(), utf16.data(), text.size() * sizeof(abi::WChar));
  return FromRuntimeTypeName(ToUtf8(text.data(), text.size()));
}

}  // namespace

// ---- start -----------------------------------------------------------------------------------------

AllocationObserver::~AllocationObserver() {
  journal_.Stop();
  journal_.Free();
}

bool AllocationObserver::UsesTicks() const { return runtime_->major < kFirstMajorWithSamples; }

const Refusal* AllocationObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  runtime_ = &context.runtime;
  stream::RecordReader reader(wishes);
  reader(wishes_);
  if (!reader.Complete()) return &kInternal;
  wishes_.depth = std::clamp(wishes_.depth, 1u, protocol::kMostAllocationDepth);
  limit_ = CostLimit(wishes_.share_ppm);
  const bool has_memory = names_.Open(runtime_->info.Get()) && type_names_.Open(runtime_->info.Get()) &&
                          rings_.Map(kRingBytes) && (!wishes_.follow || journal_.Prepare(runtime_->info.Get()));
  return has_memory ? nullptr : &kMemoryLimit;
}

// Large objects are told one by one where ticks have to do: they are few, and what fills a heap.
ObserverNeeds AllocationObserver::Needs() const {
  ObserverNeeds needs;
  needs.low_mask = abi::kEnableStackSnapshot | (wishes_.follow ? abi::kMonitorSuspends : 0);
  needs.high_mask = abi::kHighMonitorDynamicFunctionUnloads | (wishes_.follow ? abi::kHighBasicGc : 0) |
                    (UsesTicks() ? abi::kHighMonitorLargeobjectAllocated : 0);
  const uint64_t movement = wishes_.follow ? kMovementKeywords : 0;
  const uint64_t allocation = UsesTicks() ? kAllocationTickKeyword : kAllocationSampledKeyword;
  needs.providers.push_back({u"Microsoft-Windows-DotNETRuntime", movement | allocation,
                             UsesTicks() ? abi::EventPipeLevel::kVerbose : abi::EventPipeLevel::kInformational});
  return needs;
}

bool AllocationObserver::Begin(ObservationSink& sink) {
  began_ns_ = NowNs();
  return TellBegun(sink);
}

bool AllocationObserver::TellBegun(ObservationSink& sink) const {
  const auto source = UsesTicks() ? protocol::AllocationSource::kTicks : protocol::AllocationSource::kSamples;
  return sink.Send(AllocationBlock::kBegun, protocol::AllocationsBegun{source, kAllocationMeanBytes});
}

// Whoever resumes is told from when on nothing is missed.
bool AllocationObserver::OnOrder(std::span<const uint8_t> order, ObservationSink& sink) {
  if (order.size() != 1) return false;
  samples_ = order[0] == static_cast<uint8_t>(protocol::AllocationOrder::kResumeSampling);
  return !samples_ || TellBegun(sink);
}

// ---- callbacks -------------------------------------------------------------------------------------

void AllocationObserver::OnEvent(const ObservedEvent& event) {
  if (event.id == kAllocationSampledEvent) {
    const auto allocation = ReadAllocationSampled(event.version, event.payload);
    return allocation ? OnAllocation(*allocation, false) : void();
  }
  if (event.id == kAllocationTickEvent && UsesTicks()) {
    const auto allocation = ReadAllocationTick(event.version, event.payload);
    // Large objects come through OnObjectAllocated; their ticks tell what their types are called.
    return allocation ? OnAllocation(*allocation, false) : void();
  }
  if (wishes_.follow) journal_.OnEvent(event.id, event.version, event.payload);
}

void AllocationObserver::OnObjectAllocated(abi::ObjectID object, abi::ClassID type) {
  AllocationEvent allocation;
  allocation.kind = AllocationKind::kLarge;
  allocation.type_id = type;
  allocation.address = object;
  size_t size = 0;
  runtime_->info->GetObjectSize2(object, &size);
  allocation.size = size;
  OnAllocation(allocation, true);
}

void AllocationObserver::OnAllocation(const AllocationEvent& allocation, bool exact) {
  if (!samples_.load(std::memory_order_relaxed)) return;
  const uint64_t number = seen_.fetch_add(1, std::memory_order_relaxed);
  const uint32_t one_in = exact ? 1 : one_in_.load(std::memory_order_relaxed);
  if (one_in > 1 && !IsOneIn(one_in, number)) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const uint64_t began = NowNs();
  Record(allocation, one_in, exact);
  taken_ns_.fetch_add(std::min(NowNs() - began, CostLimit::kMostSampleNs), std::memory_order_relaxed);
}

// Methods on the stack are there as long as the callback is: what their numbers mean is settled here.
void AllocationObserver::Record(const AllocationEvent& allocation, uint32_t one_in, bool exact) {
  // Of a large object's tick only the name is of use.
  const bool only_name = UsesTicks() && !exact && allocation.kind == AllocationKind::kLarge;
  RecordedStack stack;
  if (!only_name) RecordOwnStack(*runtime_->info.Get(), wishes_.depth, &stack);
  std::array<uint32_t, RecordedStack::kMostFrames> serials;
  for (uint32_t i = 0; i < stack.size; ++i) serials[i] = names_.Sight(stack.functions[i]);
  const size_t name_bytes = std::min(allocation.name.size(), kMostNameBytes);
  const uint64_t key = only_name ? 0 : 1 + key_.fetch_add(1, std::memory_order_relaxed);
  const RecordHead head{allocation.type_id,
                        allocation.size,
                        allocation.amount,
                        key,
                        one_in,
                        type_names_.Sight(allocation.type_id),
                        static_cast<uint16_t>(stack.size),
                        static_cast<uint16_t>(name_bytes),
                        exact,
                        stack.cut,
                        {}};
  RecordBuffer buffer;
  uint8_t* at = buffer.data();
  const auto append = [&at](const void* bytes, size_t size) {
    std::memcpy(at, bytes, size);
    at += size;
  };
  append(&head, sizeof head);
  append(serials.data(), stack.size * sizeof(uint32_t));
  append(allocation.name.data(), name_bytes);
  if (!rings_.Write(kSampleRecord, 0, {buffer.data(), static_cast<size_t>(at - buffer.data())}) || only_name) return;
  taken_.fetch_add(1, std::memory_order_relaxed);
  if (stack.size == 0) without_stack_.fetch_add(1, std::memory_order_relaxed);
  if (wishes_.follow) journal_.OnSampled({allocation.address, allocation.size, key});
}

void AllocationObserver::OnSuspendFinished() {
  if (wishes_.follow) journal_.OnSuspendFinished();
}

void AllocationObserver::OnResumeStarted() {
  if (wishes_.follow) journal_.OnResumeStarted();
}

void AllocationObserver::OnCollectionStarted(std::span<const abi::Bool> collected, abi::GcReason) {
  if (wishes_.follow) journal_.OnCollectionStarted(collected);
}

void AllocationObserver::OnCollectionFinished() {
  if (wishes_.follow) journal_.OnCollectionFinished(0);
}

void AllocationObserver::OnSnapshotTaken(uint64_t marker) {
  if (wishes_.follow) journal_.OnSnapshot(marker);
}

// ---- the observation's thread ----------------------------------------------------------------------

bool AllocationObserver::Drain(ObservationSink& sink) {
  one_in_ = limit_.Update(taken_ns_, NowNs());
  names_.Take();
  type_names_.Take();
  std::vector<std::vector<uint8_t>> waiting;
  waiting.swap(nameless_);
  bool sent = true;
  for (const std::vector<uint8_t>& record : waiting) sent = sent && TakeRecord(sink, record);
  rings_.Drain([&](const ObservedRecord&, std::span<const uint8_t> record) {
    sent = sent && TakeRecord(sink, record);
    return sent;
  });
  lost_ = rings_.Lost();
  rings_.Reopen(kSampleRecord);
  return sent && SendSamples(sink) && SendJournal(sink) && SendCosts(sink);
}

// What no tick has named by now has no name.
void AllocationObserver::Finish(ObservationSink& sink) {
  is_ending_ = true;
  Drain(sink);
}

// False: the client is gone.
bool AllocationObserver::TakeRecord(ObservationSink& sink, std::span<const uint8_t> record) {
  RecordHead head;
  std::memcpy(&head, record.data(), sizeof head);
  std::array<uint32_t, RecordedStack::kMostFrames> frames;
  std::memcpy(frames.data(), record.data() + sizeof head, head.frames * sizeof(uint32_t));
  const auto name = record.subspan(sizeof head + head.frames * sizeof(uint32_t), head.name_bytes);
  const uint32_t type = TypeOf(sink, head.type_id, head.type_serial, name);
  if (head.key == 0) return true;
  // The tick that names the type may still be on its way.
  if (type == 0 && name.empty() && !is_ending_ && nameless_.size() < kMostNameless) {
    nameless_.emplace_back(record.begin(), record.end());
    return true;
  }
  const uint32_t stack = stacks_.NumberOf(sink, names_, std::span(frames).first(head.frames), head.cut != 0);
  batch_.push_back({head.key, head.size, head.amount, type, stack, head.one_in, head.exact != 0});
  return batch_.size() < kBatch || SendSamples(sink);
}

// The event's own name leaves out the types around a nested one. It has to do where there was no room for another.
uint32_t AllocationObserver::TypeOf(ObservationSink& sink, uint64_t class_id, uint32_t serial,
                                    std::span<const uint8_t> name) {
  const TypeTable::Found type = types_.Find(class_id, name);
  if (!type.is_new) return type.number;
  const std::string& whole = type_names_.Name(serial);
  sink.Send(AllocationBlock::kType,
            protocol::AllocationType{type.number, class_id, whole.starts_with("(unknown") ? NameFrom(name) : whole});
  return type.number;
}

void AllocationObserver::OnModuleUnloadStarted(abi::ModuleID module) {
  names_.Forget(module);
  type_names_.Forget();
}

bool AllocationObserver::SendSamples(ObservationSink& sink) {
  if (batch_.empty()) return true;
  protocol::AllocationSamples samples;
  samples.samples.swap(batch_);
  return sink.Send(AllocationBlock::kSamples, samples);
}

bool AllocationObserver::SendJournal(ObservationSink& sink) {
  constexpr size_t kBlockBytes = 256u << 10;
  std::vector<uint8_t> block;
  for (auto record = journal_.Next(); !record.empty(); record = journal_.Next()) {
    if (block.empty()) block.push_back(static_cast<uint8_t>(AllocationBlock::kJournal));
    block.insert(block.end(), record.begin(), record.end());
    journal_.Pop();
    if (block.size() < kBlockBytes) continue;
    if (!sink.SendBlock(block)) return false;
    block.clear();
  }
  return block.empty() || sink.SendBlock(block);
}

bool AllocationObserver::SendCosts(ObservationSink& sink) {
  return sink.Send(AllocationBlock::kCosts, protocol::AllocationCosts{NowNs() - began_ns_, taken_ns_, taken_, left_out_,
                                                                      lost_, without_stack_, limit_.HighestOneIn()});
}

}  // namespace cairn::collector
