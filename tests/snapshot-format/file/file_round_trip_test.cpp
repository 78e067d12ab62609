#include <sys/stat.h>

#include <thread>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

using FileRoundTripTest = SnapshotFileTest;

// Every member of the model, each with a value of its own.
Summary DistinctSummary() {
  Summary s;
  s.process = {.pid = 1,
               .name = "n",
               .command_line = "n --x",
               .runtime = "10.0.12",
               .gc_mode = "server",
               .architecture = "x86",
               .pointer_size = 4,
               .address_shift = 2};
  Capture& c = s.capture;
  c.id = "0f", c.captured_at = "2026-05-06T07:08:09Z", c.cairn_version = "0.1", c.gc_requested = "young";
  c.gc_actual = "gen1", c.roots = "young", c.method = "fork", c.threads = 7, c.through_api = true;
  c.pause_ms = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5};
  c.concurrent_gc_off_ms = 7.25, c.child_ms = 8.25, c.elapsed_ms = 9.25;
  c.memory = {11, 12, 13, 14};
  c.reconciled_source = "event", c.reconciled_difference_bytes = -15, c.strings = "hash", c.values = true,
  c.salt_id = "5a17";
  s.problems = {{"a.b", "it happened", true}, {"c.d", "beware", false}};
  s.ranges = {{.start = 0x1000,
               .length = 96,
               .reserved = 4096,
               .generation = Generation::kGen1,
               .alignment = 4,
               .objects = 1,
               .bytes = 2,
               .free_objects = 3,
               .free_bytes = 4,
               .largest_free = 5,
               .edges = 6,
               .walked = 95}};
  s.modules = {{"M.dll", "/m/M.dll", true}};
  Type type;
  type.name = "T[,]", type.module = 0, type.base = "B", type.base_type = 0, type.kind = TypeKind::kArray, type.rank = 2;
  type.element = "T", type.collectible = true, type.method_table = 0xFFFFFFFFFFFFFFF0;
  type.layout = {.base_size = 24, .component_size = 16, .fixed_slots = 1, .element_slots = 2, .explicit_slots = true};
  type.fixed_slots = {8}, type.element_slots = {0, 0x12345678}, type.elements_offset = 32,
  type.loader_allocator = 0x1008;
  type.objects = 1ull << 33, type.bytes = 1ull << 40;
  s.types = {type};
  s.threads = {{100, 3, "worker"}, {101, 0, ""}};
  s.roots = {{RootKind::kHandleWeak, 0x1000, 0x2000, "R", 1, false, true, true}, {}};
  s.dependents = {{0x1000, 0}};
  s.methods = {{0x10, "M"}, {~0ull, "N"}};
  s.totals = {.objects = 1ull << 35,
              .bytes = 1ull << 50,
              .free_objects = 3,
              .free_bytes = 4,
              .edges = 5,
              .chunks = 0,
              .roots = 2,
              .dependents = 1,
              .types = 1};
  s.complete = true;
  return s;
}

TEST_F(FileRoundTripTest, EveryMemberOfTheSummaryComesBack) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE(writer) << writer.error().message;
  const auto bytes = (*writer)->Finish(DistinctSummary());
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes % 65536, 0u);
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->FileBytes(), *bytes);
  EXPECT_EQ(reader->Path(), path_);
  EXPECT_EQ(SummaryText(reader->Summary()), SummaryText(DistinctSummary()));
}

