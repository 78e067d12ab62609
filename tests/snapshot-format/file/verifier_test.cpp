#include "snapshot-format/file/verifier.h"

#include <gmock/gmock.h>

#include "tests/snapshot-format/file/snapshot_cases.h"

namespace cairn::snapshot::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VerifierTest : public SnapshotFileTest {
 protected:
  std::vector<std::string> Errors(SnapshotBuilder& builder) {
    const auto written = builder.Write(path_);
    if (!written) return {written.error().message};
    auto reader = SnapshotReader::Open(path_);
    if (!reader) return {reader.error().message};
    const auto report = Verify(**reader);
    return report ? report->errors : std::vector<std::string>{report.error().message};
  }
  // Two nodes that know each other: 32 bytes each, at 0x7f0000001000.
  SnapshotBuilder Pair() {
    SnapshotBuilder builder;
    const uint32_t node = builder.Class("Node", {"next", "value"});
    builder.Object("a", node, {"b"});
    builder.Object("b", node, {"a"});
    return builder;
  }
};

TEST_F(VerifierTest, CountsWhatItChecked) {
  WriteFull();
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const auto report = Verify(*reader);
  ASSERT_TRUE(report);
  EXPECT_THAT(report->errors, ElementsAre());
  EXPECT_EQ(report->objects, 9u);
  // a: 2, b: 1, big: 3, map: 3, list: 1.
  EXPECT_EQ(report->edges, 10u);
  // types 4; lengths 4 (text, big | map | large | literal); gaps 1; references 2; values 1 (list); hashes and texts 4
  // each, since strings keep both.
  EXPECT_EQ(report->frames, 20u);
}

TEST_F(VerifierTest, FindsDanglingReferences) {
  SnapshotBuilder builder = Pair();
  builder.Refer({1}, 1, Target::Address(0x7F0000001008));
  EXPECT_THAT(Errors(builder),
              ElementsAre("object @1 at 0x7f0000001020 refers to 0x7f0000001008, where no object starts"));
  builder.Refer({1}, 1, Target::Address(0x10));
  EXPECT_THAT(Errors(builder), ElementsAre("object @1 at 0x7f0000001020 refers to 0x10, where no object starts"));
  builder.Refer({1}, 1, Target::Address(0x7F0000001001));  // unaligned
  EXPECT_THAT(Errors(builder),
              ElementsAre("object @1 at 0x7f0000001020 refers to 0x7f0000001001, where no object starts"));
}

TEST_F(VerifierTest, FindsDanglingReferencesOfAContinuedArray) {
  SnapshotBuilder builder;
  const ObjectHandle big = builder.Array("big", builder.ReferenceArray("Node[]"), 300000);
  builder.Refer(big, 299999, Target::Address(0x10));
  EXPECT_THAT(Errors(builder), ElementsAre("the array at 0x7f0000001000 refers to 0x10, where no object starts"));
}

TEST_F(VerifierTest, FindsDanglingRootsHandlesAndAllocators) {
  SnapshotBuilder builder = Pair();
  builder.Root(RootKind::kStatic, Target::Address(0x7F0000001008), "X");
  builder.Dependent("a", Target::Address(0x18));
  builder.Dependent("a", nullptr);  // a secondary may be null
  builder.Dependent(nullptr, "a");
  builder.LoaderAllocator(0, Target::Address(0x28));
  EXPECT_THAT(Errors(builder),
              ElementsAre(HasSubstr("root 0 (static) refers to 0x7f0000001008"),
                          HasSubstr("dependent handle 0 from 0x7f0000001000 to 0x18"),
                          HasSubstr("dependent handle 2 from 0x0"), HasSubstr("loader allocator 0x28")));
}

TEST_F(VerifierTest, InteriorRootsMayPointIntoTheHeapOnly) {
  SnapshotBuilder builder = Pair();
  builder.AddRoot({.kind = RootKind::kLocal, .name = "Main", .interior = true}, Target::Address(0x7F0000001008));
  EXPECT_THAT(Errors(builder), ElementsAre());
  builder.AddRoot({.kind = RootKind::kLocal, .name = "Main", .interior = true}, Target::Address(0x7F0000001040));
  EXPECT_THAT(Errors(builder), ElementsAre(HasSubstr("root 1 (local) refers to 0x7f0000001040")));
}

