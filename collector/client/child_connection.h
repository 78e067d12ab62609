#pragma once
// The second connection of a capture: chunks from a forked child. They may arrive before the collector has said
// what they are made of; until then a bounded part of them waits here.
// Thread rule: one thread.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "collector/client/frame_reader.h"
#include "collector/client/posix.h"
#include "snapshot-format/file/result.h"

namespace cairn::client {

class ChildConnection {
 public:
  using Use = std::function<Status(Frame)>;

  void Open(UniqueFd fd);
  void Drop() { *this = ChildConnection(); }

  bool IsOpen() const { return static_cast<bool>(fd_); }
  bool WasOpened() const { return was_opened_; }
  // To be polled for reading; -1 for nothing, also while too much waits.
  int Fd() const { return waiting_bytes_ < kMostWaiting ? fd_.Get() : -1; }

  // Reads what is there. The greeting goes to `check`, the rest to `use` once `ready`. Returns whether anything
  // came. What the connection itself breaks with ends it, and is told by Error; what `check` and `use` say ends
  // the capture.
  Result<bool> Read(bool ready, const Use& check, const Use& use);
  // Why it ended otherwise than by a plain end of file.
  const std::optional<Error>& Broken() const { return broken_; }

 private:
  static constexpr uint64_t kMostWaiting = 32u << 20;
  static constexpr int kFramesPerRound = 64;

  Status Take(Frame frame, const Use& check);
  Status Flush(const Use& use);

  UniqueFd fd_;
  FrameReader reader_;
  bool was_opened_ = false;
  bool greeted_ = false;
  std::deque<Frame> waiting_;
  uint64_t waiting_bytes_ = 0;
  std::optional<Error> broken_;
};

}  // namespace cairn::client
