#include "collector/windows/recorder.h"

#include <fstream>

namespace cairn::windows {

namespace {

using client::ProcessInfoVersion;

constexpr size_t kPieceBytes = 256u << 10;

}  // namespace

Result<client::IpcAnswer> Ask(uint32_t pid, std::span<const uint8_t> request) {
  Pipe pipe = Pipe::Connect("\\\\.\\pipe\\dotnet-diagnostic-" + std::to_string(pid));
  if (!pipe) {
    return Fail(
        ErrorKind::kFailed, "ipc.no_endpoint",
        "Process " + std::to_string(pid) + " has no diagnostics pipe (error " + std::to_string(LastError()) + ").",
        "Is it a .NET process of this user, with diagnostics on?");
  }
  const auto closed = Fail(ErrorKind::kFailed, "ipc.closed", "The runtime hung up without an answer.");
  if (!pipe.Write(request)) return closed;
  std::vector<uint8_t> message = pipe.ReadBytes(client::kIpcHeaderBytes);
  if (message.size() < client::kIpcHeaderBytes) return closed;
  const auto size = client::AnswerSize(message);
  if (!size) return tl::make_unexpected(size.error());
  const std::vector<uint8_t> rest = pipe.ReadBytes(*size - message.size());
  message.insert(message.end(), rest.begin(), rest.end());
  return client::ParseAnswer(message);
}

std::vector<uint8_t> ProcessInfo(uint32_t pid, protocol::RecordingHeader& header) {
  for (const auto version : {ProcessInfoVersion::k3, ProcessInfoVersion::k2, ProcessInfoVersion::k1}) {
    const auto answer = Ask(pid, client::ProcessInfoRequest(version));
    if (!answer || !answer->ok) continue;
    header.info_version = static_cast<uint32_t>(version);
    header.info_size = static_cast<uint32_t>(answer->payload.size());
    return answer->payload;
  }
  return {};
}

Status Record(const std::string& path, const protocol::RecordingHeader& header, std::span<const uint8_t> info,
              Pipe& pipe) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(reinterpret_cast<const char*>(info.data()), static_cast<std::streamsize>(info.size()));
  std::vector<uint8_t> piece(kPieceBytes);
  bool any = false;
  while (const size_t got = pipe.Read(piece)) {
    file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(got));
    any = true;
  }
  file.close();
  if (!file) return Fail(ErrorKind::kFailed, "recording.failed", path + " could not be written.");
  if (!any) return Fail(ErrorKind::kFailed, "recording.empty", "The collector hung up without a word.");
  return {};
}

}  // namespace cairn::windows
