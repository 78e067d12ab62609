#include "collector/capture/gc_tracker.h"

#include "collector/capture/clock.h"

namespace cairn::collector {

namespace {

// The large and the pinned heap count as the oldest generation, and are collected with it.
uint8_t OldestOf(std::span<const abi::Bool> collected) {
  uint8_t oldest = 0;
  for (size_t generation = 0; generation < collected.size() && generation <= kOldestGeneration; ++generation) {
    if (collected[generation] != 0) oldest = static_cast<uint8_t>(generation);
  }
  return oldest;
}

}  // namespace

void GcTracker::Reset() {
  suspended_ = fitting_ = pause_over_ = walked_ = collected_since_ = false;
  suspend_started_ = suspend_finished_ = resume_finished_ = 0;
  roots_ = walk_started_ = walk_finished_ = 0;
  condemned_ = kOldestGeneration;
}

void GcTracker::SuspendStarted(uint64_t now_ns) {
  if (!walked_) suspend_started_ = now_ns;
}

void GcTracker::SuspendFinished(uint64_t now_ns) {
  suspended_ = true;
  if (!walked_) suspend_finished_ = now_ns;
}

void GcTracker::SuspendAborted() { suspended_ = false; }

void GcTracker::ResumeStarted() {
  suspended_ = false;
  fitting_ = false;
}

void GcTracker::ResumeFinished(uint64_t now_ns) {
  if (!walked_ || pause_over_) return;
  resume_finished_ = now_ns;
  pause_over_ = true;
}

bool GcTracker::CollectionStarted(std::span<const abi::Bool> collected, bool induced) {
  const bool full = OldestOf(collected) == kOldestGeneration;
  if (walked_) collected_since_ = true;
  fitting_ = suspended_ && (wanted_ == FittingCollection::kAny || (full && induced));
  if (fitting_ && !walked_) condemned_ = OldestOf(collected);
  return fitting_;
}

void GcTracker::MarkRoots(uint64_t now_ns) { roots_ = now_ns; }

void GcTracker::MarkWalkStarted(uint64_t now_ns) { walk_started_ = now_ns; }

void GcTracker::MarkWalkFinished(uint64_t now_ns) {
  walk_finished_ = now_ns;
  walked_ = true;
}

PauseParts GcTracker::Parts() const {
  const uint64_t roots = roots_ != 0 ? roots_.load() : walk_started_.load();
  return {MsBetween(suspend_started_, resume_finished_), MsBetween(suspend_started_, suspend_finished_),
          MsBetween(suspend_finished_, roots), MsBetween(roots, walk_started_),
          MsBetween(walk_started_, walk_finished_)};
}

}  // namespace cairn::collector
