#pragma once
// A file written front to back, under NAME.partial until Finish has synced and renamed it. Destroyed before Finish, it
// leaves nothing behind. Readable by its owner only: a heap may hold secrets.
// Thread rule: one thread. Errors of Write are told by Finish; Failed asks early.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "snapshot-format/file/result.h"

namespace cairn::convert {

class OutputFile {
 public:
  // Errors: output.exists (usage), output.unwritable.
  static Result<std::unique_ptr<OutputFile>> Create(const std::string& path, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view bytes);
  uint64_t Written() const { return written_; }
  bool Failed() const { return error_ != 0; }
  // Errors: output.full, output.unwritable. Nothing may follow.
  Status Finish();

 private:
  OutputFile(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  std::string PartialName() const { return path_ + ".partial"; }

  std::string path_;
  std::FILE* file_;
  uint64_t written_ = 0;
  int error_ = 0;  // errno of the first failure
};

}  // namespace cairn::convert
