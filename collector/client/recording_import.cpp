#include "collector/client/recording_import.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "collector/client/assembler.h"
#include "collector/client/capture_request.h"
#include "collector/client/ipc_messages.h"
#include "collector/protocol/messages.h"
#include "collector/protocol/recording.h"
#include "snapshot-format/stream/records.h"

namespace cairn::client {
namespace {

using protocol::FrameKind;
using protocol::RecordingHeader;

bool ReadExactly(int file, void* to, size_t size) {
  auto* at = static_cast<uint8_t*>(to);
  while (size > 0) {
    const ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

tl::unexpected<Error> Damaged(const std::string& path, const std::string& what) {
  return Fail(ErrorKind::kDamaged, "recording.damaged", path + " is no whole recording: " + what + ".",
              "Record again, and copy it as a binary file.");
}

std::string UtcText(int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc{};
  char text[32] = "";
  if (gmtime_r(&time, &utc) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// One recording, read from front to back.
class Recording {
 public:
  explicit Recording(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

  Status ReadFront() {
    if (!file_)
      return Fail(ErrorKind::kFailed, "recording.unreadable", path_ + " cannot be read: " + ErrnoText(errno) + ".");
    if (!ReadExactly(file_.Get(), &header_, sizeof header_)) return Damaged(path_, "it ends within its header");
    if (header_.magic != protocol::kRecordingMagic) return Damaged(path_, "it begins as something else");
    if (header_.version != protocol::kProtocolVersion || header_.size != sizeof header_)
      return Fail(ErrorKind::kFailed, "recording.version", path_ + " was recorded by another version of Cairn.",
                  "Use a recorder and a cairn of the same build.");
    return ReadInfo();
  }

  CaptureContext Context(const std::string& output) const {
    CaptureContext context;
    context.started = Clock::now();
    context.captured_at = UtcText(header_.started);
    context.output = output;
    context.gc = header_.options.gc;
    context.strings = header_.options.strings;
    context.values = header_.options.values != 0;
    context.max_pause_ms = header_.options.max_pause_ms;
    context.process.pid = header_.process;
    context.process.name = info_.entry_assembly.empty() ? "process" : info_.entry_assembly;
    context.process.command_line = info_.command_line;
    context.process.runtime = info_.version;
    context.process.architecture = info_.architecture;
    return context;
  }

  // Everything up to the last frame. What is missing is told by the assembler.
  std::optional<Error> Play(Assembler& assembler) {
    for (bool first = true;; first = false) {
      Frame frame;
      const auto got = reader_.Read(file_.Get(), frame);
      if (!got && got.error().code == "stream.closed")
        return Damaged(path_, "it ends before the collector had told everything").value();
      if (!got) return got.error();
      if (!*got) return Damaged(path_, "it cannot be read on").value();
      if (const Status refused = Check(frame, first); !refused) return refused.error();
      if (const Status accepted = assembler.Accept(frame); !accepted) return accepted.error();
      if (frame.kind == FrameKind::kEnd) return std::nullopt;
    }
  }

 private:
  Status ReadInfo() {
    if (header_.info_size == 0) return {};
    std::vector<uint8_t> info(header_.info_size);
    if (info.size() > kMaxIpcMessage || !ReadExactly(file_.Get(), info.data(), info.size()))
      return Damaged(path_, "what the process said of itself is cut");
    auto parsed = ParseProcessInfo(static_cast<ProcessInfoVersion>(header_.info_version), info);
    if (!parsed) return tl::make_unexpected(parsed.error());
    info_ = std::move(*parsed);
    return {};
  }

  Status Check(const Frame& frame, bool first) const {
    if (frame.kind == FrameKind::kRefused) {
      protocol::Refused refused;
      stream::RecordReader reader(frame.payload);
      reader(refused);
      if (reader.Complete()) return Fail(ErrorKind::kFailed, refused.code, refused.message, refused.hint);
    }
    if (!first) return {};
    protocol::Hello hello;
    stream::RecordReader reader(frame.payload);
    reader(hello);
    if (frame.kind != FrameKind::kHello || !reader.Complete()) return Damaged(path_, "the collector does not greet");
    if (std::memcmp(hello.nonce, header_.options.nonce, sizeof hello.nonce) == 0) return {};
    return Damaged(path_, "the collector that speaks is not the one that was asked");
  }

  const std::string& path_;
  UniqueFd file_;
  RecordingHeader header_{};
  RuntimeInfo info_;
  FrameReader reader_;
};

}  // namespace

bool IsRecording(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  uint64_t magic = 0;
  return file && ReadExactly(file.Get(), &magic, sizeof magic) && magic == protocol::kRecordingMagic;
}

Result<CaptureResult> ImportRecording(const std::string& path, const std::string& output, bool overwrite) {
  Recording recording(path);
  CAIRN_TRY(CheckOutput(output, overwrite));
  CAIRN_TRY(recording.ReadFront());
  auto writer = snapshot::SnapshotWriter::Create(output, {overwrite, {}});
  if (!writer) return tl::make_unexpected(writer.error());
  Assembler assembler(std::move(*writer), recording.Context(output));
  return assembler.Finish(recording.Play(assembler));
}

}  // namespace cairn::client
