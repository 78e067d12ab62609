#include "collector/client/attach.h"

#include <algorithm>
#include <cstring>

#include "collector/client/hresult_words.h"

namespace cairn::client {
namespace {

// How long the runtime may wait for a background collection: concurrent collections stay switched off and
// allocating threads may stall meanwhile, so many short waits are kinder than a long one.
constexpr uint32_t kFirstWaitMs = 5, kLaterWaitsMs[] = {1, 2, 3, 5};
constexpr milliseconds kFirstPause{50}, kLongestPause{200}, kRetryFor{10000};
// The runtime speaks of another profiler until the collector of a capture before has left altogether.
constexpr unsigned kActiveTries = 3;
constexpr milliseconds kActivePause{400};

std::vector<uint8_t> BytesOf(const protocol::Options& options) {
  std::vector<uint8_t> bytes(sizeof options);
  std::memcpy(bytes.data(), &options, sizeof options);
  return bytes;
}

}  // namespace

Attach::Attach(IpcAddress address, pid_t target, std::string library, const protocol::Options& options, bool beside)
    : address_(std::move(address)),
      target_(target),
      library_(std::move(library)),
      options_(options),
      next_try_(Clock::now()),
      give_up_(Clock::now() + kRetryFor) {
  if (beside) GoBeside();
}

Attach::Attach(std::function<Status()> ask) : order_(std::move(ask)), next_try_(Clock::now()), give_up_(next_try_) {}

// What asks for a full collection is served beside another profiler as with --light.
void Attach::GoBeside() {
  beside_ = true;
  if (options_.gc == protocol::GcRequest::kFull) options_.light = 1;
}

void Attach::TryAgainIn(milliseconds pause) {
  state_ = State::kWaiting;
  next_try_ = Clock::now() + pause;
}

Status Attach::Advance() {
  if (state_ == State::kWaiting && Clock::now() >= next_try_) return Ask();
  if (state_ != State::kAsked) return {};
  const auto done = exchange_->Advance();
  if (!done) return tl::make_unexpected(done.error());
  if (!*done) return {};
  const auto answer = exchange_->Answer();
  exchange_.reset();
  if (!answer) return tl::make_unexpected(answer.error());
  return Judge(*answer);
}

Status Attach::Ask() {
  if (order_) {
    ++tries_;
    const Status ordered = order_();
    if (ordered) state_ = State::kAttached;
    return ordered;
  }
  const uint32_t wait_ms = tries_ == 0 ? kFirstWaitMs : kLaterWaitsMs[tries_ % std::size(kLaterWaitsMs)];
  auto request =
      AttachRequest(wait_ms, beside_ ? protocol::kBesideClsid : protocol::kCollectorClsid, library_, BytesOf(options_));
  if (!request) return tl::make_unexpected(request.error());
  auto exchange = IpcExchange::Start(address_, std::move(*request), target_);
  if (!exchange) return tl::make_unexpected(exchange.error());
  exchange_ = std::move(*exchange);
  state_ = State::kAsked;
  ++tries_;
  return {};
}

Status Attach::Judge(const IpcAnswer& answer) {
  if (answer.ok) {
    state_ = State::kAttached;
    return {};
  }
  if (answer.hresult == kAlreadyActive && !beside_) {
    if (++active_answers_ >= kActiveTries) GoBeside();
    TryAgainIn(beside_ ? milliseconds(0) : kActivePause);
    return {};
  }
  if (answer.hresult != kConcurrentGcTimeout || Clock::now() >= give_up_)
    return tl::make_unexpected(HresultError(answer.hresult));
  TryAgainIn(std::min(kLongestPause, kFirstPause * tries_));
  return {};
}

}  // namespace cairn::client
