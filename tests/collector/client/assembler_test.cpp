#include "collector/client/assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "snapshot-format/file/snapshot_reader.h"
#include "snapshot-format/file/verifier.h"
#include "snapshot-format/testing/failing_storage.h"
#include "snapshot-format/testing/object_encoder.h"
#include "tests/collector/client/fake_collector.h"
#include "tests/snapshot-format/temporary_folder.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using ::testing::Contains;
using testing::Conversation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kArray;
using testing::kEnd;
using testing::kFirst;
using testing::kSecond;
using testing::Say;
using testing::Sent;

class AssemblerTest : public ::testing::Test {
 protected:
  Assembler Make(const std::string& vfs = {}) {
    CaptureContext context;
    context.process.pid = 4242;
    context.process.name = "shop";
    context.process.architecture = "x64";
    context.memory.rss_bytes = 1000;
    context.captured_at = "2026-11-29T22:00:00Z";
    context.started = Clock::now();
    context.output = Path();
    auto writer = snapshot::SnapshotWriter::Create(Path(), {true, vfs});
    EXPECT_TRUE(writer) << writer.error().message;
    return Assembler(std::move(*writer), context);
  }
  std::string Path() const { return folder_.File("a.cairn"); }

  // Feeds all frames; the first refusal becomes the cut.
  Result<CaptureResult> Assemble(const std::vector<Sent>& frames, std::optional<Error> cut = {}) {
    Assembler assembler = Make();
    for (size_t i = 0; i < frames.size(); ++i) {
      const Status status = assembler.Accept({frames[i].kind, i, frames[i].payload});
      if (status) continue;
      cut = status.error();
      break;
    }
    return assembler.Finish(cut);
  }
  Result<CaptureResult> Assemble(const Conversation& talk) { return Assemble(talk.Frames()); }

  // Codes of the problems of a capture that was completed.
  std::vector<std::string> Problems(const Conversation& talk) {
    const auto result = Assemble(talk);
    EXPECT_TRUE(result) << result.error().message;
    std::vector<std::string> codes;
    if (!result) return codes;
    for (const auto& problem : result->summary.problems) codes.push_back(problem.code);
    const bool incomplete = std::any_of(result->summary.problems.begin(), result->summary.problems.end(),
                                        [](auto& problem) { return problem.incomplete; });
    EXPECT_EQ(result->summary.complete, !incomplete);
    return codes;
  }
  // Code of the first frame that is refused.
  std::string Refusal(const std::vector<Sent>& frames) {
    Assembler assembler = Make();
    for (size_t i = 0; i < frames.size(); ++i)
      if (const Status status = assembler.Accept({frames[i].kind, i, frames[i].payload}); !status)
        return status.error().code;
    return "";
  }

  snapshot::testing::TemporaryFolder folder_;
};

TEST_F(AssemblerTest, AGoodConversationBecomesASnapshotThatVerifies) {
  const auto result = Assemble(Conversation());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->summary.complete);
  EXPECT_THAT(result->summary.problems, IsEmpty());
  EXPECT_EQ(result->file_bytes, std::filesystem::file_size(Path()));
  auto reader = snapshot::SnapshotReader::Open(Path());
  ASSERT_TRUE(reader) << reader.error().message;
  const auto report = snapshot::Verify(**reader);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->errors, IsEmpty());
  EXPECT_EQ(report->objects, 3u);
  EXPECT_EQ(report->edges, 5u);
}

