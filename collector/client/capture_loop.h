#pragma once
// The middle of a capture: attach, the collector's call back, its frames, until the end or until somebody
// gives up. One thread, one poll over the attach's answer, the listener, the stream; a second thread
// decodes and writes.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "collector/client/assembly_thread.h"
#include "collector/client/attach.h"
#include "collector/client/capture_listener.h"
#include "collector/client/capture_session.h"
#include "collector/client/child_connection.h"
#include "collector/client/frame_reader.h"
#include "collector/client/target.h"

namespace cairn::client {

class CaptureLoop {
 public:
  struct Parts {
    const Machine& machine;
    const Target& target;
    const CaptureListener& listener;
    Attach& attach;
    std::vector<uint8_t> nonce;
    std::function<Result<std::unique_ptr<Assembler>>()> make_assembler;
    const std::function<void(const CaptureProgress&)>& progress;
    const std::atomic<bool>& cancel;
    milliseconds timeout;  // without any sign of life
  };
  explicit CaptureLoop(Parts parts) : parts_(std::move(parts)), last_sign_(Clock::now()) {}

  Result<CaptureResult> Run();

 private:
  enum class Next { kGoOn, kDone };

  void Wait() const;
  Status AdvanceAttach();
  void SayRetrying();
  void AcceptConnection();
  void AcceptChild();
  Status ReadChild();
  bool WaitsForChild() const { return child_.IsOpen() && (main_ended_ || left_to_child_); }
  Result<Next> ReadFrames();
  Result<Next> HandleFrame(Frame frame);
  Status CheckHello(const Frame& frame);
  Status Refused(const Frame& frame);
  Status PushFrame(Frame frame);
  void Report(const Frame& frame);
  void Say(protocol::CaptureState state, const std::string& text);
  void DropStream();
  Status HandleStreamEnd(const Error& error);
  std::optional<Error> GivenUp() const;
  Error Silence() const;
  Error WhyEnded(const Error& error) const;
  bool TargetGone() const;
  bool MapsCollector() const;
  Error EarlierCollector() const;
  Result<CaptureResult> Stop(const Error& error);
  void SendCancel() const;
  void WaitForHangUp(milliseconds longest);

  Parts parts_;
  UniqueFd stream_;
  FrameReader reader_;
  bool greeted_ = false;
  ChildConnection child_;
  bool named_ = false;                  // everything but the chunks has come
  bool main_ended_ = false;             // with its last frame
  std::optional<Error> left_to_child_;  // how the main connection ended, with the child still sending
  std::unique_ptr<AssemblyThread> assembly_;
  std::optional<Error> attach_error_;
  std::optional<Error> early_end_;  // the stream ended before the attach was answered
  Clock::time_point attach_failed_at_;
  std::optional<Clock::time_point> attached_at_;
  std::string said_retrying_;
  bool refused_ = false;
  protocol::CaptureState state_ = protocol::CaptureState::kConnected;
  Clock::time_point last_sign_;
};

}  // namespace cairn::client
