#pragma once
// Runs an Assembler on a thread of its own, so that decoding and writing do not slow the receiving.
// Thread rule: Push, Failed and Finish from one thread. Memory: a bounded queue of frames.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "collector/client/assembler.h"

namespace cairn::client {

class AssemblyThread {
 public:
  explicit AssemblyThread(std::unique_ptr<Assembler> assembler);
  ~AssemblyThread();

  // Waits while the queue is full.
  void Push(Frame frame);
  // What stopped the assembler, if anything did; later frames are dropped.
  std::optional<Error> Failed();
  // After the last frame. `cut`: why the conversation ended before its end.
  Result<CaptureResult> Finish(std::optional<Error> cut);

 private:
  void Run();
  bool Take(Frame& frame);

  std::unique_ptr<Assembler> assembler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> queue_;
  uint64_t queued_bytes_ = 0;
  bool closed_ = false;
  std::optional<Error> failed_;
  std::thread thread_;
};

}  // namespace cairn::client