TEST_F(VerifierTest, FindsWrongCountsOfRanges) {
  const auto with = [&](auto change) {
    SnapshotBuilder builder = Pair();
    builder.Gap(64).Gap(32);
    builder.BeforeFinish([&](Summary& s) { change(s.ranges[0]); });
    return Errors(builder);
  };
  EXPECT_THAT(with([](Range&) {}), ElementsAre());
  EXPECT_THAT(with([](Range& r) { ++r.objects; }),
              ElementsAre("range 0 at 0x7f0000001000: 2 objects were found, and it states 3"));
  EXPECT_THAT(with([](Range& r) { --r.edges; }), ElementsAre(HasSubstr("2 edges were found, and it states 1")));
  EXPECT_THAT(with([](Range& r) { r.bytes = 72; }),
              ElementsAre(HasSubstr("64 bytes of objects were found, and it states 72")));
  EXPECT_THAT(with([](Range& r) { r.free_bytes = 95; }),
              ElementsAre(HasSubstr("96 bytes between objects were found, and it states 95")));
  EXPECT_THAT(with([](Range& r) { r.free_objects = 0; }), Contains(HasSubstr("1 gaps were found, and it states 0")));
  EXPECT_THAT(with([](Range& r) { r.largest_free = 97; }), ElementsAre(HasSubstr("96 bytes in the largest gap")));
}

TEST_F(VerifierTest, FindsWrongCountsOfTypesAndTotals) {
  SnapshotBuilder builder = Pair();
  builder.BeforeFinish([](Summary& s) {
    s.types[0].objects = 3;
    s.types[0].bytes = 1;
    s.totals.objects = 5, s.totals.bytes = 6, s.totals.edges = 7, s.totals.free_objects = 8, s.totals.free_bytes = 9;
  });
  EXPECT_THAT(Errors(builder), ElementsAre("type 0 (Node): 2 objects were found, and it states 3",
                                           "type 0 (Node): 64 bytes were found, and it states 1",
                                           "the totals: 2 objects were found, and it states 5",
                                           "the totals: 64 bytes were found, and it states 6",
                                           "the totals: 2 edges were found, and it states 7",
                                           "the totals: 0 Free objects were found, and it states 8",
                                           "the totals: 0 free bytes were found, and it states 9"));
}

TEST_F(VerifierTest, FindsARangeThatDoesNotEndExactly) {
  SnapshotBuilder builder = Pair();
  builder.BeforeFinish([](Summary& s) { s.ranges[0].length = s.ranges[0].walked = 72; });
  EXPECT_THAT(Errors(builder), Contains(HasSubstr("8 bytes between objects were found, and it states 0")));
  builder.BeforeFinish([](Summary& s) { s.ranges[0].length = s.ranges[0].walked = 56; });
  EXPECT_THAT(Errors(builder), Contains("the object at 0x7f0000001020 reaches beyond its range, number 0"));
  builder.BeforeFinish([](Summary& s) { s.ranges[0].walked = 32; });
  EXPECT_THAT(Errors(builder), Contains(HasSubstr("objects lie beyond what was walked")));
}

TEST_F(VerifierTest, CutWalkNeedsAnIncompleteSnapshot) {
  SnapshotBuilder builder = Pair();
  builder.BeforeFinish([](Summary& s) { s.ranges[0].length += 4096; });
  EXPECT_THAT(Errors(builder),
              ElementsAre(HasSubstr("was not walked to its end, and the snapshot calls itself complete")));
  builder.Problem("walk.fault", "cut");
  EXPECT_THAT(Errors(builder), ElementsAre());
}

TEST_F(VerifierTest, FindsOverlappingObjects) {
  SnapshotBuilder builder = Pair();
  builder.BeforeChunk([](stream::ChunkHeader& h) { h.first_address -= 32, h.end_address -= 32; });
  EXPECT_THAT(Errors(builder),
              Contains("the object at 0x7f0000000fe0 starts within the object before it, or before its range"));

  // Two chunks of one range, the second laid over the end of the first.
  SnapshotBuilder two;
  const uint32_t plain = two.Class("Plain");
  for (int i = 0; i < 65537; ++i) two.Object("", plain);
  two.BeforeChunk([](stream::ChunkHeader& h) {
    if (h.sequence == 1) h.first_address -= 24, h.end_address -= 24;
  });
  EXPECT_THAT(Errors(two), Contains(HasSubstr("starts within the object before it")));
}

TEST_F(VerifierTest, FindsArraysThatDoNotGoOnWhereTheyStopped) {
  const auto with = [&](auto change) {
    SnapshotBuilder builder;
    builder.Array("big", builder.ReferenceArray("Node[]"), 300000);
    builder.BeforeChunk(change);
    return Errors(builder);
  };
  EXPECT_THAT(with([](stream::ChunkHeader&) {}), ElementsAre());
  EXPECT_THAT(with([](stream::ChunkHeader& h) {
                if (h.sequence == 1) ++h.continued_slot;
              }),
              ElementsAre("a chunk continues the array at 0x7f0000001000 where it did not stop"));
  EXPECT_THAT(with([](stream::ChunkHeader& h) {
                if (h.sequence == 1) h.continued_object += 8;
              }),
              ElementsAre("a chunk continues the array at 0x7f0000001008 where it did not stop"));
}

