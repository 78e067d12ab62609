#pragma once
// Frames of one capture → a snapshot file. Chunks go to the file as they come, each decoded and counted on
// the way; the small tables follow at the end.
// Thread rule: one thread. Memory: independent of the heap's size, but for its roots and types.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collector/client/capture_context.h"
#include "collector/client/capture_session.h"
#include "collector/client/chunk_checker.h"
#include "collector/client/frame_reader.h"
#include "collector/client/static_resolver.h"
#include "collector/protocol/messages.h"
#include "snapshot-format/file/snapshot_writer.h"

namespace cairn::client {

class Assembler {
 public:
  Assembler(std::unique_ptr<snapshot::SnapshotWriter> writer, CaptureContext context);
  ~Assembler();

  // Errors: stream.* (the conversation is broken; Finish may still save what came before) and those of
  // the writer (nothing can be saved).
  Status Accept(const Frame& frame);

  // Completes the file. `cut`: why the conversation ended before its end. That is no harm where a child had been
  // left to send the rest and did. Errors: that of the writer, or
  // `cut` itself when what came is not enough for a readable file.
  Result<CaptureResult> Finish(const std::optional<Error>& cut);

 private:
  Status AcceptHello(const Frame& frame);
  Status AcceptRanges(const Frame& frame);
  Status AcceptTypes(const Frame& frame);
  Status AcceptChunk(const Frame& frame);
  Status AcceptTypeNames(const Frame& frame);
  Status AcceptModules(const Frame& frame);
  Status AcceptRoots(const Frame& frame);
  Status AcceptDependents(const Frame& frame);
  Status AcceptThreads(const Frame& frame);
  Status AcceptStatics(const Frame& frame);
  Status AcceptMethods(const Frame& frame);
  Status AcceptProblem(const Frame& frame);
  Status AcceptWalkEnd(const Frame& frame);
  Status AcceptDetached(const Frame& frame);
  Status AcceptEnd(const Frame& frame);
  Status AcceptChildWalk(const Frame& frame);
  Status AcceptChildEnd(const Frame& frame);
  std::optional<Error> ChildFailure() const;

  template <class Message>
  Status Read(const Frame& frame, Message& message) const;
  void StartChecker();
  Status Keep(Status written);
  bool Readable() const;

  std::unique_ptr<snapshot::SnapshotWriter> writer_;
  CaptureContext context_;
  snapshot::Summary summary_;
  std::vector<bool> named_;           // per type id
  std::vector<uint32_t> module_ids_;  // the collector's id of each module
  StaticResolver statics_;
  std::unique_ptr<SampledObjects> sampled_;
  std::unique_ptr<ChunkChecker> checker_;
  std::optional<protocol::WalkEnd> walk_;
  std::optional<protocol::End> end_;
  // Of a forked child, where the walk says that there is one.
  std::optional<protocol::ChildWalk> child_walk_;
  std::optional<protocol::ChildEnd> child_end_;
  bool child_complete_ = false;  // its last frame came
  bool tells_gc_mode_ = true;    // an old runtime does not
  uint64_t chunks_ = 0, frames_ = 0, child_frames_ = 0;
  std::optional<Error> writer_error_;
};

}  // namespace cairn::client