TEST_F(AssemblerTest, TheSummaryHoldsWhatCame) {
  ASSERT_TRUE(Assemble(Conversation()));
  const auto reader = snapshot::SnapshotReader::Open(Path());
  ASSERT_TRUE(reader);
  const snapshot::Summary& summary = (*reader)->Summary();
  EXPECT_EQ(summary.process.pid, 4242);
  EXPECT_EQ(summary.process.runtime, "10.0.12");
  EXPECT_EQ(summary.process.gc_mode, "server");
  EXPECT_EQ(summary.capture.id.size(), 32u);
  EXPECT_EQ(summary.capture.gc_requested, "full");
  EXPECT_EQ(summary.capture.gc_actual, "full");
  EXPECT_EQ(summary.capture.roots, "full");
  EXPECT_EQ(summary.capture.pause_ms.total_ms, 12.5);
  EXPECT_EQ(summary.capture.concurrent_gc_off_ms, 40.5);
  EXPECT_EQ(summary.capture.reconciled_source, "GetGCMemoryInfo");
  EXPECT_EQ(summary.capture.reconciled_difference_bytes, 0);  // 112 + 64 - 176
  EXPECT_EQ(summary.totals.bytes, 112u);
  EXPECT_EQ(summary.totals.free_bytes, 64u);
  EXPECT_EQ(summary.types[0].name, "Shop.Node");
  EXPECT_EQ(summary.types[0].module, 0u);  // the collector called it 40
  EXPECT_EQ(summary.types[1].module, snapshot::kNoId);
  EXPECT_EQ((*reader)->ReadFields(0)->at(1).name, "items");
  EXPECT_EQ(summary.threads[0].name, "Main");
  EXPECT_EQ(summary.dependents.size(), 1u);
}

TEST_F(AssemblerTest, StaticsAreReadOutOfTheChunks) {
  const auto result = Assemble(Conversation());
  ASSERT_TRUE(result);
  // A handle, that of the statics' array, then the two statics that are not null.
  ASSERT_EQ(result->summary.roots.size(), 4u);
  EXPECT_EQ(result->summary.roots[1].kind, snapshot::RootKind::kOther);
  EXPECT_EQ(result->summary.roots[2].name, "Shop.Cache.Instance");
  EXPECT_EQ(result->summary.roots[2].object, kFirst);
  EXPECT_EQ(result->summary.roots[2].source, 0x10090u);
  EXPECT_EQ(result->summary.roots[3].name, "Shop.Cache.Last");
  EXPECT_EQ(result->summary.roots[3].object, kSecond);
}

TEST_F(AssemblerTest, AStaticOutsideEveryObjectIsAProblem) {
  Conversation talk;
  talk.statics.statics.push_back({"Shop.Lost", 0x90000});
  EXPECT_THAT(Problems(talk), ElementsAre("statics.unresolved"));
}

TEST_F(AssemblerTest, ReferencesOutsideTheRangesAreCountedAndKept) {
  Conversation talk;
  talk.ranges.ranges[0].length = talk.ranges.ranges[0].walked = kArray - kFirst;  // 0x80: the array is outside now
  talk.ranges.ranges[0].objects = 2;
  talk.ranges.ranges[0].bytes = 64;
  talk.ranges.ranges[0].edges = 3;
  talk.ranges.ranges[0].free_bytes = 64;
  std::vector<stream::TypeLayout> layouts = {{32, 0, 2, 0, false}, {24, 8, 0, 1, false}};
  talk.chunks.clear();
  snapshot::testing::ObjectEncoder encoder(layouts, 3, [&](const auto& header, const auto& columns) {
    talk.chunks.push_back({FrameKind::kChunk, testing::ChunkPayload(header, columns)});
  });
  encoder.BeginRange(0);
  encoder.Add({0, kFirst, kFirst + 32, 0, 2, {{0, kSecond}}});
  encoder.Add({0, kSecond, kSecond + 32, 0, 2, {{0, kFirst}, {1, kArray}}});
  encoder.EndRange();
  talk.types.types[1].objects = talk.types.types[1].bytes = 0;
  talk.walk.objects = 2;
  talk.walk.bytes = 64;
  talk.walk.edges = 3;
  talk.walk.reconciled_bytes = 128;  // 64 + 64
  talk.statics.statics.clear();
  talk.roots.roots.resize(1);
  EXPECT_THAT(Problems(talk), ElementsAre("walk.reference_outside"));
  auto reader = snapshot::SnapshotReader::Open(Path());
  stream::DecodedChunk chunk;
  ASSERT_TRUE((*reader)->ReadChunk(0, chunk));
  EXPECT_THAT(chunk.targets, ElementsAre(kSecond, 0, kFirst, kArray));
}

TEST_F(AssemblerTest, RootsOutsideTheRangesAreAProblem) {
  Conversation talk;
  talk.roots.roots[0].object = kEnd;
  EXPECT_THAT(Problems(talk), ElementsAre("walk.root_outside"));
  talk = Conversation();
  talk.dependents.dependents[0].secondary = 8;
  EXPECT_THAT(Problems(talk), ElementsAre("walk.root_outside"));
}

