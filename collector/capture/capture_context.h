#pragma once
// Everything one capture owns, made before the pause. A plain aggregate that the steps work on.
// Thread rule: the diagnostics thread fills it, GC callbacks write while the runtime is suspended, the
// capture thread has it before and after.

#include <atomic>
#include <cstdint>
#include <memory>

#include "collector/capture/client_channel.h"
#include "collector/capture/context_keeper.h"
#include "collector/capture/event_masks.h"
#include "collector/capture/fork_walk.h"
#include "collector/capture/gc_events.h"
#include "collector/capture/gc_inducer.h"
#include "collector/capture/gc_tracker.h"
#include "collector/capture/heap_bounds.h"
#include "collector/capture/naming_tools.h"
#include "collector/capture/pause_walk.h"
#include "collector/capture/root_events.h"
#include "collector/capture/runtime_access.h"
#include "collector/capture/unload_gate.h"
#include "collector/capture/walk_plan.h"
#include "collector/contents/content_plan.h"
#include "collector/protocol/protocol.h"
#include "collector/roots/root_recorder.h"
#include "collector/walk/heap_walker.h"

namespace cairn::collector {

struct CaptureContext {
  protocol::Options options;
  bool beside = false;  // another profiler is the main one: MONITOR_GC can never be set
  bool stays = false;   // one of several in a collector that stays: there before, and not detached afterwards
  ClientChannel channel;
  RuntimeAccess runtime;
  LayoutPolicy layout;
  ContentPlan contents;
  GcTracker tracker;
  GcInducer* inducer = nullptr;  // outlives every capture
  EventMasks* masks = nullptr;   // so does this
  GcEventSession event_session;
  std::atomic<bool> has_event_session{false};

  // How long the collection may take to come.
  uint32_t collection_deadline_ms = 30000;

  WalkPlan plan;
  std::unique_ptr<WalkMemories> memories;
  std::unique_ptr<PauseWalk> pause_walk;
  std::unique_ptr<ForkWalk> fork_walk;  // nullptr: there will be no fork
  GcThreads gc_threads;
  bool has_collectible_types = false;
  std::unique_ptr<NamingTools> naming;
  RootRecorder roots;
  RootEvents root_events{roots};
  HeapBounds bounds;
  ContextKeeper contexts;
  UnloadGate unloads;

  // What the pause found out.
  std::atomic<bool> has_roots{false};           // RootReferences2 came in this collection
  std::atomic<uint64_t> gc_heap_bytes{0};       // the runtime's own figure for this collection; 0: none
  std::atomic<uint64_t> gc_committed_bytes{0};  // what it holds committed then; 0: it did not say
  WalkReport report;
  CheckReport check;
  bool through_api = false;
  WalkEstimate estimate;
  HeapWalk* walk = nullptr;  // the one that was taken
};

}  // namespace cairn::collector
