// CPU ns per object of the walk, one thread, over synthetic heaps far larger than the caches: strings, small
// classes with one to four references, arrays of references, Free objects; 1.6 slots and about 44 bytes per
// object. A heap with a group repeats it as programs do (order, lines, strings); one without draws
// every object at random, the worst case for branch prediction.

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "collector/contents/content_plan.h"
#include "collector/walk/heap_walker.h"
#include "collector/walk/raw_memory.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kHeapBytes = uint64_t{512} << 20;
constexpr uint32_t kClasses = 240;

class SyntheticHeap {
 public:
  // `group`: how many objects repeat; 0: none do.
  explicit SyntheticHeap(size_t group) : group_(group) {
    heap_ = at_ = Map(kHeapBytes);
    types_at_ = Map(uint64_t{1} << 20);
    string_ = Type(0x80000002, 22, {});
    array_ = Type(0x810A0008, 24, {1, 16, -24});
    bytes_ = Type(0x800A0001, 24, {});
    free_ = Type(kFreeFlags, 24, {});
    for (uint32_t i = 0; i < kClasses; ++i) AddClass(i);
    Fill();
  }
  ~SyntheticHeap() { munmap(reinterpret_cast<void*>(heap_), kHeapBytes); }
  SyntheticHeap(const SyntheticHeap&) = delete;
  SyntheticHeap& operator=(const SyntheticHeap&) = delete;

  HeapRange Range() const {
    HeapRange range;
    range.start = heap_;
    range.length = at_ - heap_;
    range.generation = stream::Generation::kGen2;
    return range;
  }

 private:
  static uint64_t Map(uint64_t bytes) {
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) std::abort();
    return reinterpret_cast<uint64_t>(start);
  }
  static void Put(uint64_t address, uint64_t word) { std::memcpy(reinterpret_cast<void*>(address), &word, 8); }

  uint64_t Type(uint32_t flags, uint32_t base_size, const std::vector<int64_t>& words) {
    const uint64_t type = types_at_ + words.size() * 8;
    for (size_t i = 0; i < words.size(); ++i) Put(type - 8 * (i + 1), static_cast<uint64_t>(words[i]));
    Put(type, flags | uint64_t{base_size} << 32);
    types_at_ = type + 264;  // as far apart as real ones
    return type;
  }
  void AddClass(uint32_t i) {
    const uint32_t slots = 1 + i % 4, primitives = i % 3, base = 16 + 8 * (slots + primitives);
    classes_.push_back(Type(0x01000000, base < 24 ? 24 : base, {1, 8, int64_t{8 * slots} - (base < 24 ? 24 : base)}));
    slots_.push_back(slots);
    bases_.push_back(base < 24 ? 24 : base);
  }

  // Mostly a neighbour, sometimes anything, sometimes null: as in heaps that were compacted. In a regular heap
  // which of them it is depends on the place in the group, and neighbours vary little.
  uint64_t Target(uint64_t object, uint64_t slot) {
    const uint64_t place = group_ == 0 ? random_() : position_ * 2654435761u + slot * 40503u;
    const uint64_t dice = (place >> 7) % 16;
    if (dice < 4) return 0;
    if (dice < 13) return object + 8 * ((place >> 11) % 64 + random_() % 4);
    return heap_ + random_() % kHeapBytes / 8 * 8;
  }
  // A length below `limit`; in a regular heap much the same at the same place of the group.
  uint64_t Length(uint64_t limit) {
    return group_ == 0 ? random_() % limit : position_ * 2654435761u / 128 % limit + random_() % 3;
  }
  void Object(uint64_t type, uint64_t size) {
    Put(at_, type);
    at_ += stream::AlignUp(size, 8);
  }
  void Variable(uint64_t type, uint64_t base, uint64_t component, uint64_t length) {
    Put(at_ + 8, length);
    Object(type, base + component * length);
  }
  void Class(uint32_t i) {
    for (uint32_t slot = 0; slot < slots_[i]; ++slot) Put(at_ + 8 + 8 * slot, Target(at_, slot));
    Object(classes_[i], bases_[i]);
  }
  void Array() {
    const uint64_t length = Length(16);
    for (uint64_t i = 0; i < length; ++i) Put(at_ + 16 + 8 * i, Target(at_, i));
    Variable(array_, 24, 8, length);
  }
  void Add(uint32_t dice, uint32_t kind) {
    if (dice < 25) {
      Variable(string_, 22, 2, Length(24));
    } else if (dice < 30) {
      Variable(bytes_, 24, 1, Length(64));
    } else if (dice < 34) {
      Array();
    } else if (dice < 36) {
      Variable(free_, 24, 1, Length(128));
    } else {
      Class(kind);
    }
  }
  // A few types make most of the objects.
  uint32_t Kind() { return random_() % 8 < 6 ? random_() % 24 : random_() % kClasses; }
  void Fill() {
    std::vector<std::pair<uint32_t, uint32_t>> group;
    for (size_t i = 0; i < group_; ++i) group.emplace_back(random_() % 100, Kind());
    for (size_t i = 0; at_ < heap_ + kHeapBytes - 4096; ++i) {
      if (group.empty()) {
        Add(random_() % 100, Kind());
      } else {
        position_ = i % group.size();
        Add(group[position_].first, group[position_].second);
      }
    }
  }

  size_t group_;
  size_t position_ = 0;  // in the group
  std::minstd_rand random_{42};
  uint64_t heap_ = 0, types_at_ = 0, at_ = 0;
  uint64_t string_, array_, bytes_, free_;
  std::vector<uint64_t> classes_;
  std::vector<uint32_t> slots_, bases_;
};

