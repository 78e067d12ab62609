#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>

#include "collector/capture/clock.h"
#include "collector/capture/connection.h"

namespace cairn::collector {

namespace {

constexpr DWORD kBusyRetryMs = 20;
// How soon something said is heard: a pipe cannot be waited for without reading it.
constexpr uint64_t kLookMs = 20;
// Each piece has the deadline for itself: a slow client is not a dead one.
constexpr size_t kMostAtOnce = 64u << 10;

// Of a handle 32 bits are significant, in processes of 64 bits too.
HANDLE ToHandle(int number) { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(number)); }
int ToNumber(HANDLE handle) { return static_cast<int>(reinterpret_cast<intptr_t>(handle)); }

int MakeEvent() {
  const HANDLE event = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  return event == nullptr ? -1 : ToNumber(event);
}

void CloseNumber(int& number) {
  if (number != -1) CloseHandle(ToHandle(number));
  number = -1;
}

// One transfer that may be given up.
class Transfer {
 public:
  Transfer() { state_.hEvent = CreateEventW(nullptr, TRUE, FALSE, nullptr); }
  ~Transfer() {
    if (state_.hEvent != nullptr) CloseHandle(state_.hEvent);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  OVERLAPPED* State() { return &state_; }
  // After a call that returned `started`. How many bytes; -1: failed, too late, or `shut` was signalled.
  int64_t Finish(HANDLE pipe, BOOL started, int shut, int deadline_ms) {
    DWORD done = 0;
    if (!started && GetLastError() != ERROR_IO_PENDING) return -1;
    const HANDLE waited[] = {state_.hEvent, ToHandle(shut)};
    const DWORD count = shut == -1 ? 1 : 2;
    const bool over = WaitForMultipleObjects(count, waited, FALSE, static_cast<DWORD>(deadline_ms)) == WAIT_OBJECT_0;
    if (!over) CancelIoEx(pipe, &state_);
    // The system may write to `state_` until this returns.
    return GetOverlappedResult(pipe, &state_, &done, TRUE) ? static_cast<int64_t>(done) : -1;
  }

 private:
  OVERLAPPED state_{};
};

}  // namespace

// Whoever made the pipe learns who we are but may not act as us.
bool Connection::Connect(const char* path, int timeout_ms) {
  constexpr DWORD kFlags = FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
  const uint64_t until = NowNs() + static_cast<uint64_t>(timeout_ms) * kNsPerMs;
  for (;;) {
    const HANDLE pipe = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING, kFlags, nullptr);
    if (pipe != INVALID_HANDLE_VALUE) {
      Adopt(ToNumber(pipe));
      return true;
    }
    if (GetLastError() != ERROR_PIPE_BUSY || NowNs() >= until) return false;
    Sleep(kBusyRetryMs);
  }
}

void Connection::Adopt(int handle) {
  Close();
  handle_ = handle;
  wake_ = MakeEvent();
  shut_ = MakeEvent();
}

int Connection::Release() {
  const int handle = handle_;
  handle_ = -1;
  Close();
  return handle;
}

void Connection::Close() {
  CloseNumber(handle_);
  CloseNumber(wake_);
  CloseNumber(shut_);
}

void Connection::Shut() {
  if (shut_ != -1) SetEvent(ToHandle(shut_));
}

void Connection::StopWaiting() {
  if (wake_ != -1) SetEvent(ToHandle(wake_));
}

bool Connection::Write(const void* data, size_t size, int deadline_ms, const std::atomic<bool>& stop) {
  auto* at = static_cast<const uint8_t*>(data);
  while (size > 0 && !stop) {
    Transfer transfer;
    const auto piece = static_cast<DWORD>(std::min(size, kMostAtOnce));
    const BOOL started = WriteFile(ToHandle(handle_), at, piece, nullptr, transfer.State());
    const int64_t sent = transfer.Finish(ToHandle(handle_), started, shut_, deadline_ms);
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
  return size == 0;
}

Connection::Sign Connection::Wait(int timeout_ms) {
  const HANDLE waited[] = {ToHandle(wake_), ToHandle(shut_)};
  const uint64_t until = NowNs() + static_cast<uint64_t>(timeout_ms) * kNsPerMs;
  for (;;) {
    DWORD available = 0;
    if (!PeekNamedPipe(ToHandle(handle_), nullptr, 0, nullptr, &available, nullptr)) return Sign::kGone;
    if (available > 0) return Sign::kReadable;
    const uint64_t now = NowNs();
    if (now >= until) return Sign::kNothing;
    const uint64_t left_ms = (until - now) / kNsPerMs + 1;
    const DWORD woken = WaitForMultipleObjects(2, waited, FALSE, static_cast<DWORD>(std::min(left_ms, kLookMs)));
    if (woken == WAIT_OBJECT_0) return Sign::kNothing;
    if (woken == WAIT_OBJECT_0 + 1) return Sign::kGone;
  }
}

int64_t Connection::Read(void* to, size_t size) {
  DWORD available = 0;
  if (!PeekNamedPipe(ToHandle(handle_), nullptr, 0, nullptr, &available, nullptr)) return -1;
  const auto wanted = static_cast<DWORD>(std::min<size_t>(available, size));
  if (wanted == 0) return 0;
  Transfer transfer;
  const BOOL started = ReadFile(ToHandle(handle_), to, wanted, nullptr, transfer.State());
  const int64_t got = transfer.Finish(ToHandle(handle_), started, shut_, 0);
  return got > 0 ? got : -1;
}

void CloseConnection(int handle) { CloseNumber(handle); }

}  // namespace cairn::collector