// SummaryText walks the same descriptions as the file; this one does not.
TEST_F(FileRoundTripTest, MembersComeBackInTheirPlaces) {
  auto writer = SnapshotWriter::Create(path_, {});
  ASSERT_TRUE((*writer)->Finish(DistinctSummary()));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const Summary& s = reader->Summary();
  EXPECT_EQ(s.process.command_line, "n --x");
  EXPECT_EQ(s.process.pointer_size, 4);
  EXPECT_EQ(s.capture.pause_ms.fork_ms, 6.5);
  EXPECT_EQ(s.capture.child_ms, 8.25);
  EXPECT_EQ(s.capture.memory.limit_bytes, 13u);
  EXPECT_EQ(s.capture.memory.copied_bytes, 14u);
  EXPECT_EQ(s.capture.reconciled_difference_bytes, -15);
  EXPECT_EQ(s.capture.strings, "hash");
  EXPECT_EQ(s.ranges[0].generation, Generation::kGen1);
  EXPECT_EQ(s.ranges[0].walked, 95u);
  EXPECT_EQ(s.ranges[0].largest_free, 5u);
  EXPECT_EQ(s.types[0].rank, 2);
  EXPECT_EQ(s.types[0].method_table, 0xFFFFFFFFFFFFFFF0u);
  EXPECT_EQ(s.types[0].layout.element_slots, 2u);
  EXPECT_EQ(s.types[0].element_slots[1], 0x12345678u);
  EXPECT_EQ(s.types[0].bytes, 1ull << 40);
  EXPECT_EQ(s.threads[0].managed_id, 3u);
  EXPECT_EQ(FindMethod(s, ~0ull)->name, "N");
  EXPECT_EQ(FindMethod(s, 0x11), nullptr);
  EXPECT_TRUE(s.capture.values);
  EXPECT_EQ(s.capture.salt_id, "5a17");
  EXPECT_TRUE(s.roots[0].interior && s.roots[0].pinning && !s.roots[0].certain);
  EXPECT_EQ(s.roots[1].thread, kNoId);
  EXPECT_EQ(s.totals.objects, 1ull << 35);
  EXPECT_FALSE(s.problems[1].incomplete);
}

TEST_F(FileRoundTripTest, EmptySnapshot) {
  auto writer = SnapshotWriter::Create(path_, {});
  Summary summary;
  summary.capture.memory.limit_bytes = std::nullopt;
  ASSERT_TRUE((*writer)->Finish(summary));
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(SummaryText(reader->Summary()), SummaryText(summary));
  EXPECT_TRUE((*reader->Chunks())->empty());
  const auto report = Verify(*reader);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->objects, 0u);
}

TEST_F(FileRoundTripTest, ObjectsComeBackInAddressOrder) {
  WriteFull();
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const std::vector<ChunkInfo>& chunks = **reader->Chunks();
  // a, text, b, big (cut) | rest of big, map, list, word | large | literal
  ASSERT_EQ(chunks.size(), 4u);
  EXPECT_EQ(chunks[0].header.object_count, 4u);
  EXPECT_EQ(chunks[1].first_object, 4u);
  EXPECT_EQ(chunks[1].header.object_count, 3u);
  EXPECT_EQ(chunks[2].first_object, 7u);
  EXPECT_EQ(chunks[3].first_object, 8u);
  stream::DecodedChunk chunk;
  ASSERT_TRUE(reader->ReadChunk(0, chunk));
  EXPECT_EQ(chunk.slots[3], 300000u);
  EXPECT_EQ(chunk.targets.size(), 262144u);
  ASSERT_TRUE(reader->ReadChunk(1, chunk));
  EXPECT_EQ(chunk.first_slot[0], 300000u - (262144 - 4));  // a and b have two slots each
  EXPECT_EQ(chunk.targets[chunk.first_slot[0] - 1], chunk.addresses[0] - 0 == 0 ? 0 : FullBuilder().AddressOf("text"));
  EXPECT_FALSE(reader->ReadChunk(4, chunk));
}

