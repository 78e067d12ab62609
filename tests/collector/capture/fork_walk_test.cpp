// Forked children on a heap laid out by hand in this process. The reader plays the client.

#include "collector/capture/fork_walk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "collector/capture/clock.h"
#include "collector/capture/pause_walk.h"
#include "collector/protocol/messages.h"
#include "tests/collector/capture/sent_heap.h"

namespace cairn::collector {
namespace {

using protocol::ChildFate;
using protocol::FrameKind;

class ForkWalkTest : public ::testing::Test {
 protected:
  ForkWalkTest() : ranges_(heap_.ranges) {
    EXPECT_TRUE(memory_.Map());
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    // What nobody reads soon holds the child up.
    const int few = 4096;
    EXPECT_EQ(setsockopt(sockets_[0], SOL_SOCKET, SO_SNDBUF, &few, sizeof few), 0);
    setup_.socket = sockets_[0];
    setup_.frames_sent = 1;
    setup_.deadline_ms = 20'000;
  }
  ~ForkWalkTest() override {
    walk_.reset();
    if (sockets_[1] >= 0) close(sockets_[1]);
  }
  ForkWalk& Walk() {
    if (!walk_) walk_ = std::make_unique<ForkWalk>(X64Layout(10), memory_, setup_);
    return *walk_;
  }
  // The collector's first connection goes nowhere that is read.
  SendOutcome Send(const TypeRanking& ranking) {
    int pair[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ClientChannel channel;
    channel.Adopt(pair[0]);
    uint64_t chunks = 0;
    const SendOutcome outcome = Walk().Send(
        channel, ranking, [](uint64_t) {}, &chunks);
    channel.Close();
    close(pair[1]);
    return outcome;
  }
  protocol::ChildWalkFrame WalkFrame(const std::vector<SentFrame>& frames) {
    protocol::ChildWalkFrame walk;
    stream::RecordReader reader(frames[frames.size() - 2].payload);
    reader(walk);
    EXPECT_TRUE(reader.Complete());
    return walk;
  }
  void ExpectNoChildren() {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  MixedHeap heap_;
  std::vector<HeapRange> ranges_;
  ChildMemory memory_;
  int sockets_[2] = {-1, -1};
  ForkWalk::Setup setup_;
  std::unique_ptr<ForkWalk> walk_;
  WalkReport report_;
};

// The same heap walked here, for comparison.
std::vector<WalkedObject> WalkedHere(std::vector<HeapRange> ranges) {
  WalkedHeap here(X64Layout(10));
  here.Walk(ranges);
  return here.Objects(ranges);
}

TEST_F(ForkWalkTest, TheChildSendsWhatAWalkHereFinds) {
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets_[1], 1); });
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(report_.objects, heap_.objects);
  EXPECT_EQ(report_.problem_count, 0u);
  const TypeRanking ranking(Walk().Types());
  EXPECT_EQ(Send(ranking), SendOutcome::kSent);
  reader.join();
  EXPECT_EQ(Walk().End().fate, ChildFate::kDone);
  EXPECT_GT(Walk().End().child_ms, 0);

  ASSERT_GE(frames.size(), 3u);
  EXPECT_EQ(frames.back().kind, FrameKind::kEnd);
  protocol::End end;
  stream::RecordReader end_reader(frames.back().payload);
  end_reader(end);
  EXPECT_EQ(end.frames, frames.size() + 1) << "the greeting counts";
  EXPECT_EQ(end.chunks, frames.size() - 2);
  EXPECT_EQ(ObjectsOf(frames, Walk().Types(), ranking, ranges_), WalkedHere(heap_.ranges));

  std::vector<HeapRange> here = heap_.ranges;
  WalkedHeap again(X64Layout(10));
  const WalkReport& report = again.Walk(here);
  const auto walk = WalkFrame(frames);
  EXPECT_EQ(walk.edges, report.edges);
  EXPECT_EQ(walk.chunks, end.chunks);
  ASSERT_EQ(walk.range_edges.size(), here.size());
  for (size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(walk.range_edges[i], here[i].edges);
    EXPECT_EQ(ranges_[i].objects, here[i].objects);
    EXPECT_EQ(ranges_[i].free_bytes, here[i].free_bytes);
    EXPECT_EQ(ranges_[i].walked, here[i].walked);
  }
  ExpectNoChildren();
}

TEST_F(ForkWalkTest, TheHeapOfTheForkIsSentNotThatOfLater) {
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  const std::vector<WalkedObject> before = WalkedHere(heap_.ranges);
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  const TypeRanking ranking(Walk().Types());
  // The application goes on: every first node forgets its references. The child has not sent half yet: nobody reads.
  for (const HeapRange& range : ranges_) {
    for (int slot = 0; slot < 3; ++slot) reinterpret_cast<uint64_t*>(range.start)[1 + slot] = 0;
  }
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets_[1], 1); });
  EXPECT_EQ(Send(ranking), SendOutcome::kSent);
  reader.join();
  EXPECT_EQ(ObjectsOf(frames, Walk().Types(), ranking, ranges_), before);
}

