#include "collector/runtime/managed_threads.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "collector/runtime/contract_text.h"
#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr size_t kLocalBytes = 64;  // of a ThreadLocalData, as much as is needed
constexpr size_t kLocalBatch = 64;  // of them read at a time
constexpr uint64_t kNoFrame = ~uint64_t{0};

}  // namespace

ManagedThreads::ManagedThreads(const ContractDescriptor& contract) {
  const ContractText text(contract.text);
  const bool known = text.Offsets({
      {"ThreadStore", "FirstThreadLink", &offsets_.first_link},
      {"Thread", "OSId", &offsets_.os_id},
      {"Thread", "Id", &offsets_.managed_id},
      {"Thread", "Frame", &offsets_.frame},
      {"Thread", "PreemptiveGCDisabled", &offsets_.cooperative},
      {"Thread", "LinkNext", &offsets_.next},
      {"Thread", "ThreadLocalDataPtr", &offsets_.locals},
      {"ThreadLocalData", "NonCollectibleTlsArrayData", &offsets_.slot_arrays},
  });
  if (!known) return;
  const auto index = text.PointerIndex("ThreadStore");
  const auto unused = text.Value("NumberOfTlsOffsetsNotUsedInNoncollectibleArray");
  if (!index || *index >= contract.pointers.size() || !unused) return;
  if (offsets_.slot_arrays + sizeof(uint64_t) > kLocalBytes) return;
  store_ = contract.pointers[*index];
  unused_entries_ = static_cast<uint32_t>(*unused);
  available_ = sizeof(void*) == 8 && store_ != 0;
}

// The list's links point at the links of the next thread, not at its start.
template <class Read>
size_t ManagedThreads::Walk(std::span<ManagedThread> threads, Read read) const {
  uint64_t store = 0, link = 0;
  size_t count = 0;
  if (!available_ || !read(store_, &store) || !read(store + offsets_.first_link, &link)) return 0;
  while (link != 0 && count < threads.size()) {
    const uint64_t thread = link - offsets_.next;
    ManagedThread& found = threads[count];
    found = {};
    uint64_t os_id = 0;  // the runtime keeps it in a word
    uint32_t cooperative = 0;
    if (!read(thread + offsets_.os_id, &os_id) || !read(thread + offsets_.managed_id, &found.managed_id) ||
        !read(thread + offsets_.frame, &found.frame) || !read(thread + offsets_.cooperative, &cooperative) ||
        !read(thread + offsets_.locals, &found.locals) || !read(link, &link)) {
      break;
    }
    found.os_id = static_cast<uint32_t>(os_id);
    found.cooperative = cooperative != 0;
    if (found.frame == kNoFrame) found.frame = 0;
    ++count;
  }
  return count;
}

bool ManagedThreads::Matches(std::span<const uint32_t> os_ids) const {
  std::vector<ManagedThread> threads(os_ids.size() * 2 + 64);
  threads.resize(Walk(threads, [](uint64_t address, auto* value) { return ReadSafely(address, value); }));
  // The API leaves out threads that have not started or have ended.
  size_t at = 0;
  for (const uint32_t os_id : os_ids) {
    while (at < threads.size() && threads[at].os_id != os_id) ++at;
    if (at++ == threads.size()) return false;
  }
  return !os_ids.empty();
}

size_t ManagedThreads::List(std::span<ManagedThread> threads) const {
  const size_t count = Walk(threads, [](uint64_t address, auto* value) {
    if (address == 0) return false;
    std::memcpy(value, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), sizeof *value);
    return true;
  });
  FillSlotArrays(threads.first(count));
  return count;
}

// This memory belongs to the threads themselves, of which one outside managed code may end even now.
void ManagedThreads::FillSlotArrays(std::span<ManagedThread> threads) const {
  uint8_t bytes[kLocalBatch * kLocalBytes];
  uint64_t addresses[kLocalBatch];
  for (size_t at = 0; at < threads.size(); at += kLocalBatch) {
    const size_t count = std::min(kLocalBatch, threads.size() - at);
    for (size_t i = 0; i < count; ++i) addresses[i] = threads[at + i].locals;
    ReadManySafely({addresses, count}, kLocalBytes, bytes);
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&threads[at + i].slot_arrays, bytes + i * kLocalBytes + offsets_.slot_arrays, sizeof(uint64_t));
    }
  }
}

}  // namespace cairn::collector
