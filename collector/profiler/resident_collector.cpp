#include "collector/profiler/resident_collector.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "collector/capture/client_channel.h"
#include "collector/capture/clock.h"
#include "collector/capture/native_thread.h"
#include "collector/protocol/messages.h"

namespace cairn::collector {

namespace {

using protocol::FrameKind;

constexpr size_t kStackBytes = 256u << 10;
constexpr int kClientMs = 5000;
constexpr int kDetachMs = 30000;
constexpr uint32_t kDetachHintMs = 300;  // see capture.cpp
constexpr int kDetachTries = 50;
constexpr int kDetachRetryMs = 100;
constexpr int kBacklog = 4;

std::string StartTime() {
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return "0";
  char text[1024] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  // The name in field 2 may hold spaces and brackets; the last bracket ends it. Field 22 is the 20th after it.
  std::string_view rest(text, size > 0 ? static_cast<size_t>(size) : 0);
  const size_t bracket = rest.rfind(')');
  if (bracket == std::string_view::npos) return "0";
  rest.remove_prefix(bracket + 1);
  for (int field = 0; field < 20; ++field) {
    const size_t space = rest.find(' ');
    if (space == std::string_view::npos) return "0";
    rest.remove_prefix(space + 1);
  }
  return std::string(rest.substr(0, rest.find(' ')));
}

std::string ControlFolder() {
  for (const char* variable : {"CAIRN_CONTROL_DIR", "TMPDIR"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && folder[0] != 0) return folder;
  }
  return "/tmp";
}

// The mode of the socket's inode is that of the descriptor, so nobody else can connect even for a moment.
int BindPrivately(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) return -1;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  const bool bound = fchmod(listener, S_IRUSR | S_IWUSR) == 0 &&
                     bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (bound && listen(listener, kBacklog) == 0) return listener;
  if (bound) unlink(path.c_str());
  close(listener);
  return -1;
}

}  // namespace

std::string ControlSocketPath() {
  return ControlFolder() + "/cairn-" + std::to_string(getpid()) + "-" + StartTime() + "-control";
}

abi::HRESULT ResidentCollector::Start(abi::IUnknown* runtime) {
  info_ = abi::ComPtr<abi::ICorProfilerInfo5>::From(runtime);
  if (!info_) return abi::kErrorProfilerCancelActivation;
  // MONITOR_GC at start-up would switch concurrent collections off for good.
  const abi::HRESULT masked = info_->SetEventMask2(abi::kMonitorNone, abi::kHighBasicGc);
  if (abi::Failed(masked)) {
    info_.Reset();
    return masked;
  }
  active_ = true;
  exiting_ = detached_ = requested_ = false;
  if (Listen() && !StartThread("cairn-control", kStackBytes, ListenEntry, this)) Close();
  return abi::kOk;
}

bool ResidentCollector::Listen() {
  path_ = ControlSocketPath();
  listener_ = BindPrivately(path_);
  return listener_ >= 0;
}

void ResidentCollector::Close() {
  if (listener_ < 0) return;
  unlink(path_.c_str());
  close(listener_);
  listener_ = -1;
}

void ResidentCollector::ListenEntry(void* self) { static_cast<ResidentCollector*>(self)->Serve(); }

void ResidentCollector::Serve() {
  while (active_ && !exiting_) {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client >= 0 && ServeClient(client)) break;
    if (client < 0 && errno != EINTR && errno != ECONNABORTED) SleepMs(kDetachRetryMs);
  }
  if (!exiting_) Close();
}

// True when the collector has left the runtime.
bool ResidentCollector::ServeClient(int client) {
  ClientChannel channel;
  channel.Adopt(client);
  channel.SetDeadline(kClientMs);
  if (channel.WaitForFrame(kClientMs) != ClientSign::kDetach) return false;
  const bool detached = DetachFromRuntime();
  if (!detached) return false;
  Close();
  channel.Send(FrameKind::kDetached, protocol::Detached{});
  return true;
}

// A detach that did not come in time may be asked for again: then it is only waited for, or requested anew.
bool ResidentCollector::DetachFromRuntime() {
  if (exiting_) return false;
  if (info_) {
    // The runtime keeps the interface until the detach has succeeded; ours must be gone by then.
    observed_ = abi::ComPtr<abi::ICorProfilerInfo3>::From(info_.Get()).Get();
    info_.Reset();
  }
  for (int tries = 0; tries < kDetachTries && !requested_ && !exiting_; ++tries) {
    requested_ = RequestDetach();
    if (!requested_) SleepMs(kDetachRetryMs);
  }
  std::unique_lock lock(mutex_);
  return requested_ && changed_.wait_for(lock, std::chrono::milliseconds(kDetachMs), [this] { return detached_; });
}

bool ResidentCollector::RequestDetach() {
  return observed_ != nullptr && abi::Succeeded(observed_->RequestProfilerDetach(kDetachHintMs));
}

void ResidentCollector::OnDetached() {
  if (!active_.exchange(false)) return;
  const std::lock_guard lock(mutex_);
  detached_ = true;
  changed_.notify_all();
}

void ResidentCollector::OnShutdown() {
  exiting_ = true;
  if (active_ && listener_ >= 0) unlink(path_.c_str());
}

}  // namespace cairn::collector
