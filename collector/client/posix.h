#pragma once
// The few wrappers around system calls that every file of this folder uses.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::client {

// Owns one file descriptor.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) Reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~UniqueFd() { Reset(); }

  int Get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Milliseconds from now to `deadline`, at least 0, as poll takes them.
int MillisecondsUntil(Clock::time_point deadline);

std::string ErrnoText(int error);

// The file's first `max_bytes`, or nothing when it cannot be read: /proc entries vanish at any time.
std::optional<std::string> ReadFile(const std::string& path, size_t max_bytes = 64u << 20);

// Writes everything or fails with errno set; the second to a socket, without SIGPIPE.
bool WriteAll(int fd, std::span<const uint8_t> bytes);
bool SendAll(int fd, std::span<const uint8_t> bytes);

// `count` bytes of the kernel's random numbers as hex digits.
std::string RandomHex(size_t count);
void FillRandom(std::span<uint8_t> bytes);

// "name" of a file below an opened folder, for calls that take only a path (connect, bind): works for
// folders of other mount namespaces and for paths longer than sun_path.
std::string PathBelow(int folder_fd, const std::string& name);

std::vector<std::string> Split(const std::string& text, char separator);
std::string UserName(uid_t uid);

}  // namespace cairn::client