// By default a capture hashes strings and arrays of numbers.
ContentPlan PlanWithHashes() {
  ContentPlan plan;
  plan.hashes = true;
  plan.salt = {0x0123456789ABCDEF, 0xFEDCBA9876543210};
  return plan;
}

void WalkOneThread(benchmark::State& state) {
  const SyntheticHeap heap(static_cast<size_t>(state.range(0)));
  const ContentPlan plan = PlanWithHashes();
  LayoutPolicy layout = X64Layout(10);
  if (state.range(1) != 0) layout.contents = &plan;
  const HeapRange laid = heap.Range();
  WalkMemory memory;
  constexpr uint64_t kSpool = uint64_t{256} << 20;
  if (!memory.Map(kSpool)) return state.SkipWithError("no memory");
  WalkReport report;
  double spool = 0;
  for (auto _ : state) {
    state.PauseTiming();
    memory.Free();
    if (!memory.Map(kSpool) || !memory.Touch(kSpool / 2)) return state.SkipWithError("no memory");
    auto walker = std::make_unique<HeapWalker>(layout, memory);
    HeapRange range = laid;
    state.ResumeTiming();
    report = walker->Walk({&range, 1});
    if (report.problem_count != 0) return state.SkipWithError("the heap is wrong");
    spool = static_cast<double>(memory.SpoolUsed());
  }
  const auto objects = static_cast<double>(report.objects + report.free_objects);
  state.counters["ns/object"] =
      benchmark::Counter(objects * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["objects"] = objects;
  state.counters["edges/object"] = static_cast<double>(report.edges) / objects;
  state.counters["heap B/object"] = static_cast<double>(laid.length) / objects;
  state.counters["spool B/object"] = spool / objects;
}
BENCHMARK(WalkOneThread)
    ->ArgNames({"group", "hashes"})
    ->Args({40, 0})
    ->Args({40, 1})
    ->Args({0, 0})
    ->Args({0, 1})
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1);

// The floor: nothing but stepping from header to header.
void HeadersOnly(benchmark::State& state) {
  const SyntheticHeap heap(static_cast<size_t>(state.range(0)));
  const HeapRange laid = heap.Range();
  uint64_t objects = 0;
  for (auto _ : state) {
    objects = 0;
    for (uint64_t at = laid.start; at < laid.start + laid.length; ++objects) {
      const auto head = Load<uint64_t>(Load<uint64_t>(at));
      uint64_t size = head >> 32;
      if (head & kFlagHasComponentSize) size += (head & kComponentSizeMask) * Load<uint32_t>(at + 8);
      at += stream::AlignUp(size, 8);
    }
    benchmark::DoNotOptimize(objects);
  }
  state.counters["ns/object"] = benchmark::Counter(
      static_cast<double>(objects) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(HeadersOnly)->ArgName("group")->Arg(40)->Arg(0)->Unit(benchmark::kMillisecond)->MinTime(1);

}  // namespace
}  // namespace cairn::collector

BENCHMARK_MAIN();