TEST_F(AssemblerTest, NullRootsAreNone) {
  Conversation talk;
  talk.roots.roots[0].object = 0;
  const auto result = Assemble(talk);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->summary.roots.size(), 3u);  // the statics and what holds them
}

TEST_F(AssemblerTest, EveryCountIsCompared) {
  const auto with = [&](const std::function<void(Conversation&)>& change) {
    Conversation talk;
    change(talk);
    return Problems(talk);
  };
  const auto mismatch = Contains("walk.count_mismatch");
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.objects; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.bytes; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.edges; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.free_objects; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.types; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.ranges.ranges[0].objects; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { talk.ranges.ranges[0].bytes -= 8; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.ranges.ranges[0].edges; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.types.types[1].objects; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { ++talk.types.types[0].bytes; }), mismatch);
  EXPECT_THAT(with([](auto& talk) { talk.ranges.ranges[0].free_bytes = 56; }), Contains("walk.inexact"));
  EXPECT_THAT(with([](auto& talk) { ++talk.walk.chunks; }), Contains("capture.chunks_missing"));
  EXPECT_THAT(with([](auto& talk) { talk.ranges.ranges[0].walked -= 8; }), Contains("walk.range_short"));
  EXPECT_THAT(with([](auto& talk) { talk.walk.reconciled_bytes = 200; }), ElementsAre("walk.not_reconciled"));
}

TEST_F(AssemblerTest, TheFileHoldsItsOwnCounts) {
  Conversation talk;
  talk.ranges.ranges[0].objects = 9;
  talk.types.types[0].objects = 8;
  talk.walk.objects = 9;
  const auto result = Assemble(talk);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->summary.complete);
  EXPECT_EQ(result->summary.totals.objects, 3u);
  EXPECT_EQ(result->summary.types[0].objects, 2u);
  EXPECT_EQ(result->summary.ranges[0].objects, 3u);
}

TEST_F(AssemblerTest, ReconciledSaysByHowMuch) {
  Conversation talk;
  talk.walk.reconciled_bytes = 200;
  const auto result = Assemble(talk);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->summary.capture.reconciled_difference_bytes, -24);  // 176 - 200
}

TEST_F(AssemblerTest, TheCollectorsOwnProblemsArePassedOn) {
  auto frames = Conversation().Frames();
  frames.insert(frames.end() - 1, Say(FrameKind::kProblem, protocol::Problem{"walk.bad_method_table", "x", true}));
  frames.back() = Say(FrameKind::kEnd, protocol::End{1, frames.size()});
  const auto result = Assemble(frames);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->summary.problems.size(), 1u);
  EXPECT_EQ(result->summary.problems[0].code, "walk.bad_method_table");
  EXPECT_FALSE(result->summary.complete);
}

TEST_F(AssemblerTest, AnUnnamedTypeIsAProblem) {
  Conversation talk;
  talk.names.types.pop_back();
  EXPECT_THAT(Problems(talk), ElementsAre("types.unnamed"));
}

TEST_F(AssemblerTest, ACollectionThatWasNotFullIsAProblem) {
  Conversation talk;
  talk.walk.condemned = 1;
  EXPECT_THAT(Problems(talk), ElementsAre("gc.not_full"));
  const auto reader = snapshot::SnapshotReader::Open(Path());
  EXPECT_EQ((*reader)->Summary().capture.gc_actual, "gen1");
  EXPECT_EQ((*reader)->Summary().capture.roots, "young");
}

// Cut after each frame: until the walk's totals and all names are there, and at least one chunk, nothing
// is kept; from then on a file that says so.
TEST_F(AssemblerTest, CutAfterEveryFrame) {
  const auto frames = Conversation().Frames();
  const Error cut{ErrorKind::kFailed, "capture.cut", "It was cut.", ""};
  for (size_t count = 0; count < frames.size(); ++count) {
    const auto result = Assemble({frames.begin(), frames.begin() + static_cast<long>(count)}, cut);
    if (count < frames.size() - 1) {
      ASSERT_FALSE(result) << count;
      EXPECT_EQ(result.error().code, "capture.cut");
      EXPECT_THAT(folder_.Names(), IsEmpty()) << count;
    } else {
      ASSERT_TRUE(result) << result.error().message;  // only the end is missing
      EXPECT_FALSE(result->summary.complete);
      ASSERT_EQ(result->summary.problems.size(), 1u);
      EXPECT_EQ(result->summary.problems[0].code, "capture.cut");
      EXPECT_TRUE(snapshot::SnapshotReader::Open(Path()));
    }
  }
}

