#include "tests/viewer/cli/sample_snapshots.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::cli::testing {
namespace {

using snapshot::Generation;
using snapshot::RootKind;
using snapshot::testing::SnapshotBuilder;

void Write(SnapshotBuilder& builder, const std::string& path) {
  if (auto written = builder.Write(path); !written) throw std::runtime_error(written.error().message);
}

void Describe(SnapshotBuilder& builder) {
  builder.Process() = {4242, "Shop", "dotnet Shop.dll --urls http://localhost:5000", "10.0.12", "server", "x64", 8, 3};
  snapshot::Capture& capture = builder.Capture();
  capture.id = "00112233445566778899aabbccddeeff";
  capture.captured_at = "2026-01-02T03:04:05Z";
  capture.cairn_version = "0.1.0";
  capture.gc_requested = capture.gc_actual = capture.roots = "full";
  capture.method = "pause";
  capture.threads = 2;
  capture.pause_ms = {195.25, 0.3, 170.4, 4.05, 20.5, 0};
  capture.concurrent_gc_off_ms = 812.5;
  capture.elapsed_ms = 1250;
  capture.memory = {1'234'567'168, 1'073'741'824, {}, 0};
  capture.reconciled_source = "the GC's own figures";
}

// Shop.Order: method table 8, header 8, two references 16, data 16: 48 bytes. "Shop.Order[]" of n: 24 + 8n.
// System.String of n: 22 + 2n, rounded up to 8.
struct Shop {
  explicit Shop(int leaked) {
    Describe(builder);
    const uint32_t shop = builder.Module("Shop.dll"), core = builder.Module("System.Private.CoreLib.dll");
    const uint32_t order = builder.Class("Shop.Order", {"customer", "next"}, 16);
    const uint32_t text = builder.String();
    const uint32_t orders = builder.ReferenceArray("Shop.Order[]", "Shop.Order");
    const uint32_t entries = builder.StructArray(
        "System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry[]", 24, {{"key", 0}, {"value", 8}});
    const uint32_t subscription = builder.Class("Shop.Prices.Subscription", {"order"});
    for (const uint32_t type : {order, orders, subscription}) builder.TypeAt(type).module = shop;
    for (const uint32_t type : {text, entries}) builder.TypeAt(type).module = core;
    builder.Range(Generation::kGen0, 0x7f0000001000);
    for (int i = 0; i < 5; ++i) builder.Object("new" + std::to_string(i), order, {"name"});
    builder.Gap(64);
    for (int i = 0; i < leaked; ++i) builder.Object("leak" + std::to_string(i), subscription, {"new0"});
    builder.Range(Generation::kGen2, 0x7f0000100000);
    builder.Array("name", text, 5);                      // 32
    builder.Array("all", orders, 10, {"new0", "new1"});  // 104
    builder.Range(Generation::kLoh, 0x7f0000200000);
    builder.Array("map", entries, 5000, {"name", "new2"});  // 24 + 5000 × 24 = 120,024
    builder.Range(Generation::kFrozen, 0x7f0000300000);
    builder.Array("literal", text, 3);  // 28 → 32
    builder.Root(RootKind::kStatic, "map", "Shop.Cache.Instance");
    builder.Root(RootKind::kStatic, "all", "Shop.Order.All");
    for (int i = 0; i < leaked; ++i) builder.Root(RootKind::kStatic, "leak" + std::to_string(i), "Shop.Prices.Changed");
    if (leaked > 0) AddLocal();
  }
  // A method holds the first leaked object for the time being.
  void AddLocal() {
    snapshot::Root local;
    local.kind = RootKind::kLocal;
    local.name = "Shop.Program.Main";
    local.thread = builder.Thread("Main", 42, 1);
    local.certain = false;
    builder.AddRoot(local, "leak0");
  }
  SnapshotBuilder builder;
};

void WriteOdd(const std::string& path) {
  SnapshotBuilder builder;
  Describe(builder);
  builder.Capture().roots = builder.Capture().gc_requested = "young";
  builder.Capture().gc_actual = "gen1";
  builder.Capture().method = "fork";
  builder.Capture().pause_ms.fork_ms = 21;
  builder.Capture().child_ms = 400;
  builder.Capture().memory.limit_bytes = 2'147'483'648;
  builder.Capture().memory.copied_bytes = 104'857'600;
  builder.Capture().reconciled_difference_bytes = -4096;
  const uint32_t evil = builder.Class("Evil\x1b[31m\r\nName, \"quoted\"\xff");
  const uint32_t order = builder.Class("Shop.Order", {"customer", "next"}, 16);
  builder.TypeAt(order).module = builder.Module("Shop\x07.dll");
  builder.Object("", evil);
  builder.Object("", order);
  builder.Problem("walk.bad_method_table", "the object at 0x7f0000000030 has no type; 4,096 bytes were not walked");
  builder.Problem("gc.escalated", "the runtime collected generation 1 where generation 0 was asked for", false);
  Write(builder, path);
}

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

SampleSnapshots::SampleSnapshots() {
  std::string pattern = std::filesystem::temp_directory_path() / "cairn-cli-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the samples");
  folder_ = pattern;
  Shop base(0), head(3);
  Write(base.builder, Path("base.cairn"));
  Write(head.builder, Path("head.cairn"));
  WriteOdd(Path("odd.cairn"));
}

SampleSnapshots::~SampleSnapshots() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void SampleSnapshots::WriteText(const std::string& name, const std::string& content) const {
  std::ofstream(Path(name), std::ios::binary) << content;
}

void SampleSnapshots::WriteCapturedAt(const std::string& name, const std::string& time) const {
  Shop base(0);
  base.builder.Capture().captured_at = time;
  Write(base.builder, Path(name));
}

void SampleSnapshots::WriteCut(const std::string& name, size_t bytes) const {
  WriteText(name, Content(Path("base.cairn")).substr(0, bytes));
}

void SampleSnapshots::WriteChanged(const std::string& name, size_t at, const std::string& bytes) const {
  WriteText(name, Content(Path("base.cairn")).replace(at, bytes.size(), bytes));
}

void SampleSnapshots::WriteWithDamagedChunk(const std::string& name) const {
  SnapshotBuilder builder;
  Describe(builder);
  const uint32_t node = builder.Class("Node");
  for (int i = 0; i < 70'000; ++i) builder.Object("", node);
  builder.BeforeChunk([](stream::ChunkHeader& header) {
    if (header.sequence == 1) header.end_address += 8;
  });
  Write(builder, Path(name));
}

void SampleSnapshots::WriteManyTypes(const std::string& name, int types) const {
  SnapshotBuilder builder;
  Describe(builder);
  for (int i = 0; i < types; ++i)
    builder.Root(RootKind::kHandleStrong, builder.Object("", builder.Class("Generated.Type" + std::to_string(i))));
  Write(builder, Path(name));
}

const SampleSnapshots& Samples() {
  static const SampleSnapshots samples;
  return samples;
}

}  // namespace cairn::cli::testing
