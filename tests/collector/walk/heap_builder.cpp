#include "tests/collector/walk/heap_builder.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "collector/walk/raw_memory.h"
#include "snapshot-format/stream/chunk.h"

namespace cairn::collector {
namespace {

uint64_t MapLow(size_t bytes) {
  void* start =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (start == MAP_FAILED) std::abort();
  return reinterpret_cast<uint64_t>(start);
}

}  // namespace

HeapBuilder::HeapBuilder(const LayoutPolicy& layout, size_t heap_bytes, size_t type_bytes)
    : layout_(layout), heap_bytes_(heap_bytes), type_bytes_(type_bytes) {
  heap_ = MapLow(heap_bytes);
  types_ = MapLow(type_bytes);
  at_ = heap_ + layout.large_heap_alignment;  // as in a region, not at a page's start
  types_at_ = types_;
}

HeapBuilder::~HeapBuilder() {
  munmap(reinterpret_cast<void*>(heap_), heap_bytes_);
  munmap(reinterpret_cast<void*>(types_), type_bytes_);
}

void HeapBuilder::Poke(uint64_t address, uint64_t word) {
  std::memcpy(reinterpret_cast<void*>(address), &word, Word());
}

uint64_t HeapBuilder::Type(uint32_t flags, uint32_t base_size, const std::vector<int64_t>& words) {
  const uint64_t method_table = stream::AlignUp(types_at_ + words.size() * Word(), 8);
  if (method_table + 64 > types_ + type_bytes_) std::abort();
  for (size_t i = 0; i < words.size(); ++i) {
    Poke(method_table - (i + 1) * Word(), static_cast<uint64_t>(words[i]));
  }
  std::memcpy(reinterpret_cast<void*>(method_table), &flags, 4);
  std::memcpy(reinterpret_cast<void*>(method_table + 4), &base_size, 4);
  types_at_ = method_table + 64;
  return method_table;
}

uint64_t HeapBuilder::Class(uint32_t base_size, const std::vector<Run>& runs, uint32_t more_flags) {
  if (runs.empty()) return Type(more_flags, base_size);
  std::vector<int64_t> words = {static_cast<int64_t>(runs.size())};
  for (const Run& run : runs) {
    words.push_back(run.offset);
    words.push_back(int64_t{run.slots} * Word() - int64_t{base_size});
  }
  return Type(0x01000000 | more_flags, base_size, words);
}

uint64_t HeapBuilder::PrimitiveArray(uint32_t component_size) {
  return Type(0x800A0000 | component_size, Elements() + Word());
}

uint64_t HeapBuilder::ReferenceArray(uint32_t rank) {
  const uint32_t base = Elements(rank) + Word();
  const uint32_t category = rank == 1 ? 0x000A0000 : 0x00080000;
  return Type(0x81000000 | category | Word(), base, {1, int64_t{Elements(rank)}, -int64_t{base}});
}

uint64_t HeapBuilder::StructArray(uint32_t component_size, uint32_t first, const std::vector<Item>& items) {
  std::vector<int64_t> words = {-static_cast<int64_t>(items.size()), int64_t{Elements()} + first};
  for (const Item& item : items) {
    words.push_back(static_cast<int64_t>(item.pointers | uint64_t{item.skip} << (Word() * 4)));
  }
  return Type(0x810A0000 | component_size, Elements() + Word(), words);
}

uint64_t HeapBuilder::String() { return Type(0x80000002, 2 * Word() + 4 + 2); }
uint64_t HeapBuilder::Free() { return Type(0x80000001, 3 * Word()); }

void HeapBuilder::BeginRange(stream::Generation generation) {
  range_ = {};
  range_.generation = generation;
  range_.alignment = layout_.Alignment(generation);
  at_ = stream::AlignUp(at_, 64) + 8;  // ranges do not touch
  range_.start = at_;
}

uint64_t HeapBuilder::Object(uint64_t method_table, uint64_t length) {
  const uint64_t object = at_;
  const auto flags = Load<uint32_t>(method_table);
  uint64_t size = Load<uint32_t>(method_table + 4);
  if ((flags & 0x80000000) != 0) size += length * (flags & 0xFFFF);
  at_ += stream::AlignUp(size, range_.alignment);
  if (at_ > heap_ + heap_bytes_) std::abort();
  Poke(object, method_table);
  if ((flags & 0x80000000) != 0) {
    const auto components = static_cast<uint32_t>(length);
    std::memcpy(reinterpret_cast<void*>(object + Word()), &components, 4);
  }
  return object;
}

void HeapBuilder::Set(uint64_t object, uint64_t offset, uint64_t target) { Poke(object + offset, target); }

HeapRange HeapBuilder::EndRange() {
  range_.length = at_ - range_.start;
  range_.reserved = range_.length;
  return range_;
}

}  // namespace cairn::collector
