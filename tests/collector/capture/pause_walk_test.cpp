// However many threads walk, the client gets the same objects.

#include "collector/capture/pause_walk.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "tests/collector/capture/sent_heap.h"

namespace cairn::collector {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

PauseWalk::Memories MakeMemories(size_t count, uint64_t spool_bytes = 64 * kMiB) {
  PauseWalk::Memories memories;
  for (size_t i = 0; i < count; ++i) {
    memories.push_back(std::make_unique<WalkMemory>());
    EXPECT_TRUE(memories.back()->Map(spool_bytes));
  }
  return memories;
}

struct Walked {
  WalkReport report;
  std::vector<HeapRange> ranges;
  std::vector<WalkedObject> objects;
  std::vector<uint64_t> ranked_counts;
  uint64_t chunks = 0;
};

Walked WalkWith(const MixedHeap& heap, unsigned threads) {
  const PauseWalk::Memories memories = MakeMemories(threads);
  PauseWalk walk(X64Layout(10), memories);
  walk.Prepare(1024);
  EXPECT_EQ(walk.MostThreads(), threads);
  Walked walked;
  walked.ranges = heap.ranges;
  EXPECT_TRUE(walk.Run(walked.ranges, walked.report));
  EXPECT_TRUE(walk.FinishTypes(walked.ranges, walked.report));
  const TypeRanking ranking(walk.Types());
  for (const uint32_t id : ranking.Order()) walked.ranked_counts.push_back(walk.Types()[id].objects);
  int sockets[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  ClientChannel channel;
  channel.Adopt(sockets[0]);
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets[1]); });
  uint64_t between = 0;
  EXPECT_EQ(walk.Send(
                channel, ranking, [&](uint64_t sent) { between = sent; }, &walked.chunks),
            SendOutcome::kSent);
  EXPECT_EQ(between, walked.chunks);
  channel.Close();
  reader.join();
  close(sockets[1]);
  EXPECT_EQ(frames.size(), walked.chunks);
  walked.objects = ObjectsOf(frames, walk.Types(), ranking, walked.ranges);
  return walked;
}

TEST(PauseWalkTest, ManyThreadsFindWhatOneFinds) {
  const MixedHeap heap;
  const Walked one = WalkWith(heap, 1);
  EXPECT_EQ(one.report.objects, heap.objects);
  EXPECT_EQ(one.objects.size(), heap.objects);
  EXPECT_EQ(one.chunks, one.report.chunks);
  for (const unsigned threads : {2u, 3u, 5u}) {
    const Walked many = WalkWith(heap, threads);
    EXPECT_EQ(many.report.objects, one.report.objects);
    EXPECT_EQ(many.report.bytes, one.report.bytes);
    EXPECT_EQ(many.report.edges, one.report.edges);
    EXPECT_EQ(many.report.free_objects, one.report.free_objects);
    EXPECT_EQ(many.report.chunks, one.report.chunks);
    EXPECT_EQ(many.report.problem_count, 0u);
    EXPECT_EQ(many.ranked_counts, one.ranked_counts);
    ASSERT_EQ(many.objects, one.objects) << threads << " threads";
    for (size_t i = 0; i < one.ranges.size(); ++i) EXPECT_EQ(many.ranges[i].edges, one.ranges[i].edges) << i;
  }
}

TEST(PauseWalkTest, FewerThreadsThanThereAre) {
  const MixedHeap heap;
  const PauseWalk::Memories memories = MakeMemories(4);
  PauseWalk walk(X64Layout(10), memories);
  walk.Prepare(1024);
  walk.UseThreads(2);
  EXPECT_EQ(walk.Threads(), 2u);
  std::vector<HeapRange> ranges = heap.ranges;
  WalkReport report;
  EXPECT_TRUE(walk.Run(ranges, report));
  EXPECT_EQ(report.objects, heap.objects);
  EXPECT_EQ(memories[2]->SpoolUsed() + memories[3]->SpoolUsed(), 0u) << "those were not called";
  walk.UseThreads(9);
  EXPECT_EQ(walk.Threads(), 4u);
}

TEST(PauseWalkTest, WithoutRoomToSortTheOrderStays) {
  const MixedHeap heap;
  const PauseWalk::Memories memories = MakeMemories(2);
  PauseWalk walk(X64Layout(10), memories);
  walk.Prepare(3);
  std::vector<HeapRange> ranges = heap.ranges;
  WalkReport report;
  EXPECT_TRUE(walk.Run(ranges, report));
  EXPECT_EQ(report.objects, heap.objects);
}

TEST(PauseWalkTest, AFullSpoolSaysWhatTheHeapWouldTake) {
  const MixedHeap heap;
  const PauseWalk::Memories whole = MakeMemories(1);
  PauseWalk enough(X64Layout(10), whole);
  enough.Prepare(1024);
  std::vector<HeapRange> ranges = heap.ranges;
  WalkReport report;
  ASSERT_TRUE(enough.Run(ranges, report));
  const uint64_t needed = whole.front()->SpoolUsed();
  for (const unsigned threads : {1u, 2u}) {
    const PauseWalk::Memories memories = MakeMemories(threads, needed / threads / 2);
    PauseWalk walk(X64Layout(10), memories);
    walk.Prepare(1024);
    ranges = heap.ranges;
    EXPECT_FALSE(walk.Run(ranges, report));
    EXPECT_GT(walk.BytesNeeded(), needed / 2);
    EXPECT_LT(walk.BytesNeeded(), needed * 2);
  }
}

TEST(PauseWalkTest, ProblemsOfAllThreadsAreReported) {
  MixedHeap heap;
  std::vector<HeapRange> ranges = heap.ranges;
  for (HeapRange& range : ranges) range.length -= 8;  // the last object reaches beyond
  const PauseWalk::Memories memories = MakeMemories(3);
  PauseWalk walk(X64Layout(10), memories);
  walk.Prepare(1024);
  WalkReport report;
  EXPECT_TRUE(walk.Run(ranges, report));
  EXPECT_EQ(report.problem_count, ranges.size());
  std::vector<bool> seen(ranges.size());
  for (uint64_t i = 0; i < report.problem_count; ++i) seen[report.problems[i].range] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<ptrdiff_t>(ranges.size()));
}

TEST(MergedTypesTest, CountsAddUpAndWhatOneKnewStays) {
  WalkedType a, b;
  a.method_table = 0x100, a.objects = 2, a.bytes = 48;
  b.method_table = 0x200, b.objects = 5, b.bytes = 200, b.loader_allocator = 0x99;
  MergedTypes merged;
  merged.Add(std::vector<WalkedType>{a});
  WalkedType again = a;
  again.objects = 3, again.bytes = 72, again.class_id = 0x123;
  merged.Add(std::vector<WalkedType>{b, again});
  ASSERT_EQ(merged.Types().size(), 2u);
  EXPECT_EQ(merged.Types()[0].objects, 5u);
  EXPECT_EQ(merged.Types()[0].bytes, 120u);
  EXPECT_EQ(merged.Types()[0].class_id, 0x123u);
  EXPECT_EQ(merged.Types()[1].loader_allocator, 0x99u);
  EXPECT_EQ(merged.PlacesOf(1)[0], 1u);
  EXPECT_EQ(merged.PlacesOf(1)[1], 0u);
}

}  // namespace
}  // namespace cairn::collector