// Puts what lies on the page of that address into a file that is mapped as the runtime maps its types.
uint8_t* ShareTypes(uint64_t address) {
  constexpr size_t kPage = 4096;
  auto* const page = reinterpret_cast<uint8_t*>(address & ~uint64_t{kPage - 1});
  const std::vector<uint8_t> types(page, page + kPage);
  const int file = memfd_create("doublemapper", MFD_CLOEXEC);
  EXPECT_EQ(write(file, types.data(), kPage), static_cast<ssize_t>(kPage));
  EXPECT_EQ(mmap(page, kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), page);
  close(file);
  return page;
}

// All MethodTables of the heap lie on one page, which is zeroed as soon as the application runs again.
TEST_F(ForkWalkTest, TypesThatGoBehindTheFork) {
  const std::vector<WalkedObject> before = WalkedHere(heap_.ranges);
  uint8_t* const types = ShareTypes(*reinterpret_cast<uint64_t*>(ranges_[0].start));
  ContextKeeper contexts;
  ASSERT_TRUE(contexts.Prepare());
  Walk().AssignContexts(contexts);
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  std::fill_n(types, 4096, uint8_t{0});
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets_[1], 1); });
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(report_.problem_count, 0u);
  const TypeRanking ranking(Walk().Types());
  EXPECT_EQ(Send(ranking), SendOutcome::kSent);
  reader.join();
  EXPECT_EQ(ObjectsOf(frames, Walk().Types(), ranking, ranges_), before);
}

// A child that dies before it has copied what it shares must not leave the application standing.
TEST_F(ForkWalkTest, NoCopyOfThePagesIsNoFork) {
  ContextKeeper contexts;
  ASSERT_TRUE(contexts.Prepare());
  Walk().AssignContexts(contexts);
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  const rlimit none{0, files.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_FALSE(Walk().Run(ranges_, report_));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
  ExpectNoChildren();
}

TEST_F(ForkWalkTest, CountedInThePauseFirst) {
  ASSERT_TRUE(Walk().CountTypes(ranges_, report_));
  EXPECT_EQ(report_.objects, heap_.objects);
  EXPECT_EQ(Walk().CountedTypes().size(), 5u);  // node, plain, array, string, Free
  Walk().CountedTypes()[0].loader_allocator = 0x77;
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets_[1], 1); });
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Walk().Types()[0].loader_allocator, 0x77u);
  const TypeRanking ranking(Walk().Types());
  EXPECT_EQ(Send(ranking), SendOutcome::kSent);
  reader.join();
  EXPECT_EQ(ObjectsOf(frames, Walk().Types(), ranking, ranges_), WalkedHere(heap_.ranges));
}

TEST_F(ForkWalkTest, FaultsAreReportedAndTheRestIsSent) {
  ranges_[2].length -= 8;
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  std::vector<SentFrame> frames;
  std::thread reader([&] { frames = ReadFrames(sockets_[1], 1); });
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  ASSERT_EQ(report_.problem_count, 1u);
  EXPECT_EQ(report_.problems[0].fault, WalkFault::kOverrun);
  EXPECT_EQ(report_.problems[0].range, 2u);
  const TypeRanking ranking(Walk().Types());
  EXPECT_EQ(Send(ranking), SendOutcome::kSent);
  reader.join();
  EXPECT_EQ(ObjectsOf(frames, Walk().Types(), ranking, ranges_).size(), report_.objects);
}

// Nobody reads, so the child waits in the middle of its second pass while we look at it.
TEST_F(ForkWalkTest, WhatTheChildIs) {
  signal(SIGUSR1, [](int) {});
  const int descriptor = open("/dev/null", O_RDONLY);
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  const std::string proc = "/proc/" + std::to_string(Walk().Child());
  std::ifstream adjust(proc + "/oom_score_adj"), status(proc + "/status"), limits(proc + "/limits");
  int score = 0;
  adjust >> score;
  EXPECT_EQ(score, 1000);
  std::string all((std::istreambuf_iterator<char>(status)), {});
  EXPECT_NE(all.find("Name:\tcairn-child"), std::string::npos);
  EXPECT_NE(all.find("Threads:\t1\n"), std::string::npos);
  EXPECT_NE(all.find("SigBlk:\t0000000000000000"), std::string::npos) << all;
  EXPECT_NE(all.find("SigCgt:\t0000000000000000"), std::string::npos) << all;
  EXPECT_NE(all.find("SigIgn:\t0000000000000000"), std::string::npos) << all;
  std::string limit((std::istreambuf_iterator<char>(limits)), {});
  EXPECT_NE(limit.find("Max core file size        0 "), std::string::npos) << limit;
  if (geteuid() == 0) {
    int descriptors = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(proc + "/fd")) ++descriptors;
    EXPECT_EQ(descriptors, 1);
  }
  close(descriptor);
  signal(SIGUSR1, SIG_DFL);
}

