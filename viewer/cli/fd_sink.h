#pragma once
// Buffered bytes into a file descriptor; a reader that left and a disk that is full are told apart.
// Thread rule: one thread. Ownership: the descriptor stays the caller's.

#include <string>
#include <utility>

#include "snapshot-format/file/result.h"
#include "viewer/presentation/render/byte_sink.h"

namespace cairn::cli {

class FdSink : public presentation::ByteSink {
 public:
  // `name` is what messages call it.
  explicit FdSink(int fd, std::string name = "the standard output") : fd_(fd), name_(std::move(name)) {}

  bool Write(std::string_view bytes) override;
  // Writes what is buffered; what fails is told by Finish.
  void Flush() { Drain(); }
  // Writes what is buffered. A reader that left (broken pipe) is no error; anything else is output.unwritable.
  Status Finish();

 private:
  void Drain();

  int fd_;
  std::string name_;
  std::string buffer_;
  int error_ = 0;  // errno of the write that failed
};

}  // namespace cairn::cli
