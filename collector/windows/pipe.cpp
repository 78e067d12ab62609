#include "collector/windows/pipe.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace cairn::windows {

namespace {

constexpr DWORD kBufferBytes = 1u << 20;
constexpr int kTries = 50;
constexpr DWORD kBusyMs = 100;

}  // namespace

Pipe Pipe::Connect(const std::string& name) {
  for (int tries = 0; tries < kTries; ++tries) {
    const HANDLE handle = CreateFileA(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
                                      SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, nullptr);
    if (handle != INVALID_HANDLE_VALUE) return Pipe(handle);
    if (GetLastError() != ERROR_PIPE_BUSY) break;
    Sleep(kBusyMs);
  }
  return {};
}

Pipe Pipe::Make(const std::string& name) {
  const HANDLE handle = CreateNamedPipeA(name.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_FIRST_PIPE_INSTANCE,
                                         PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                                         1, kBufferBytes, kBufferBytes, 0, nullptr);
  return handle == INVALID_HANDLE_VALUE ? Pipe() : Pipe(handle);
}

bool Pipe::AwaitClient(uint32_t milliseconds) {
  constexpr DWORD kSliceMs = 10;
  for (uint32_t waited = 0; waited < milliseconds; waited += kSliceMs) {
    if (PeekNamedPipe(handle_, nullptr, 0, nullptr, nullptr, nullptr) || GetLastError() == ERROR_BROKEN_PIPE)
      return true;
    Sleep(kSliceMs);
  }
  return false;
}

bool Pipe::Write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (!WriteFile(handle_, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr)) return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

size_t Pipe::Read(std::span<uint8_t> to) {
  DWORD got = 0;
  return ReadFile(handle_, to.data(), static_cast<DWORD>(to.size()), &got, nullptr) ? got : 0;
}

std::vector<uint8_t> Pipe::ReadBytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  size_t have = 0;
  while (have < count) {
    const size_t got = Read(std::span(bytes).subspan(have));
    if (got == 0) break;
    have += got;
  }
  bytes.resize(have);
  return bytes;
}

void Pipe::Close() {
  if (handle_ != nullptr) CloseHandle(handle_);
  handle_ = nullptr;
}

uint32_t LastError() { return GetLastError(); }

}  // namespace cairn::windows