TEST_F(ForkWalkTest, NoSignalTellsOfItsEnd) {
  static volatile sig_atomic_t told = 0;
  signal(SIGCHLD, [](int) { told = 1; });
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  std::thread reader([&] { ReadFrames(sockets_[1], 1); });
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kSent);
  reader.join();
  signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(told, 0);
}

TEST_F(ForkWalkTest, TheClientGoesAway) {
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  close(sockets_[1]);
  sockets_[1] = -1;
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kSent);
  EXPECT_EQ(Walk().End().fate, ChildFate::kClientGone);
}

TEST_F(ForkWalkTest, TheClientTakesNothing) {
  setup_.deadline_ms = 50;
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kSent);
  EXPECT_EQ(Walk().End().fate, ChildFate::kClientSilent);
}

TEST_F(ForkWalkTest, MemoryBecomesShort) {
  setup_.least_memory = ~uint64_t{0} >> 1;
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kSent);
  EXPECT_EQ(Walk().End().fate, ChildFate::kNoMemory);
}

TEST_F(ForkWalkTest, TheGroupsMemoryBecomesShort) {
  const std::string folder = testing::TempDir() + "cairn-group-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/memory.max") << "1000000\n";
  std::ofstream(folder + "/memory.current") << "999000\n";
  setup_.group = folder;
  setup_.least_memory = 2000;  // 1,000 are left
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kSent);
  EXPECT_EQ(Walk().End().fate, ChildFate::kNoMemory);
  std::filesystem::remove_all(folder);
}

TEST_F(ForkWalkTest, TheWaitIsEndedFromOutside) {
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  ASSERT_TRUE(Walk().FinishTypes(ranges_, report_));
  Walk().StopWhen([] { return true; });
  EXPECT_EQ(Send(TypeRanking(Walk().Types())), SendOutcome::kClientGone);
  EXPECT_EQ(Walk().End().fate, ChildFate::kKilled);
  ExpectNoChildren();
}

TEST_F(ForkWalkTest, AWalkThatIsGivenUpLeavesNoChild) {
  ASSERT_TRUE(Walk().Run(ranges_, report_));
  walk_.reset();
  ExpectNoChildren();
}

TEST_F(ForkWalkTest, TooManyRanges) {
  ranges_.resize(ChildMemory::kMostRanges + 1);
  EXPECT_FALSE(Walk().Run(ranges_, report_));
  EXPECT_FALSE(Walk().CountTypes(ranges_, report_));
}

// Killed at moments all over its life; some come too late, and then everything must be there.
TEST(ForkWalkKillTest, KilledAtAnyMoment) {
  const MixedHeap heap;
  unsigned seed = 7;
  for (int round = 0; round < 100; ++round) {
    ChildMemory memory;
    ASSERT_TRUE(memory.Map());
    int sockets[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    ForkWalk walk(X64Layout(10), memory, {sockets[0], 0, 20'000, {}, 0});
    std::vector<HeapRange> ranges = heap.ranges;
    WalkReport report;
    ASSERT_TRUE(walk.Run(ranges, report));
    const pid_t child = walk.Child();
    std::vector<SentFrame> frames;
    std::thread reader([&] { frames = ReadFrames(sockets[1]); });
    // The child is not reaped before both are done, so the number is still its own.
    std::atomic<bool> killed{false};
    const unsigned wait_us = static_cast<unsigned>(rand_r(&seed)) % 30'000;
    std::thread killer([&] {
      usleep(wait_us);
      kill(child, SIGKILL);
      killed = true;
    });
    while (!killed) SleepMs(1);
    killer.join();
    const bool has_types = walk.FinishTypes(ranges, report);
    uint64_t chunks = 0;
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ClientChannel channel;
    channel.Adopt(pair[0]);
    const TypeRanking ranking(has_types ? walk.Types() : std::span<const WalkedType>());
    if (has_types) {
      EXPECT_EQ(walk.Send(
                    channel, ranking, [](uint64_t) {}, &chunks),
                SendOutcome::kSent);
    }
    reader.join();
    const bool complete = !frames.empty() && frames.back().kind == FrameKind::kEnd;
    if (walk.End().fate == ChildFate::kDone) {
      EXPECT_TRUE(complete) << round;
    } else {
      EXPECT_EQ(walk.End().fate, ChildFate::kKilled) << round;
      EXPECT_EQ(walk.End().signal, SIGKILL) << round;
    }
    if (complete) {
      EXPECT_EQ(ObjectsOf(frames, walk.Types(), ranking, ranges).size(), heap.objects);
    }
    close(sockets[1]);
    close(pair[1]);
  }
}

}  // namespace
}  // namespace cairn::collector