// Two ranges of one chunk each, and the second never arrives: the file is consistent in itself.
TEST_F(AssemblerTest, ACutFileCountsWhatArrived) {
  Conversation talk;
  talk.ranges.ranges.push_back({0x20000, 0x1000, 0x1000, stream::Generation::kGen0, 8, 100, 4096, 0, 0, 0, 7, 0x1000});
  talk.walk.objects = 103;
  talk.walk.chunks = 2;
  auto frames = talk.Frames();
  frames.pop_back();
  const auto result = Assemble(frames, Error{ErrorKind::kFailed, "target.exited", "It ended.", ""});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->summary.problems.size(), 1u);
  EXPECT_EQ(result->summary.totals.objects, 3u);
  EXPECT_EQ(result->summary.ranges[1].objects, 0u);
  EXPECT_EQ(result->summary.ranges[1].walked, 0u);
  auto reader = snapshot::SnapshotReader::Open(Path());
  ASSERT_TRUE(reader);
  EXPECT_THAT(snapshot::Verify(**reader)->errors, IsEmpty());
}

TEST_F(AssemblerTest, AnIncompleteCaptureKeepsTheCompleteOneThatItWasToReplace) {
  ASSERT_TRUE(Assemble(Conversation()));
  auto frames = Conversation().Frames();
  frames.pop_back();
  const auto result = Assemble(frames, Error{ErrorKind::kFailed, "capture.cut", "It was cut.", ""});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->path, folder_.File("a.incomplete.cairn"));
  EXPECT_EQ(result->summary.problems.back().code, "output.kept");
  EXPECT_TRUE((*snapshot::SnapshotReader::Open(Path()))->Summary().complete);
  EXPECT_EQ((*snapshot::SnapshotReader::Open(result->path))->Summary().problems.back().code, "output.kept");
}

// How long concurrent collections were off is told last of all: where that never came it is not known, and not nothing.
TEST_F(AssemblerTest, ACutCaptureDoesNotKnowHowLongConcurrentCollectionsWereOff) {
  auto frames = Conversation().Frames();
  std::erase_if(frames,
                [](const Sent& sent) { return sent.kind == FrameKind::kDetached || sent.kind == FrameKind::kEnd; });
  const auto result = Assemble(frames, Error{ErrorKind::kFailed, "capture.cut", "It was cut.", ""});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->summary.capture.concurrent_gc_off_ms, -1);
  const auto reader = snapshot::SnapshotReader::Open(Path());
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->Summary().capture.concurrent_gc_off_ms, -1);
}

TEST_F(AssemblerTest, FramesInTheWrongPlaceAreRefused) {
  const auto frames = Conversation().Frames();
  const size_t chunk = frames.size() - 2;
  const auto moved = [&](size_t from, size_t to) {
    auto changed = frames;
    std::rotate(changed.begin() + static_cast<long>(std::min(from, to)),
                changed.begin() + static_cast<long>(from < to ? from + 1 : from),
                changed.begin() + static_cast<long>(from < to ? to + 1 : from + 1));
    return Refusal(changed);
  };
  EXPECT_EQ(Refusal(frames), "");
  EXPECT_EQ(moved(chunk, 1), "stream.early");
  EXPECT_EQ(moved(2, chunk), "stream.early");  // ranges behind the chunk
  EXPECT_EQ(moved(3, chunk), "stream.types");  // types behind their names
  EXPECT_EQ(moved(9, chunk), "stream.late");   // statics behind the chunk
  auto twice = frames;
  twice.insert(twice.begin() + 5, frames[4]);
  EXPECT_EQ(Refusal(twice), "stream.types");
  auto greeted = frames;
  greeted.insert(greeted.end() - 1, frames[0]);
  EXPECT_EQ(Refusal(greeted), "stream.late");
  auto after = frames;
  after.push_back(frames[1]);
  EXPECT_EQ(Refusal(after), "stream.after_end");
  auto unknown = frames;
  unknown[1].kind = FrameKind::kCancel;
  EXPECT_EQ(Refusal(unknown), "stream.kind");
  auto miscounted = frames;
  miscounted.back() = Say(FrameKind::kEnd, protocol::End{1, 99});
  EXPECT_EQ(Refusal(miscounted), "stream.end");
}

