#include "collector/capture/fork_walk.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "collector/capture/child_pages.h"
#include "collector/capture/clock.h"

namespace cairn::collector {

namespace {

using protocol::ChildFate;

constexpr int kWaitSliceMs = 2;
// In the pause a millisecond is long; and a child that has not copied a few megabytes in a second never will.
constexpr long kPausedSliceNs = 50'000;
constexpr uint64_t kLongestPausedWaitNs = 1'000'000'000;

// A child that no SIGCHLD announces: .NET reaps children on its own, and this one is ours. Straight to the
// kernel, without the C library's handlers around a fork, which take locks.
pid_t Clone() {
  constexpr unsigned long kNoExitSignal = 0;
  return static_cast<pid_t>(syscall(SYS_clone, kNoExitSignal, nullptr, nullptr, nullptr, 0UL));
}

// In between the child would run the target's handlers.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

ChildStream::Parts ForkWalk::PartsOf(const ChildMemory& memory, const Setup& setup) {
  ChildStream::Parts parts;
  parts.socket = setup.socket;
  parts.deadline_ms = setup.deadline_ms;
  parts.sequence = setup.frames_sent;
  parts.workspace = memory.Workspace();
  parts.frame = memory.Frame();
  parts.group = setup.group.c_str();
  parts.least_memory = setup.least_memory;
  return parts;
}

ForkWalk::ForkWalk(const LayoutPolicy& layout, ChildMemory& memory, Setup setup)
    : memory_(memory),
      setup_(std::move(setup)),
      stream_(PartsOf(memory, setup_)),
      walker_(new (memory.WalkerRoom()) HeapWalker(layout, memory.Walk(), &stream_)) {}

ForkWalk::~ForkWalk() {
  Kill();
  if (setup_.socket >= 0) close(setup_.socket);
  walker_->~HeapWalker();
}

// ---- in the pause ----------------------------------------------------------------------------------

bool ForkWalk::CountTypes(std::span<HeapRange> ranges, WalkReport& report) {
  if (ranges.size() > ChildMemory::kMostRanges) return false;
  std::copy(ranges.begin(), ranges.end(), memory_.Ranges(ranges.size()).begin());
  Count(ranges.size());
  std::copy_n(memory_.Ranges(ranges.size()).begin(), ranges.size(), ranges.begin());
  report = memory_.Block().report;
  return true;
}

bool ForkWalk::Run(std::span<HeapRange> ranges, WalkReport&) {
  if (ranges.size() > ChildMemory::kMostRanges) return false;
  if (!counted_) std::copy(ranges.begin(), ranges.end(), memory_.Ranges(ranges.size()).begin());
  const int saved = errno;
  const BlockedSignals blocked;
  forked_ns_ = NowNs();
  memory_.Block().pages = ChildPages::kShared;
  const pid_t child = Clone();
  if (child == 0) RunChild(ranges.size());
  child_ = child;
  reaped_ = false;
  const bool ready = child >= 0 && (contexts_ == nullptr || WaitForOwnPages());
  if (!ready) Kill();
  fork_ms_ = MsBetween(forked_ns_, NowNs());
  errno = saved;
  return ready;
}

bool ForkWalk::WaitForOwnPages() {
  const ChildBlock& block = memory_.Block();
  const timespec slice{0, kPausedSliceNs};
  while (block.pages.load(std::memory_order_acquire) == ChildPages::kShared) {
    if (Reap(false) || NowNs() - forked_ns_ > kLongestPausedWaitNs) break;
    syscall(SYS_nanosleep, &slice, nullptr);
  }
  // A process that was stopped meanwhile has not seen what its child did in time.
  return block.pages.load(std::memory_order_acquire) == ChildPages::kOwn;
}

// ---- the child -------------------------------------------------------------------------------------

void ForkWalk::RunChild(size_t ranges) {
  OwnPages();
  child::Settle(setup_.socket);
  if (!counted_) Count(ranges);
  child::LowerPriority();
  child::Exit(static_cast<int>(WalkAndSend(ranges)));
}

// First, since the application may be waiting. What the pass in the pause has read is not read again.
void ForkWalk::OwnPages() {
  const bool own = counted_ || child::OwnSharedPages(memory_.Frame(), ChildStream::FrameBytes());
  memory_.Block().pages.store(own ? ChildPages::kOwn : ChildPages::kRefused, std::memory_order_release);
}

void ForkWalk::Count(size_t ranges) {
  ChildBlock& block = memory_.Block();
  block.report = walker_->Count(memory_.Ranges(ranges));
  const std::span<WalkedType> types = walker_->Types();  // writes the counts where the parent reads them
  if (contexts_ != nullptr) contexts_->Assign(types);
  counted_ = true;
  block.types_are_known.store(1, std::memory_order_release);
}

// The ranges are walked one by one on copies: what the first pass wrote belongs to the parent now.
ChildFate ForkWalk::WalkAndSend(size_t ranges) {
  const size_t types = RankTypes(walker_->TypesAsCounted(), memory_.Order());
  walker_->Renumber({memory_.Order(), types});
  protocol::ChildWalk walk;
  for (size_t i = 0; i < ranges; ++i) {
    HeapRange range = memory_.Ranges(ranges)[i];
    // Where the first pass stopped, this one stops too.
    const WalkReport report = walker_->Walk({&range, 1}, static_cast<uint32_t>(i));
    if (stream_.Fate() != ChildFate::kDone) return stream_.Fate();
    memory_.Edges(ranges)[i] = range.edges;
    walk.edges += range.edges;
    walk.chunks += report.chunks;
    memory_.Block().chunks = walk.chunks;
  }
  walk.copied_bytes = child::PrivateMemory();
  if (!stream_.SendWalk(walk, memory_.Edges(ranges)) || !stream_.SendEnd()) return stream_.Fate();
  return ChildFate::kDone;
}

// ---- after the pause -------------------------------------------------------------------------------

// Only this reaps the child, and only by its number: the target's own children are left alone.
bool ForkWalk::Reap(bool wait) {
  if (reaped_ || child_ < 0) return true;
  int status = 0;
  pid_t got;
  do {
    got = waitpid(child_, &status, __WALL | (wait ? 0 : WNOHANG));
  } while (got < 0 && errno == EINTR);
  if (got == 0) return false;
  reaped_ = true;
  end_.child_ms = MsBetween(forked_ns_, NowNs());
  if (got < 0) {
    end_.fate = ChildFate::kFault;  // somebody else has reaped it
  } else if (WIFEXITED(status)) {
    end_.fate = static_cast<ChildFate>(WEXITSTATUS(status));
  } else {
    end_.fate = ChildFate::kKilled;
    end_.signal = WTERMSIG(status);
  }
  return true;
}

void ForkWalk::Kill() {
  if (reaped_ || child_ < 0) return;
  kill(child_, SIGKILL);
  Reap(true);
}

bool ForkWalk::FinishTypes(std::span<HeapRange> ranges, WalkReport& report) {
  // From here on the child is the only one to hold its end of the stream: the client sees when it is gone.
  close(setup_.socket);
  setup_.socket = -1;
  const ChildBlock& block = memory_.Block();
  while (block.types_are_known.load(std::memory_order_acquire) == 0) {
    if (Reap(false) || (stop_ && stop_())) return false;
    SleepMs(kWaitSliceMs);
  }
  std::copy_n(memory_.Ranges(ranges.size()).begin(), ranges.size(), ranges.begin());
  report = block.report;
  return true;
}

SendOutcome ForkWalk::Send(ClientChannel& channel, const TypeRanking&, const Between& between, uint64_t* chunks) {
  const ChildBlock& block = memory_.Block();
  while (!Reap(false)) {
    if (channel.Broken() || (stop_ && stop_())) {
      Kill();
      return SendOutcome::kClientGone;
    }
    between(block.chunks.load(std::memory_order_relaxed));
    SleepMs(kWaitSliceMs);
  }
  *chunks = 0;  // on this channel
  return channel.Send(protocol::FrameKind::kChildEnd, end_) ? SendOutcome::kSent : SendOutcome::kClientGone;
}

}  // namespace cairn::collector
