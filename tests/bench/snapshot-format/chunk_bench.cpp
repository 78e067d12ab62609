// Cost of one object in the encoder and in the decoder, on a mix like that of a web application: small
// classes, strings, a few arrays; 1.6 slots an object.

#include <benchmark/benchmark.h>

#include <random>

#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/stream/checksum.h"
#include "snapshot-format/testing/object_encoder.h"

namespace cairn::stream {
namespace {

using snapshot::testing::ObjectEncoder;
using snapshot::testing::PlacedObject;

constexpr uint64_t kObjects = 1'000'000;
constexpr uint64_t kStart = 0x7F0000000000;

const std::vector<TypeLayout>& Types() {
  static const std::vector<TypeLayout> types = [] {
    std::vector<TypeLayout> all;
    for (uint32_t slots = 0; slots < 8; ++slots) all.push_back({.base_size = 24 + 8 * slots, .fixed_slots = slots});
    all.push_back({.base_size = 22, .component_size = 2});
    all.push_back({.base_size = 24, .component_size = 8, .element_slots = 1});
    return all;
  }();
  return types;
}

// The order of types and the shape of references. Real heaps lie between the two: what was allocated in a
// loop repeats itself, and a processor foresees it.
enum Order : int64_t { kRepeating = 0, kRandom = 1 };

// Draws numbers, or in a repeating heap the same 24 over and over.
class Dice {
 public:
  explicit Dice(Order order) : order_(order) {}
  uint64_t operator()() {
    if (order_ == kRandom) return random_();
    if (at_ % 24 == 0) random_.seed(7);
    ++at_;
    return random_();
  }

 private:
  Order order_;
  std::mt19937_64 random_{7};
  uint64_t at_ = 0;
};

// Objects refer to neighbours mostly, to anything sometimes, to nothing in a third of the slots.
std::vector<PlacedObject> MakeHeap(Order order) {
  Dice random(order);
  std::vector<PlacedObject> heap(kObjects);
  uint64_t address = kStart;
  for (uint64_t i = 0; i < kObjects; ++i) {
    PlacedObject& object = heap[i];
    const uint64_t dice = random() % 16;
    object.type = dice < 5 ? 8 : dice == 5 ? 9 : static_cast<uint32_t>(random() % 4);
    const TypeLayout& layout = Types()[object.type];
    object.length = layout.HasLength() ? random() % 16 : 0;
    object.slots = snapshot::testing::SlotCount(layout, object.length, 0);
    object.address = address;
    object.end = address = address + AlignUp(layout.base_size + layout.component_size * object.length, 8);
  }
  for (uint64_t i = 0; i < kObjects; ++i) {
    for (uint64_t slot = 0; slot < heap[i].slots; ++slot) {
      const uint64_t dice = random() % 6;
      if (dice < 2) continue;
      const uint64_t target = dice < 5 ? std::min(kObjects - 1, i + random() % 8) : random() % kObjects;
      heap[i].targets.emplace_back(slot, heap[target].address);
    }
  }
  return heap;
}

const std::vector<PlacedObject>& TheHeap(Order order) {
  static const std::vector<PlacedObject> heaps[] = {MakeHeap(kRepeating), MakeHeap(kRandom)};
  return heaps[order];
}

Order OrderOf(const benchmark::State& state) { return static_cast<Order>(state.range(0)); }

struct KeptChunk {
  ChunkHeader header;
  std::vector<uint8_t> column[kColumnCount];
};

void EncodeAll(Order order, const ObjectEncoder::Sink& sink) {
  ObjectEncoder encoder(Types(), 3, sink);
  encoder.BeginRange(0);
  for (const PlacedObject& object : TheHeap(order)) encoder.Add(object);
  encoder.EndRange();
}

std::vector<KeptChunk> MakeChunks(Order order) {
  std::vector<KeptChunk> chunks;
  EncodeAll(order, [&](const ChunkHeader& header, const ChunkColumns& columns) {
    KeptChunk& chunk = chunks.emplace_back();
    chunk.header = header;
    for (size_t i = 0; i < kColumnCount; ++i)
      chunk.column[i].assign(columns.column[i].begin(), columns.column[i].end());
  });
  return chunks;
}

const std::vector<KeptChunk>& TheChunks(Order order) {
  static const std::vector<KeptChunk> chunks[] = {MakeChunks(kRepeating), MakeChunks(kRandom)};
  return chunks[order];
}

void PerObject(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kObjects));
  // Shown in seconds with a prefix: 12n is 12 ns.
  state.counters["per_object"] = benchmark::Counter(static_cast<double>(state.iterations()) * kObjects,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Includes the walk over the prepared objects, which stands for the walk over the heap.
void EncodeChunks(benchmark::State& state) {
  (void)TheHeap(OrderOf(state));
  uint64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    EncodeAll(OrderOf(state), [&](const ChunkHeader&, const ChunkColumns& columns) {
      for (const auto& column : columns.column) bytes += column.size();
    });
  }
  PerObject(state);
  state.counters["B/object"] = static_cast<double>(bytes) / kObjects;
}
BENCHMARK(EncodeChunks)->ArgName("random")->Arg(kRepeating)->Arg(kRandom)->Unit(benchmark::kMillisecond);

void DecodeChunks(benchmark::State& state) {
  ChunkDecoder decoder(Types(), 3);
  DecodedChunk out;
  for (auto _ : state) {
    for (const KeptChunk& chunk : TheChunks(OrderOf(state))) {
      ChunkColumns columns;
      for (size_t i = 0; i < kColumnCount; ++i) columns.column[i] = chunk.column[i];
      const std::string wrong = decoder.Decode(chunk.header, columns, 8, out);
      if (!wrong.empty()) state.SkipWithError(wrong.c_str());
      benchmark::DoNotOptimize(out.targets.data());
    }
  }
  PerObject(state);
}
BENCHMARK(DecodeChunks)->ArgName("random")->Arg(kRepeating)->Arg(kRandom)->Unit(benchmark::kMillisecond);

void CompressChunks(benchmark::State& state) {
  uint64_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const KeptChunk& chunk : TheChunks(OrderOf(state))) {
      for (const auto& column : chunk.column) bytes += snapshot::CompressColumn(column)->size();
    }
  }
  PerObject(state);
  state.counters["B/object"] = static_cast<double>(bytes) / kObjects;
}
BENCHMARK(CompressChunks)->ArgName("random")->Arg(kRepeating)->Arg(kRandom)->Unit(benchmark::kMillisecond);

void Checksum(benchmark::State& state) {
  const std::vector<uint8_t> bytes(1 << 20, 0x5A);
  for (auto _ : state) benchmark::DoNotOptimize(Crc32c(0, bytes.data(), bytes.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes.size()));
}
BENCHMARK(Checksum);

}  // namespace
}  // namespace cairn::stream
