#include "collector/sampling/count_observer.h"

#include <algorithm>
#include <array>

#include "collector/abi/masks.h"
#include "collector/capture/clock.h"
#include "collector/walk/layout.h"

namespace cairn::collector {

namespace {

using protocol::AllocationBlock;

constexpr uint64_t kReadEveryNs = 250'000'000;
constexpr size_t kBatch = 1024;
// What is missing at the end makes all of it worth less: the application's exit waits longer than for samples.
constexpr uint32_t kLastWordMs = 3000;

// What it occupies: the runtime leaves out the padding behind strings and arrays.
uint64_t Occupied(uint64_t size) {
  constexpr uint64_t kAlignment = sizeof(void*);
  return (size + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

// ---- start -----------------------------------------------------------------------------------------

CountObserver::~CountObserver() {
  if (tables_ != nullptr) tables_->Clear();
}

const Refusal* CountObserver::Start(const ObserverContext& context, std::span<const uint8_t> wishes) {
  runtime_ = &context.runtime;
  stream::RecordReader reader(wishes);
  reader(wishes_);
  if (!reader.Complete()) return &kInternal;
  wishes_.depth = std::clamp(wishes_.depth, 1u, protocol::kMostAllocationDepth);
  tables_ = CountTables::Make();
  const bool has_memory = tables_ != nullptr && names_.Open(runtime_->info.Get()) && types_.Open(runtime_->info.Get());
  return has_memory ? nullptr : &kMemoryLimit;
}

// Of the first two the runtime takes one at its start only, and lets nobody leave who has asked for it.
ObserverNeeds CountObserver::Needs() const {
  ObserverNeeds needs;
  needs.low_mask = abi::kEnableObjectAllocated | abi::kMonitorObjectAllocated | abi::kEnableStackSnapshot;
  needs.high_mask = abi::kHighMonitorDynamicFunctionUnloads;
  needs.stays = true;
  needs.last_word_ms = kLastWordMs;
  return needs;
}

bool CountObserver::Begin(ObservationSink& sink) {
  began_ns_ = NowNs();
  return sink.Send(AllocationBlock::kBegun, protocol::AllocationsBegun{protocol::AllocationSource::kCounted, 0});
}

// ---- callbacks -------------------------------------------------------------------------------------

void CountObserver::OnObjectAllocated(abi::ObjectID object, abi::ClassID type) {
  size_t size = 0;
  const bool has_size = abi::Succeeded(runtime_->info->GetObjectSize2(object, &size));
  const uint64_t bytes = Occupied(size);
  CountTable* table = tables_->Mine();
  if (has_size && table != nullptr && table->Count(types_.Sight(type), StackOf(*table), bytes)) return;
  dropped_objects_.fetch_add(1, std::memory_order_relaxed);
  dropped_bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

uint32_t CountObserver::StackOf(CountTable& table) {
  RecordedStack stack;
  RecordOwnStack(*runtime_->info.Get(), wishes_.depth, &stack);
  return NamedStackOf(table, stack);
}

// Methods on the stack are there as long as the callback is: what their numbers mean is settled here.
uint32_t CountObserver::NamedStackOf(CountTable& table, const RecordedStack& stack) {
  if (stack.size == 0) {
    without_stack_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  std::array<uint32_t, RecordedStack::kMostFrames> serials;
  for (uint32_t i = 0; i < stack.size; ++i) serials[i] = names_.Sight(stack.functions[i]);
  const uint32_t number = table.StackOf(std::span(serials).first(stack.size), stack.cut);
  if (number == 0) dropped_stacks_.fetch_add(1, std::memory_order_relaxed);
  return number;
}

void CountObserver::OnModuleUnloadStarted(abi::ModuleID module) {
  names_.Forget(module);
  types_.Forget();
}

void CountObserver::OnDynamicMethodUnloaded(abi::FunctionID function) { names_.ForgetMethod(function); }

// ---- the observation's thread ----------------------------------------------------------------------

bool CountObserver::Drain(ObservationSink& sink) {
  names_.Take();
  types_.Take();
  const bool all = NowNs() - read_ns_ >= kReadEveryNs;
  return TellTables(sink, all) && (!all || SendCosts(sink));
}

void CountObserver::Finish(ObservationSink& sink) {
  names_.Take();
  types_.Take();
  if (TellTables(sink, true)) SendCosts(sink);
}

// Those of threads that have ended are waited for by the next.
bool CountObserver::TellTables(ObservationSink& sink, bool all) {
  if (all) read_ns_ = NowNs();
  const bool told = tables_->ForEach([&](size_t number, CountTable& table, bool has_ended) {
    if (!all && !has_ended) return true;
    if (!TellTable(sink, number, table)) return false;
    if (has_ended) stack_numbers_[number].clear();
    return true;
  });
  return told && SendCounts(sink);
}

// False: the client is gone.
bool CountObserver::TellTable(ObservationSink& sink, size_t number, CountTable& table) {
  if (number >= stack_numbers_.size()) stack_numbers_.resize(number + 1);
  for (CountTable::Row& row : table.Rows()) {
    const uint64_t objects = row.objects.load(std::memory_order_relaxed);
    const uint64_t bytes = row.bytes.load(std::memory_order_relaxed);
    if (objects == row.told_objects && bytes == row.told_bytes) continue;
    TellType(sink, row.type);
    const uint32_t stack = TellStack(sink, number, table, row.stack);
    objects_ += objects - row.told_objects;
    if (stack == 0 && row.stack != 0) dropped_stacks_ += objects - row.told_objects;
    batch_.push_back({row.type, stack, objects - row.told_objects, bytes - row.told_bytes});
    row.told_objects = objects;
    row.told_bytes = bytes;
    if (batch_.size() == kBatch && !SendCounts(sink)) return false;
  }
  return true;
}

uint32_t CountObserver::TellStack(ObservationSink& sink, size_t number, const CountTable& table, uint32_t stack) {
  if (stack == 0) return 0;
  std::vector<uint32_t>& numbers = stack_numbers_[number];
  if (stack >= numbers.size()) numbers.resize(stack + 1);
  if (numbers[stack] != 0) return numbers[stack];
  return numbers[stack] = stacks_.NumberOf(sink, names_, table.Frames(stack), table.IsCut(stack));
}

void CountObserver::TellType(ObservationSink& sink, uint32_t serial) {
  if (serial >= told_types_.size()) told_types_.resize(serial + 1);
  if (serial == 0 || told_types_[serial]) return;
  told_types_[serial] = true;
  sink.Send(AllocationBlock::kType, protocol::AllocationType{serial, 0, types_.Name(serial)});
}

bool CountObserver::SendCounts(ObservationSink& sink) {
  if (batch_.empty()) return true;
  protocol::AllocationCounts counts;
  counts.counts.swap(batch_);
  return sink.Send(AllocationBlock::kCounts, counts);
}

// A stack or a type for whose names there was no room is told without them.
bool CountObserver::SendCosts(ObservationSink& sink) {
  const uint64_t dropped_stacks = dropped_stacks_ + names_.NotNamed() + types_.NotNamed();
  return sink.Send(AllocationBlock::kCountCosts,
                   protocol::AllocationCountCosts{NowNs() - began_ns_, objects_, dropped_objects_, dropped_bytes_,
                                                  dropped_stacks, without_stack_});
}

}  // namespace cairn::collector
