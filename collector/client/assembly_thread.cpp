#include "collector/client/assembly_thread.h"

#include <exception>
#include <new>

namespace cairn::client {
namespace {

constexpr uint64_t kMaxQueuedBytes = 8u << 20;

}  // namespace

AssemblyThread::AssemblyThread(std::unique_ptr<Assembler> assembler)
    : assembler_(std::move(assembler)), thread_([this] { Run(); }) {}

AssemblyThread::~AssemblyThread() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void AssemblyThread::Push(Frame frame) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queued_bytes_ < kMaxQueuedBytes || failed_; });
  if (failed_) return;
  queued_bytes_ += frame.payload.size();
  queue_.push_back(std::move(frame));
  changed_.notify_all();
}

std::optional<Error> AssemblyThread::Failed() {
  const std::lock_guard lock(mutex_);
  return failed_;
}

bool AssemblyThread::Take(Frame& frame) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || !queue_.empty(); });
  if (queue_.empty()) return false;
  frame = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= frame.payload.size();
  changed_.notify_all();
  return true;
}

void AssemblyThread::Run() {
  Frame frame;
  while (Take(frame)) {
    Status status;
    try {
      status = assembler_->Accept(frame);
    } catch (const std::bad_alloc&) {
      status = Fail(ErrorKind::kFailed, "memory.exhausted", "There is not enough memory to assemble the capture.",
                    "Free some memory, or raise the limit: ulimit -v.");
    } catch (const std::exception& error) {
      status = Fail(ErrorKind::kFailed, "capture.internal",
                    std::string("The capture could not be assembled: ") + error.what() + ".", "Report this.");
    }
    if (status) continue;
    const std::lock_guard lock(mutex_);
    failed_ = status.error();
    queue_.clear();
    changed_.notify_all();
    return;
  }
}

Result<CaptureResult> AssemblyThread::Finish(std::optional<Error> cut) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (failed_) cut = failed_;
  return assembler_->Finish(cut);
}

}  // namespace cairn::client