TEST_F(AssemblerTest, EveryRecordIsCheckedForItsLength) {
  const auto frames = Conversation().Frames();
  for (size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].kind == FrameKind::kState) continue;  // not looked at here
    auto cut = frames, longer = frames;
    cut[i].payload.pop_back();
    longer[i].payload.push_back(0);
    const std::string expected = frames[i].kind == FrameKind::kChunk ? "stream.chunk" : "stream.record";
    EXPECT_EQ(Refusal(cut), expected) << i;
    EXPECT_EQ(Refusal(longer), expected) << i;
  }
}

TEST_F(AssemblerTest, HostileChunksAreRefusedOrDecoded) {
  const auto frames = Conversation().Frames();
  const size_t chunk = frames.size() - 2;
  for (size_t at = 0; at < frames[chunk].payload.size(); ++at) {
    auto changed = frames;
    changed[chunk].payload[at] ^= 0xFF;
    const std::string code = Refusal(changed);
    EXPECT_TRUE(code.empty() || code == "stream.chunk") << at << " " << code;
  }
}

TEST_F(AssemblerTest, RangesThatAreNoneAreRefused) {
  const auto with = [&](const std::function<void(protocol::Range&)>& change) {
    Conversation talk;
    change(talk.ranges.ranges[0]);
    return Refusal(talk.Frames());
  };
  EXPECT_EQ(with([](auto& range) { range.alignment = 3; }), "stream.ranges");
  EXPECT_EQ(with([](auto& range) { range.alignment = 0; }), "stream.ranges");
  EXPECT_EQ(with([](auto& range) { range.length = ~uint64_t{0}; }), "stream.ranges");
  EXPECT_EQ(with([](auto& range) { range.walked = range.length + 1; }), "stream.ranges");
  EXPECT_EQ(with([](auto& range) { range.generation = static_cast<stream::Generation>(9); }), "stream.ranges");
  Conversation talk;
  talk.ranges.ranges.push_back(talk.ranges.ranges[0]);
  EXPECT_EQ(Refusal(talk.Frames()), "stream.ranges");
}

TEST_F(AssemblerTest, UnknownKindsAreRefused) {
  Conversation talk;
  talk.names.types[0].kind = static_cast<stream::TypeKind>(5);
  EXPECT_EQ(Refusal(talk.Frames()), "stream.types");
  talk = Conversation();
  talk.names.types[0].fields[0].kind = static_cast<stream::FieldKind>(3);
  EXPECT_EQ(Refusal(talk.Frames()), "stream.types");
  talk = Conversation();
  talk.roots.roots[0].kind = static_cast<stream::RootKind>(10);
  EXPECT_EQ(Refusal(talk.Frames()), "stream.roots");
}

TEST_F(AssemblerTest, WithoutTotalsThereIsNoSnapshot) {
  auto frames = Conversation().Frames();
  frames.erase(frames.begin() + 10);  // the walk's end
  frames.back() = Say(FrameKind::kEnd, protocol::End{1, frames.size()});
  const auto result = Assemble(frames);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "stream.no_totals");
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(AssemblerTest, AFullDiskLeavesNothing) {
  using snapshot::testing::FailingStorage;
  uint64_t writes = 0;
  {
    FailingStorage counting(FailingStorage::Failure::kDiskFull, ~uint64_t{0});
    const Assembler assembler = Make(counting.Vfs());
    writes = counting.Writes();
  }
  // The writer's own tests fail every write; here the first after its creation is enough to see the error through.
  FailingStorage storage(FailingStorage::Failure::kDiskFull, writes);
  std::string code;
  {
    Assembler assembler = Make(storage.Vfs());
    const auto frames = Conversation().Frames();
    for (size_t i = 0; i < frames.size(); ++i)
      if (!assembler.Accept({frames[i].kind, i, frames[i].payload})) break;
    const auto result = assembler.Finish(std::nullopt);
    ASSERT_FALSE(result);
    code = result.error().code;
  }
  EXPECT_EQ(code, "output.full");
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

}  // namespace
}  // namespace cairn::client
