#include "tests/bench/analysis/synthetic_heap.h"

#include <memory>
#include <vector>

#include "snapshot-format/file/snapshot_writer.h"
#include "snapshot-format/testing/object_encoder.h"

namespace cairn::bench {
namespace {

using snapshot::Generation;
using snapshot::testing::ObjectEncoder;
using snapshot::testing::PlacedObject;
using snapshot::testing::SlotTargets;

enum TypeId : uint32_t { kOrder, kList, kItemArray, kItem, kString, kShared, kOrderArray, kTypeCount };

constexpr uint64_t kRegion = 4u << 20;
constexpr uint64_t kObjectsPerOrder = 12;  // order, list, array, 4 items, 5 strings
constexpr uint64_t kUnitBytes = 48 + 32 + 56 + 4 * 32;
constexpr uint64_t kSharedBytes = 40;
constexpr uint64_t kHeapStart = 0x7F0000000000;

uint64_t Mix(uint64_t x) {
  x = (x ^ x >> 31) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9;
  return x ^ x >> 32;
}

uint64_t StringLength(uint64_t order, uint64_t i) { return Mix(order * 8 + i) % 16; }
uint64_t StringBytes(uint64_t length) { return stream::AlignUp(22 + 2 * length, 8); }

snapshot::Type MakeType(const char* name, uint64_t base_size, std::vector<uint32_t> fixed, uint32_t component_size = 0,
                        std::vector<uint32_t> element = {}) {
  snapshot::Type type;
  type.name = name;
  type.kind = component_size ? snapshot::TypeKind::kArray : snapshot::TypeKind::kClass;
  type.layout = {base_size, component_size, static_cast<uint32_t>(fixed.size()), static_cast<uint32_t>(element.size()),
                 false};
  type.fixed_slots = std::move(fixed);
  type.element_slots = std::move(element);
  return type;
}

std::vector<snapshot::Type> MakeTypes() {
  std::vector<snapshot::Type> types(kTypeCount);
  types[kOrder] = MakeType("Shop.Order", 48, {8, 16, 24, 32});  // customer, items, note, previous
  types[kList] = MakeType("System.Collections.Generic.List<Shop.Item>", 32, {8});
  types[kItemArray] = MakeType("Shop.Item[]", 24, {}, 8, {0});
  types[kItem] = MakeType("Shop.Item", 32, {8, 16});  // product, label
  types[kString] = MakeType("System.String", 22, {}, 2);
  types[kString].kind = snapshot::TypeKind::kString;
  types[kShared] = MakeType("Shop.Product", kSharedBytes, {});
  types[kOrderArray] = MakeType("Shop.Order[]", 24, {}, 8, {0});
  return types;
}

class Generator {
 public:
  Generator(snapshot::SnapshotWriter& writer, uint64_t objects)
      : writer_(writer), orders_(objects / (kObjectsPerOrder + 1) + 1), summary_(MakeSummary()) {
    for (const auto& type : summary_.types) layouts_.push_back(type.layout);
    encoder_ = std::make_unique<ObjectEncoder>(layouts_, 3u, [this](const auto& header, const auto& columns) {
      if (status_) status_ = Write(header, columns);
    });
  }

  Status Run() {
    BeginRange(Generation::kGen2);
    for (uint64_t i = 0; i < orders_; ++i) {
      Reserve(kSharedBytes);
      shared_.push_back(next_);
      Add(kShared, kSharedBytes, 0, {});
    }
    for (uint64_t i = 0; i < orders_ && status_; ++i) AddOrder(i);
    EndRange();
    AddOrderArray();
    CAIRN_TRY(status_);
    snapshot::Root root;
    root.kind = snapshot::RootKind::kStatic;
    root.name = "Shop.Orders.All";
    root.object = array_;
    summary_.roots.push_back(root);
    return Finish();
  }

 private:
  static snapshot::Summary MakeSummary() {
    snapshot::Summary summary;
    summary.types = MakeTypes();
    summary.complete = true;
    summary.capture.id = "00112233445566778899aabbccddeeff";
    summary.process.gc_mode = "server";
    summary.process.architecture = "x64";
    return summary;
  }

  void BeginRange(Generation generation) {
    summary_.ranges.emplace_back();
    summary_.ranges.back().start = next_;
    summary_.ranges.back().generation = generation;
    encoder_->BeginRange(static_cast<uint32_t>(summary_.ranges.size() - 1));
  }

