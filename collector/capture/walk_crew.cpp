#include "collector/capture/walk_crew.h"

#include "collector/capture/clock.h"
#include "collector/capture/native_thread.h"
#include "collector/capture/word_wait.h"

namespace cairn::collector {

namespace {

constexpr size_t kStackBytes = 256u << 10;
constexpr uint32_t kWait = 0, kWalk = 1, kLeave = 2;

}  // namespace

WalkCrew::~WalkCrew() {
  order_ = kLeave;
  WakeAll(order_);
  while (alive_ != 0) SleepMs(1);
}

unsigned WalkCrew::Start(unsigned count, Work work, void* context) {
  work_ = work;
  context_ = context;
  members_ = std::make_unique<Member[]>(count);
  for (unsigned i = 0; i < count; ++i) {
    members_[i] = {this, i};
    ++alive_;
    if (StartThread("cairn-walk", kStackBytes, Enter, &members_[i])) continue;
    --alive_;
    return i;
  }
  return count;
}

void WalkCrew::Call(unsigned count) {
  called_ = count;
  busy_ = count;
  order_ = kWalk;
  WakeAll(order_);
}

void WalkCrew::Wait() {
  for (uint32_t busy; (busy = busy_) != 0;) SleepWhile(busy_, busy);
}

void WalkCrew::Enter(void* argument) {
  const Member member = *static_cast<Member*>(argument);
  member.crew->Serve(member.number);
  --member.crew->alive_;  // the last touch
}

void WalkCrew::Serve(unsigned number) {
  while (order_ == kWait) SleepWhile(order_, kWait);
  if (order_ == kWalk && number < called_) {
    work_(context_, number);
    --busy_;
    WakeAll(busy_);
  }
  while (order_ != kLeave) SleepWhile(order_, kWalk);
}

}  // namespace cairn::collector
