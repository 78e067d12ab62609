#pragma once
// Listens like a runtime's diagnostics server and answers as it is told. One command at a time, on a
// thread of its own.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collector/protocol/protocol.h"

namespace cairn::client::testing {

// An attach request as it arrived.
struct AttachSeen {
  uint32_t timeout_ms = 0;
  std::vector<uint8_t> clsid;
  std::string library;
  protocol::Options options;
};

class FakeRuntime {
 public:
  enum class Manner { kAnswer, kSilent, kHangUp, kGarbage };

  // `path`: of the socket.
  explicit FakeRuntime(std::string path);
  ~FakeRuntime();

  std::atomic<Manner> manner{Manner::kAnswer};
  std::atomic<Manner> attach_manner{Manner::kAnswer};
  std::atomic<int> info_version{3};  // the newest ProcessInfo it knows; 0: none
  // HRESULT of the attach; runs on the runtime's thread before the answer leaves.
  std::function<uint32_t(const AttachSeen&)> on_attach = [](const AttachSeen&) { return 0u; };

  std::vector<AttachSeen> Attaches() const;
  std::vector<uint8_t> Commands() const;  // set and id of each message, one after the other

 private:
  void Run();
  void Serve(int connection);
  std::vector<uint8_t> Reply(const std::vector<uint8_t>& message);
  std::vector<uint8_t> ReplyToAttach(const std::vector<uint8_t>& message);

  std::string path_;
  int listener_ = -1;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  std::vector<AttachSeen> attaches_;
  std::vector<uint8_t> commands_;
  std::thread thread_;
};

// What a ProcessInfo of this version answers: pid 7, "dotnet /app/shop.dll", Linux, x64, shop, 10.0.12.
std::vector<uint8_t> InfoPayload(int version);
std::vector<uint8_t> IpcMessage(uint8_t set, uint8_t command, const std::vector<uint8_t>& payload);

}  // namespace cairn::client::testing
