#pragma once
// A named pipe of Windows, one end of it. Calls wait until they are done.
// Ownership: closes its handle. Thread rule: one thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn::windows {

class Pipe {
 public:
  Pipe() = default;
  ~Pipe() { Close(); }
  Pipe(Pipe&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Pipe& operator=(Pipe&&) = delete;

  // Empty where there is none of that name, or it is not for us; then LastError says why.
  static Pipe Connect(const std::string& name);
  // The listening end, for one client of this machine and user.
  static Pipe Make(const std::string& name);

  explicit operator bool() const { return handle_ != nullptr; }
  // Of the listening end: false where no client came in time. One that has hung up again did come.
  bool AwaitClient(uint32_t milliseconds);
  bool Write(std::span<const uint8_t> bytes);
  // As many as there are, at least one; 0: the other side has closed its end.
  size_t Read(std::span<uint8_t> to);
  // Exactly so many, or fewer at the end.
  std::vector<uint8_t> ReadBytes(size_t count);
  void Close();

 private:
  explicit Pipe(void* handle) : handle_(handle) {}

  void* handle_ = nullptr;
};

uint32_t LastError();

}  // namespace cairn::windows