  void EndRange() {
    encoder_->EndRange();
    snapshot::Range& range = summary_.ranges.back();
    range.length = range.walked = range.reserved = next_ - range.start;
    next_ = stream::AlignUp(next_ + 1, kRegion);
  }

  // Opens the next region when `bytes` do not fit.
  void Reserve(uint64_t bytes) {
    if (next_ + bytes - summary_.ranges.back().start <= kRegion) return;
    EndRange();
    BeginRange(Generation::kGen2);
  }

  void Add(uint32_t type, uint64_t size, uint64_t length, SlotTargets targets) {
    PlacedObject object{type, next_, next_ + size, length, 0, std::move(targets)};
    object.slots = snapshot::testing::SlotCount(layouts_[type], length, 0);
    for (auto* count : {&summary_.ranges.back().objects, &summary_.types[type].objects, &summary_.totals.objects})
      ++*count;
    for (auto* bytes : {&summary_.ranges.back().bytes, &summary_.types[type].bytes, &summary_.totals.bytes})
      *bytes += size;
    summary_.ranges.back().edges += object.targets.size();
    summary_.totals.edges += object.targets.size();
    encoder_->Add(object);
    next_ += size;
  }

  void AddOrder(uint64_t i) {
    Reserve(kUnitBytes + 5 * StringBytes(15));
    uint64_t strings[5], at = next_ + kUnitBytes;
    for (uint64_t s = 0; s < 5; ++s) {
      strings[s] = at;
      at += StringBytes(StringLength(i, s));
    }
    const uint64_t list = next_ + 48, array = list + 32, item = array + 56;
    const uint64_t customer = shared_[Mix(i) % shared_.size()];
    SlotTargets order = {{0, customer}, {1, list}, {2, strings[4]}};
    if (!starts_.empty()) order.push_back({3, starts_.back()});
    starts_.push_back(next_);
    Add(kOrder, 48, 0, order);
    Add(kList, 32, 0, {{0, array}});
    Add(kItemArray, 56, 4, {{0, item}, {1, item + 32}, {2, item + 64}, {3, item + 96}});
    for (uint64_t k = 0; k < 4; ++k)
      Add(kItem, 32, 0, {{0, shared_[Mix(i * 4 + k) % shared_.size()]}, {1, strings[k]}});
    for (uint64_t s = 0; s < 5; ++s) Add(kString, StringBytes(StringLength(i, s)), StringLength(i, s), {});
  }

  void AddOrderArray() {
    BeginRange(Generation::kLoh);
    array_ = next_;
    SlotTargets targets;
    for (uint64_t i = 0; i < orders_; ++i) targets.push_back({i, starts_[i]});
    Add(kOrderArray, 24 + 8 * orders_, orders_, std::move(targets));
    EndRange();
  }

  Status Write(const stream::ChunkHeader& header, const stream::ChunkColumns& columns) {
    std::vector<std::vector<uint8_t>> frames;
    std::vector<snapshot::StoredColumn> stored;
    for (const auto kind : stream::kAllColumns) {
      const auto raw = columns.column[ColumnSlot(kind)];
      auto frame = snapshot::CompressColumn(raw);
      if (!frame) return tl::make_unexpected(frame.error());
      frames.push_back(std::move(*frame));
      stored.push_back({kind, static_cast<uint32_t>(raw.size()), frames.back()});
    }
    ++summary_.totals.chunks;
    return writer_.AddChunk(header, stored);
  }

  Status Finish() {
    summary_.totals.types = kTypeCount;
    summary_.totals.roots = summary_.roots.size();
    for (uint32_t type = 0; type < kTypeCount; ++type) CAIRN_TRY(writer_.AddFields(type, {}));
    const auto bytes = writer_.Finish(summary_);
    return bytes ? Status() : Status(tl::make_unexpected(bytes.error()));
  }

  snapshot::SnapshotWriter& writer_;
  const uint64_t orders_;
  snapshot::Summary summary_;
  std::vector<stream::TypeLayout> layouts_;
  std::unique_ptr<ObjectEncoder> encoder_;
  Status status_;
  uint64_t next_ = kHeapStart, array_ = 0;
  std::vector<uint64_t> shared_, starts_;  // addresses
};

}  // namespace

Status WriteSyntheticHeap(const std::string& path, uint64_t objects) {
  snapshot::SnapshotWriter::Options options;
  options.overwrite = true;
  auto writer = snapshot::SnapshotWriter::Create(path, options);
  if (!writer) return tl::make_unexpected(writer.error());
  return Generator(**writer, objects).Run();
}

}  // namespace cairn::bench
