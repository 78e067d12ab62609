// cairn-attach PID COLLECTOR RECORDING [full|young|light]: has the runtime of a Windows process load the collector and
// keeps what it says in a file, of which `cairn import` makes a snapshot.
// cairn-attach PID resident RECORDING: the same of a collector that was loaded when the process began.

#define _CRT_RAND_S
#include <stdlib.h>

#include <cstdio>
#include <cstring>
#include <ctime>

#include "collector/capture/client_channel.h"
#include "collector/windows/recorder.h"

namespace {

using namespace cairn;
using windows::Pipe;

constexpr uint32_t kAttachMs = 5000;
constexpr uint32_t kClientDeadlineMs = 30000;
constexpr uint32_t kConnectMs = 10000;

struct Request {
  uint32_t pid = 0;
  std::string collector, recording, mode;
};

bool FillWithRandom(std::span<uint8_t> bytes) {
  for (uint8_t& byte : bytes) {
    unsigned word = 0;
    if (rand_s(&word) != 0) return false;
    byte = static_cast<uint8_t>(word);
  }
  return true;
}

// The secret that the collector repeats, and a name that nobody can guess.
bool FillOptions(const Request& request, protocol::Options& options) {
  uint8_t name[8];
  if (!FillWithRandom(options.nonce) || !FillWithRandom(name)) return false;
  options.size = sizeof options;
  options.light = request.mode == "light";
  options.gc = request.mode == "young" ? protocol::GcRequest::kYoung : protocol::GcRequest::kFull;
  options.method = protocol::WalkMethod::kAuto;
  options.client_deadline_ms = kClientDeadlineMs;
  std::string path = "\\\\.\\pipe\\cairn-";
  for (const uint8_t byte : name) path += "0123456789abcdef"[byte >> 4], path += "0123456789abcdef"[byte & 15];
  path += "-capture";
  std::memcpy(options.socket_path, path.c_str(), path.size() + 1);
  return true;
}

std::span<const uint8_t> BytesOf(const protocol::Options& options) {
  return {reinterpret_cast<const uint8_t*>(&options), sizeof options};
}

Result<Pipe> AskToAttach(const Request& request, const protocol::Options& options) {
  const auto message = client::AttachRequest(kAttachMs, protocol::kCollectorClsid, request.collector, BytesOf(options));
  if (!message) return tl::make_unexpected(message.error());
  const auto answer = windows::Ask(request.pid, *message);
  if (!answer) return tl::make_unexpected(answer.error());
  if (answer->ok && answer->hresult == 0) return Pipe();
  char text[64];
  std::snprintf(text, sizeof text, "The runtime refused the attach: 0x%08X.", static_cast<unsigned>(answer->hresult));
  return Fail(ErrorKind::kFailed, "attach.refused", text);
}

// The connection that it was asked over: closing it early would take the request back.
Result<Pipe> AskResident(const Request& request, const protocol::Options& options) {
  Pipe control = Pipe::Connect("\\\\.\\pipe\\cairn-" + std::to_string(request.pid) + "-control");
  if (!control) return Fail(ErrorKind::kFailed, "resident.none", "No collector was loaded when that process began.");
  const protocol::FrameHeader header = collector::MakeHeader(protocol::FrameKind::kCapture, 0, BytesOf(options));
  const auto* start = reinterpret_cast<const uint8_t*>(&header);
  if (control.Write({start, sizeof header}) && control.Write(BytesOf(options))) return control;
  return Fail(ErrorKind::kFailed, "resident.closed", "The collector in that process hung up.");
}

Status Run(const Request& request) {
  protocol::RecordingHeader header;
  header.size = sizeof header;
  header.started = std::time(nullptr);
  header.process = request.pid;
  if (!FillOptions(request, header.options)) return Fail(ErrorKind::kFailed, "random", "There are no random numbers.");
  Pipe pipe = Pipe::Make(header.options.socket_path);
  if (!pipe) return Fail(ErrorKind::kFailed, "listener.failed", "A pipe for the collector could not be made.");
  const std::vector<uint8_t> info = windows::ProcessInfo(request.pid, header);
  const bool resident = request.collector == "resident";
  const Result<Pipe> asked = resident ? AskResident(request, header.options) : AskToAttach(request, header.options);
  if (!asked) return tl::make_unexpected(asked.error());
  if (!pipe.AwaitClient(kConnectMs))
    return Fail(ErrorKind::kFailed, "attach.no_connection", "The collector did not call back.");
  return windows::Record(request.recording, header, info, pipe);
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: cairn-attach PID COLLECTOR|resident RECORDING [full|young|light]\n");
    return 2;
  }
  Request request{static_cast<uint32_t>(std::strtoul(words[1], nullptr, 10)), words[2], words[3],
                  count > 4 ? words[4] : "full"};
  if (request.collector == "resident") request.mode = "light";
  const Status done = Run(request);
  if (done) return 0;
  std::fprintf(stderr, "cairn-attach: %s: %s\n", done.error().code.c_str(), done.error().message.c_str());
  return 3;
}
