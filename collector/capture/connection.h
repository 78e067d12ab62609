#pragma once
// The operating system's part of ClientChannel: a Unix socket, or on Windows a named pipe, which unlike a port no other
// machine can reach and which keeps the target free of network code.
// Thread rule: as ClientChannel. Ownership: closes what it holds.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cairn::collector {

class Connection {
 public:
  enum class Sign : uint8_t { kNothing, kReadable, kGone };

  Connection() = default;
  ~Connection() { Close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // False: nobody listens at `path`, or not within `timeout_ms`.
  bool Connect(const char* path, int timeout_ms);
  // Takes over what another Connection released, or a listener accepted.
  void Adopt(int handle);
  // Gives it away, open.
  int Release();
  void Close();
  // Wakes whoever writes or waits: the other side sees the end.
  void Shut();
  // Ends Wait, now and later, without the other side noticing.
  void StopWaiting();

  // Everything, or false: the other side is gone, `stop` was set, or it took nothing for `deadline_ms`.
  bool Write(const void* data, size_t size, int deadline_ms, const std::atomic<bool>& stop);
  Sign Wait(int timeout_ms);
  // How many bytes there were, without waiting; 0: none yet; -1: the other side is gone.
  int64_t Read(void* to, size_t size);

 private:
  // Wait where the system refuses to wait.
  Sign Look(int timeout_ms) const;

  int handle_ = -1;
  std::atomic<bool> is_woken_{false};
  int wake_ = -1;  // signalled once Wait has nothing to wait for any more
  int shut_ = -1;  // where a handle cannot be shut down: signalled once it should have been
};

// One that was released.
void CloseConnection(int handle);

}  // namespace cairn::collector