TEST_F(VerifierTest, FindsAnArrayThatIsNeverFinished) {
  SnapshotBuilder builder;
  builder.Array("big", builder.ReferenceArray("Node[]"), 300000);
  Write(builder);
  // The last chunk is gone, and the file is otherwise as if it had never been.
  const auto reader = Open();
  auto writer = SnapshotWriter::Create(folder_.File("cut.cairn"), {});
  const auto whole = (**reader->Chunks())[0].header;
  std::vector<std::vector<uint8_t>> raw = {{0}, {0xE0, 0xA7, 0x12}, {0x80, 0x80, 0x40}};  // 300,000; 262,144 nulls × 4
  std::vector<std::vector<uint8_t>> frames;
  for (const auto& column : raw) frames.push_back(*CompressColumn(column));
  const StoredColumn columns[] = {{stream::ColumnKind::kTypes, 1, frames[0]},
                                  {stream::ColumnKind::kLengths, 3, frames[1]},
                                  {stream::ColumnKind::kReferences, 3, frames[2]}};
  ASSERT_TRUE((*writer)->AddChunk(whole, columns));
  Summary summary = reader->Summary();
  summary.totals.chunks = 1;
  ASSERT_TRUE((*writer)->Finish(summary));
  const auto cut = SnapshotReader::Open(folder_.File("cut.cairn"));
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_THAT(Verify(**cut)->errors, ElementsAre("range 0: the array at 0x7f0000001000 lacks slots from 262144 on"));
}

TEST_F(VerifierTest, UnreadableChunkIsReportedAndTheOthersAreChecked) {
  WriteFull();
  Doctor(path_, "UPDATE columns SET data=zeroblob(length(data)) WHERE id=14");  // types of chunk 2
  const auto reader = Open();
  ASSERT_NE(reader, nullptr);
  const auto report = Verify(*reader);
  ASSERT_TRUE(report);
  EXPECT_THAT(report->errors.front(), HasSubstr("chunk 2: types column: its checksum does not match"));
  EXPECT_EQ(report->objects, 8u);  // all but "large"
}

TEST_F(VerifierTest, KeepsAHundredErrorsAndCountsTheRest) {
  SnapshotBuilder builder;
  const uint32_t node = builder.Class("Node", {"x"});
  for (int i = 0; i < 250; ++i) builder.Object("", node, {Target::Address(8)});
  const std::vector<std::string> errors = Errors(builder);
  ASSERT_EQ(errors.size(), 101u);
  EXPECT_EQ(errors.back(), "150 more errors");
}

TEST_F(VerifierTest, ReportsProgressAndCanBeCancelled) {
  WriteFull();
  const auto reader = Open();
  std::vector<std::pair<uint64_t, uint64_t>> steps;
  ASSERT_TRUE(Verify(*reader, [&](uint64_t done, uint64_t all) {
    steps.emplace_back(done, all);
    return true;
  }));
  ASSERT_EQ(steps.size(), 9u);  // 4 chunks twice, and the end
  EXPECT_EQ(steps.front(), std::pair(uint64_t{0}, uint64_t{8}));
  EXPECT_EQ(steps.back(), std::pair(uint64_t{8}, uint64_t{8}));
  for (uint64_t stop = 0; stop < 9; ++stop) {
    const auto report = Verify(*reader, [&](uint64_t done, uint64_t) { return done != stop; });
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "verify.cancelled");
  }
}

TEST_F(VerifierTest, ObjectsBeyond32Bits) {
  SnapshotBuilder builder;
  const uint32_t bytes = builder.StructArray("System.Byte[]", 1);
  const uint32_t node = builder.Class("Node", {"x"});
  builder.Range(Generation::kLoh);
  builder.Array("3g", bytes, 3'000'000'000);
  builder.Array("5g", bytes, 5'000'000'000);
  builder.Object("n", node, {"5g"});
  EXPECT_THAT(Errors(builder), ElementsAre());
  // 24 + 3 × 10⁹ and 24 + 5 × 10⁹, both multiples of 8; the node 24.
  EXPECT_EQ(Open()->Summary().totals.bytes, 3'000'000'024u + 5'000'000'024u + 24u);
}

}  // namespace
}  // namespace cairn::snapshot::testing
