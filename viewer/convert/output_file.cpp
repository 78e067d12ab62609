#include "viewer/convert/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cairn::convert {
namespace {

tl::unexpected<Error> Unwritable(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  if (error == EMFILE || error == ENFILE)
    return Fail(ErrorKind::kFailed, "system.descriptors", path + " cannot be written: too many files are open.",
                "Raise the limit of open files: ulimit -n.");
  return Fail(ErrorKind::kFailed, full ? "output.full" : "output.unwritable",
              path + " cannot be written: " + std::strerror(error) + ".",
              full ? "Free some space, or name another place with --output." : "Name another place with --output.");
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path, bool overwrite) {
  struct stat known {};
  if (!overwrite && lstat(path.c_str(), &known) == 0)
    return Fail(ErrorKind::kUsage, "output.exists", path + " is there already.",
                "Name another file, or add --force to replace it.");
  // A rename would replace even /dev/null.
  if (overwrite && lstat(path.c_str(), &known) == 0 && !S_ISREG(known.st_mode) && !S_ISLNK(known.st_mode))
    return Fail(ErrorKind::kFailed, "output.unwritable", path + " is no file and will not be replaced.",
                "Name another place with --output.");
  const std::string partial = path + ".partial";
  unlink(partial.c_str());  // a leftover; what another user put there stays, and is not written into
  const int descriptor = open(partial.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return Unwritable(path, errno);
  std::FILE* const file = fdopen(descriptor, "wb");
  if (file == nullptr) {
    const int error = errno;
    close(descriptor);
    return Unwritable(path, error);
  }
  std::setvbuf(file, nullptr, _IOFBF, 1u << 18);
  return std::unique_ptr<OutputFile>(new OutputFile(path, file));
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  unlink(PartialName().c_str());
}

void OutputFile::Write(std::string_view bytes) {
  written_ += bytes.size();
  if (error_ != 0 || bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) error_ = errno ? errno : EIO;
}

Status OutputFile::Finish() {
  if (error_ == 0 && (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0)) error_ = errno;
  if (error_ == 0 && std::rename(PartialName().c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) return Unwritable(path_, error_);
  std::fclose(file_);
  file_ = nullptr;
  return {};
}

}  // namespace cairn::convert
