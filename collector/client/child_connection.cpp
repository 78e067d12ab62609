#include "collector/client/child_connection.h"

namespace cairn::client {

void ChildConnection::Open(UniqueFd fd) {
  Drop();
  fd_ = std::move(fd);
  was_opened_ = true;
}

Result<bool> ChildConnection::Read(bool ready, const Use& check, const Use& use) {
  bool came = false;
  if (ready) CAIRN_TRY(Flush(use));
  for (int i = 0; Fd() >= 0 && i < kFramesPerRound; ++i) {
    Frame frame;
    const auto got = reader_.Read(fd_.Get(), frame);
    if (!got) {
      if (got.error().code != "stream.closed") broken_ = got.error();
      fd_.Reset();
      break;
    }
    if (!*got) break;
    came = true;
    frame.of_child = true;
    CAIRN_TRY(Take(std::move(frame), check));
    if (ready) CAIRN_TRY(Flush(use));
  }
  return came;
}

Status ChildConnection::Take(Frame frame, const Use& check) {
  if (!greeted_) {
    if (frame.kind != protocol::FrameKind::kHello)
      return Fail(ErrorKind::kFailed, "stream.no_hello", "The collector's child spoke without a greeting.",
                  "Use a collector library and a cairn of the same build.");
    CAIRN_TRY(check(frame));
    greeted_ = true;
  }
  waiting_bytes_ += frame.payload.size();
  waiting_.push_back(std::move(frame));
  return {};
}

Status ChildConnection::Flush(const Use& use) {
  while (!waiting_.empty()) {
    Frame frame = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= frame.payload.size();
    CAIRN_TRY(use(std::move(frame)));
  }
  return {};
}

}  // namespace cairn::client