TEST_F(FileRoundTripTest, ChunksOfRangesMayComeInAnyOrder) {
  WriteFull();
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  auto writer = SnapshotWriter::Create(folder_.File("other.cairn"), {});
  Summary summary = reader->Summary();
  // Headers only: what counts here is the order.
  for (const size_t chunk : {3u, 0u, 2u, 1u}) ASSERT_TRUE((*writer)->AddChunk((**reader->Chunks())[chunk].header, {}));
  ASSERT_TRUE((*writer)->Finish(summary));
  const auto other = SnapshotReader::Open(folder_.File("other.cairn"));
  ASSERT_TRUE(other) << other.error().message;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((**(*other)->Chunks())[i].header.range, (**reader->Chunks())[i].header.range);
    EXPECT_EQ((**(*other)->Chunks())[i].first_object, (**reader->Chunks())[i].first_object);
  }
}

TEST_F(FileRoundTripTest, FieldsComeBackOnDemand) {
  WriteFull();
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const auto fields = reader->ReadFields(0);
  ASSERT_TRUE(fields);
  ASSERT_EQ(fields->size(), 3u);
  EXPECT_EQ((*fields)[1].name, "value");
  EXPECT_EQ((*fields)[1].offset, 16u);
  EXPECT_EQ((*fields)[1].kind, FieldKind::kReference);
  EXPECT_EQ((*fields)[2].element_type, 0x08);
  EXPECT_TRUE(reader->ReadFields(1)->empty());
  EXPECT_FALSE(reader->ReadFields(5));
}

TEST_F(FileRoundTripTest, TextsOfAnyBytesComeBack) {
  SnapshotBuilder builder;
  const std::string odd("a\0b\xFF\xFE 'quoted' \xE2\x98\x83", 19);
  builder.Class(odd, {odd});
  builder.Process().command_line = odd;
  Write(builder);
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->Summary().types[0].name, odd);
  EXPECT_EQ(reader->Summary().process.command_line, odd);
  EXPECT_EQ(reader->ReadFields(0)->at(0).name, odd);
}

TEST_F(FileRoundTripTest, TextBeyondTheLimitIsCutAndSaysSo) {
  SnapshotBuilder builder;
  builder.Class(std::string(2'000'000, 'x'));
  Write(builder);
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const std::string& name = reader->Summary().types[0].name;
  EXPECT_LE(name.size(), 1u << 20);
  EXPECT_TRUE(name.ends_with("… (cut; 2000000 bytes)"));
}

TEST_F(FileRoundTripTest, NumbersThatAreNoneBecomeZero) {
  SnapshotBuilder builder;
  builder.Capture().elapsed_ms = std::numeric_limits<double>::quiet_NaN();
  builder.Capture().child_ms = std::numeric_limits<double>::infinity();
  Write(builder);
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->Summary().capture.elapsed_ms, 0);
  EXPECT_EQ(reader->Summary().capture.child_ms, 0);
}

TEST_F(FileRoundTripTest, ReadersOfOtherThreadsSeeTheSame) {
  WriteFull();
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const std::string expected = Content(*reader);
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& text : found) {
    threads.emplace_back([&] {
      const auto another = reader->Another();
      text = another ? Content(**another) : another.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : found) EXPECT_EQ(text, expected);
}

TEST_F(FileRoundTripTest, ReadingLeavesNothingBesideTheFile) {
  WriteFull();
  const std::vector<uint8_t> before = ReadAll(path_);
  EXPECT_FALSE(ContentOf(path_).starts_with("error"));
  EXPECT_EQ(folder_.Names(), std::vector<std::string>{"test.cairn"});
  EXPECT_EQ(ReadAll(path_), before);
}

TEST_F(FileRoundTripTest, NamesThatSqliteWouldReadAsMoreThanANameWork) {
  for (const char* name : {"a?mode=rwc.cairn", "a#b%41.cairn", "file:x.cairn", "sp ace \xC3\xA4.cairn"}) {
    path_ = folder_.File(name);
    WriteFull();
    EXPECT_FALSE(ContentOf(path_).starts_with("error")) << ContentOf(path_);
  }
  EXPECT_EQ(folder_.Names().size(), 4u);
}

}  // namespace
}  // namespace cairn::snapshot::testing
