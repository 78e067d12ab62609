#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <cerrno>

#include "collector/tracking/control_listener.h"

namespace cairn::collector {

namespace {

constexpr DWORD kBufferBytes = 4096;

HANDLE ToHandle(int number) { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(number)); }

// One end of the pipe, for the next client. As the system makes it when nothing else is said, only this user,
// administrators and the system may write to it; other machines may not even open it.
int MakePipe(const std::string& name, DWORD first) {
  const HANDLE pipe = CreateNamedPipeA(name.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | first,
                                       PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                                       PIPE_UNLIMITED_INSTANCES, kBufferBytes, kBufferBytes, 0, nullptr);
  return pipe == INVALID_HANDLE_VALUE ? -1 : static_cast<int>(reinterpret_cast<intptr_t>(pipe));
}

// False: nobody came, and nobody is waited for.
bool AwaitClient(HANDLE pipe, bool waits) {
  OVERLAPPED state{};
  state.hEvent = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (state.hEvent == nullptr) return false;
  bool came = ConnectNamedPipe(pipe, &state) != 0 || GetLastError() == ERROR_PIPE_CONNECTED;
  if (!came && GetLastError() == ERROR_IO_PENDING) {
    if (WaitForSingleObject(state.hEvent, waits ? INFINITE : 0) != WAIT_OBJECT_0) CancelIoEx(pipe, &state);
    DWORD ignored = 0;
    // The system may write to `state` until this returns.
    came = GetOverlappedResult(pipe, &state, &ignored, TRUE) != 0;
  }
  CloseHandle(state.hEvent);
  return came;
}

}  // namespace

// A number of a process may be used again, but its pipes end with it.
std::string ControlSocketName(unsigned number) {
  const std::string name = "\\\\.\\pipe\\cairn-" + std::to_string(GetCurrentProcessId()) + "-control";
  return number < 2 ? name : name + std::to_string(number);
}

bool ControlListener::Open(bool waits) {
  constexpr unsigned kMostRuntimes = 16;
  folder_ = waits ? 1 : 0;
  for (unsigned number = 1; number <= kMostRuntimes && listener_ == -1; ++number) {
    name_ = ControlSocketName(number);
    listener_ = MakePipe(name_, FILE_FLAG_FIRST_PIPE_INSTANCE);
  }
  return listener_ != -1;
}

// The end that was connected is handed out; the name must never be without one.
int ControlListener::Accept() {
  errno = EAGAIN;
  if (listener_ == -1 || !AwaitClient(ToHandle(listener_), folder_ != 0)) return -1;
  const int connected = listener_;
  listener_ = MakePipe(name_, 0);
  return connected;
}

void ControlListener::Close() {
  if (listener_ != -1) CloseHandle(ToHandle(listener_));
  listener_ = -1;
}

// The name is the pipe's own, and ends with the process.
void ControlListener::RemoveName() const {}

}  // namespace cairn::collector
