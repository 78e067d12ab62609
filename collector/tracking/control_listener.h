#pragma once
// The socket on which a collector that stays can be reached, beside the diagnostics socket.
// Thread rule: one thread; Accept may wait where the listener was made to.

#include <string>

namespace cairn::collector {

// "cairn-PID-STARTTIME-control" in CAIRN_CONTROL_DIR, TMPDIR or /tmp. STARTTIME is field 22 of
// /proc/PID/stat, so that a later process of the same id is never mistaken for this one.
std::string ControlSocketPath();

class ControlListener {
 public:
  // False: the socket cannot be made. It has mode 0600 from its first moment.
  bool Open(bool waits);
  bool IsOpen() const { return listener_ >= 0; }
  // A connected, non-blocking socket, or -1 with errno set.
  int Accept() const;
  // Removes the socket's name too.
  void Close();
  // The name only: the process is about to end.
  void RemoveName() const;

 private:
  int listener_ = -1;
  std::string path_;
};

}  // namespace cairn::collector
