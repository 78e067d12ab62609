#include "collector/capture/root_events.h"

#include <cstring>

#include "collector/abi/structs.h"

namespace cairn::collector {

namespace {

// Both payloads: u32 index, u32 count, u16 runtime instance, then the records, packed.
constexpr size_t kHeaderBytes = 4 + 4 + 2;
// Addresses are as wide as the process has them: object, u8 kind, u32 flags, id.
using Word = uintptr_t;
constexpr size_t kRootBytes = sizeof(Word) + 1 + 4 + sizeof(Word);
// Key, value, handle.
constexpr size_t kDependentBytes = 3 * sizeof(Word);

template <class Value>
Value At(std::span<const uint8_t> payload, size_t offset) {
  Value value;
  std::memcpy(&value, payload.data() + offset, sizeof value);
  return value;
}

// The kinds of the events are numbered otherwise than those of the profiling API; the flags are the same.
abi::GcRootKind KindOfEvent(uint8_t kind) {
  constexpr uint8_t kStack = 0, kFinalizer = 1, kHandle = 2;
  return kind == kStack       ? abi::GcRootKind::kStack
         : kind == kFinalizer ? abi::GcRootKind::kFinalizer
         : kind == kHandle    ? abi::GcRootKind::kHandle
                              : abi::GcRootKind::kOther;
}

bool HasRecords(std::span<const uint8_t> payload, size_t bytes_each) {
  return payload.size() >= kHeaderBytes &&
         (payload.size() - kHeaderBytes) / bytes_each >= At<uint32_t>(payload, sizeof(uint32_t));
}

}  // namespace

bool RootEvents::Sequence::Take(uint32_t index) {
  if (index == 0) *this = {};
  whole = whole && index == expected;
  ++expected;
  return whole;
}

void RootEvents::Reset() {
  root_sequence_ = dependent_sequence_ = {};
  recorder_.Reset();
}

void RootEvents::OnRootEdges(std::span<const uint8_t> payload) {
  if (!HasRecords(payload, kRootBytes)) {
    root_sequence_.whole = false;
    return;
  }
  const auto index = At<uint32_t>(payload, 0);
  if (index == 0) recorder_.ResetRoots();
  if (!root_sequence_.Take(index)) return;
  const auto count = At<uint32_t>(payload, 4);
  for (size_t at = kHeaderBytes; at < kHeaderBytes + count * kRootBytes; at += kRootBytes) {
    const size_t behind = at + sizeof(Word);
    const auto object = At<Word>(payload, at), id = At<Word>(payload, behind + 5);
    const abi::GcRootKind kind = KindOfEvent(payload[behind]);
    const auto flags = At<uint32_t>(payload, behind + 1);
    recorder_.RecordRoots(1, &object, &kind, &flags, &id);
  }
}

void RootEvents::OnDependents(std::span<const uint8_t> payload) {
  if (!HasRecords(payload, kDependentBytes)) {
    dependent_sequence_.whole = false;
    return;
  }
  const auto index = At<uint32_t>(payload, 0);
  if (index == 0) recorder_.ResetDependents();
  if (!dependent_sequence_.Take(index)) return;
  const auto count = At<uint32_t>(payload, 4);
  for (size_t at = kHeaderBytes; at < kHeaderBytes + count * kDependentBytes; at += kDependentBytes) {
    const auto key = At<Word>(payload, at), value = At<Word>(payload, at + sizeof(Word));
    recorder_.RecordDependents(1, &key, &value);
  }
}

}  // namespace cairn::collector
