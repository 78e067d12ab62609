// Opening a snapshot with many types and ranges, and writing and verifying many objects.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "snapshot-format/file/verifier.h"
#include "snapshot-format/testing/snapshot_builder.h"

namespace cairn::snapshot::testing {
namespace {

std::string FileName(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

// 30,000 types with fields, 2,000 ranges, 100,000 roots.
void OpenManyTypes(benchmark::State& state) {
  const std::string path = FileName("cairn-bench-types.cairn");
  SnapshotBuilder builder;
  for (int i = 0; i < 30000; ++i) {
    builder.Class("Company.Product.Area" + std::to_string(i % 300) + ".SomeRatherLongTypeName" + std::to_string(i),
                  {"_first", "_second", "_third"}, 8);
  }
  for (uint32_t i = 0; i < 2000; ++i) {
    builder.Range(Generation::kGen2);
    builder.Object("o" + std::to_string(i), i);
  }
  for (int i = 0; i < 100000; ++i) builder.Root(RootKind::kHandleStrong, "o" + std::to_string(i % 2000));
  const auto written = builder.Write(path);
  if (!written) return state.SkipWithError(written.error().message.c_str());
  for (auto _ : state) {
    const auto reader = SnapshotReader::Open(path);
    if (!reader) return state.SkipWithError(reader.error().message.c_str());
    benchmark::DoNotOptimize((*reader)->Summary().types.size());
  }
  state.counters["file_bytes"] = static_cast<double>(*written);
  std::filesystem::remove(path);
}
BENCHMARK(OpenManyTypes)->Unit(benchmark::kMillisecond);

void FillObjects(SnapshotBuilder& builder, uint32_t objects) {
  const uint32_t node = builder.Class("Node", {"next", "value"});
  for (uint32_t i = 0; i < objects; ++i) builder.Object("", node, {ObjectHandle{i / 2}});
}

void VerifyObjects(benchmark::State& state) {
  constexpr uint32_t kObjects = 1'000'000;
  const std::string path = FileName("cairn-bench-objects.cairn");
  SnapshotBuilder builder;
  FillObjects(builder, kObjects);
  const auto written = builder.Write(path);
  if (!written) return state.SkipWithError(written.error().message.c_str());
  auto reader = SnapshotReader::Open(path);
  for (auto _ : state) {
    const auto report = Verify(**reader);
    if (!report || !report->errors.empty()) return state.SkipWithError("the snapshot does not verify");
  }
  state.counters["per_object"] = benchmark::Counter(static_cast<double>(state.iterations()) * kObjects,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  std::filesystem::remove(path);
}
BENCHMARK(VerifyObjects)->Unit(benchmark::kMillisecond);

// What the writer alone costs: 1,600 chunks of 64 KiB columns stand for 100 million objects.
void WriteChunks(benchmark::State& state) {
  const std::string path = FileName("cairn-bench-chunks.cairn");
  std::vector<uint8_t> frame(64 << 10);
  for (size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  std::vector<StoredColumn> columns;
  for (const stream::ColumnKind kind : stream::kAllColumns) columns.push_back({kind, 1, frame});
  for (auto _ : state) {
    auto writer = SnapshotWriter::Create(path, {.overwrite = true, .vfs = ""});
    if (!writer) return state.SkipWithError(writer.error().message.c_str());
    for (uint32_t i = 0; i < 1600; ++i) {
      stream::ChunkHeader header;
      header.sequence = i;
      if (!(*writer)->AddChunk(header, columns)) return state.SkipWithError("a chunk was not written");
    }
    if (!(*writer)->Finish({})) return state.SkipWithError("the file was not finished");
  }
  state.SetBytesProcessed(state.iterations() * 1600 * 4 * static_cast<int64_t>(frame.size()));
  std::filesystem::remove(path);
}
BENCHMARK(WriteChunks)->Unit(benchmark::kMillisecond)->Iterations(2);

}  // namespace
}  // namespace cairn::snapshot::testing
