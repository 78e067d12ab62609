#include "viewer/cli/fd_sink.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cairn::cli {

bool FdSink::Write(std::string_view bytes) {
  constexpr size_t kBufferBytes = 64 << 10;
  if (error_ != 0) return false;
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferBytes) Drain();
  return error_ == 0;
}

void FdSink::Drain() {
  size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const ssize_t wrote = write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (wrote >= 0)
      done += static_cast<size_t>(wrote);
    else if (errno != EINTR)
      error_ = errno;
  }
  buffer_.clear();
}

Status FdSink::Finish() {
  if (error_ == 0) Drain();
  if (error_ == 0 || error_ == EPIPE) return {};
  if (error_ == EBADF)
    return Fail(ErrorKind::kFailed, "output.unwritable", name_ + " is closed, so nothing can be printed",
                "Leave it open, or send it to a file or to /dev/null.");
  return Fail(ErrorKind::kFailed, "output.unwritable", name_ + " could not be written: " + std::strerror(error_),
              "What was printed is not all; free space or write elsewhere and run the command again.");
}

}  // namespace cairn::cli
