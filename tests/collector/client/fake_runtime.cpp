#include "tests/collector/client/fake_runtime.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "collector/client/posix.h"

namespace cairn::client::testing {
namespace {

constexpr uint32_t kUnknown = 0x80131385;

template <class T>
void Append(std::vector<uint8_t>& bytes, T value) {
  const auto* p = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof value);
}

void AppendText(std::vector<uint8_t>& bytes, const std::string& text) {
  Append(bytes, static_cast<uint32_t>(text.size() + 1));
  for (const char c : text) Append(bytes, static_cast<uint16_t>(c));
  Append(bytes, uint16_t{0});
}

bool ReadExactly(int fd, uint8_t* to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(fd, to + done, size - done);
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

std::vector<uint8_t> ErrorReply(uint32_t hresult) {
  std::vector<uint8_t> payload;
  Append(payload, hresult);
  return IpcMessage(0xFF, 0xFF, payload);
}

}  // namespace

std::vector<uint8_t> IpcMessage(uint8_t set, uint8_t command, const std::vector<uint8_t>& payload) {
  std::vector<uint8_t> message(14);
  std::memcpy(message.data(), "DOTNET_IPC_V1", 14);
  Append(message, static_cast<uint16_t>(20 + payload.size()));
  Append(message, set);
  Append(message, command);
  Append(message, uint16_t{0});
  message.insert(message.end(), payload.begin(), payload.end());
  return message;
}

std::vector<uint8_t> InfoPayload(int version) {
  std::vector<uint8_t> payload;
  if (version == 3) Append(payload, uint32_t{1});
  Append(payload, uint64_t{7});
  payload.resize(payload.size() + 16, 0xAB);  // the cookie
  for (const char* text : {"dotnet /app/shop.dll", "Linux", "x64"}) AppendText(payload, text);
  if (version >= 2) AppendText(payload, "shop");
  if (version >= 2) AppendText(payload, "10.0.12+0123456789abcdef");
  if (version >= 3) AppendText(payload, "linux-x64");
  return payload;
}

FakeRuntime::FakeRuntime(std::string path) : path_(std::move(path)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // A short name for a path of any length.
  const std::filesystem::path full = path_;
  std::filesystem::create_directories(full.parent_path());
  const int folder = open(full.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string name = PathBelow(folder, full.filename());
  std::memcpy(address.sun_path, name.data(), name.size());
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener_, 16) != 0)
    throw std::runtime_error("the fake runtime cannot listen on " + path_);
  close(folder);
  thread_ = std::thread([this] { Run(); });
}

FakeRuntime::~FakeRuntime() {
  stop_ = true;
  thread_.join();
  close(listener_);
  unlink(path_.c_str());
}

void FakeRuntime::Run() {
  std::vector<UniqueFd> silent;  // kept open, never answered
  while (!stop_) {
    pollfd entry{listener_, POLLIN, 0};
    if (poll(&entry, 1, 10) <= 0) continue;
    UniqueFd connection(accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    if (manner == Manner::kSilent) {
      silent.push_back(std::move(connection));
    } else if (manner == Manner::kAnswer) {
      Serve(connection.Get());
    } else if (manner == Manner::kGarbage) {
      const std::vector<uint8_t> garbage(64, 'x');
      (void)SendAll(connection.Get(), garbage);
    }
  }
}

void FakeRuntime::Serve(int connection) {
  std::vector<uint8_t> message(20);
  if (!ReadExactly(connection, message.data(), 20)) return;
  message.resize(message[14] | message[15] << 8);
  if (!ReadExactly(connection, message.data() + 20, message.size() - 20)) return;
  {
    const std::lock_guard lock(mutex_);
    commands_.insert(commands_.end(), {message[16], message[17]});
  }
  const std::vector<uint8_t> reply = Reply(message);
  if (!reply.empty()) (void)SendAll(connection, reply);
}

std::vector<uint8_t> FakeRuntime::Reply(const std::vector<uint8_t>& message) {
  if (message[16] == 0x03) return ReplyToAttach(message);
  const int asked = message[17] == 0x08 ? 3 : message[17] == 0x04 ? 2 : 1;
  if (message[16] != 0x04 || asked > info_version) return ErrorReply(kUnknown);
  return IpcMessage(0xFF, 0x00, InfoPayload(asked));
}

std::vector<uint8_t> FakeRuntime::ReplyToAttach(const std::vector<uint8_t>& message) {
  const uint8_t* at = message.data() + 20;
  AttachSeen seen;
  std::memcpy(&seen.timeout_ms, at, 4);
  seen.clsid.assign(at + 4, at + 20);
  uint32_t count = 0, size = 0;
  std::memcpy(&count, at + 20, 4);
  for (uint32_t i = 0; i + 1 < count; ++i) seen.library += static_cast<char>(at[24 + 2 * i]);
  std::memcpy(&size, at + 24 + 2 * count, 4);
  if (size == sizeof seen.options) std::memcpy(&seen.options, at + 28 + 2 * count, size);
  {
    const std::lock_guard lock(mutex_);
    attaches_.push_back(seen);
  }
  if (attach_manner == Manner::kHangUp) return {};
  const uint32_t hresult = on_attach(seen);
  while (attach_manner == Manner::kSilent && !stop_) std::this_thread::sleep_for(milliseconds(5));
  if (hresult != 0) return ErrorReply(hresult);
  return IpcMessage(0xFF, 0x00, {0, 0, 0, 0});
}

std::vector<AttachSeen> FakeRuntime::Attaches() const {
  const std::lock_guard lock(mutex_);
  return attaches_;
}

std::vector<uint8_t> FakeRuntime::Commands() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

}  // namespace cairn::client::testing
