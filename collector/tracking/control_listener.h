#pragma once
// The socket on which a collector that stays can be reached, beside the diagnostics socket.
// Thread rule: one thread; Accept may wait where the listener was made to.

#include <string>

namespace cairn::collector {

// "cairn-PID-STARTTIME-control", or "…-control2" and so on where that name is taken, as by another runtime of the same
// process. STARTTIME is field 22 of /proc/PID/stat, so that a later process of the same id is never mistaken for this
// one.
std::string ControlSocketName(unsigned number);

class ControlListener {
 public:
  // In CAIRN_CONTROL_DIR where that is a folder of this user's that nobody else may write to, and no link; else in
  // TMPDIR or /tmp, where it must not be others' to remove. False: the socket cannot be made. It has mode 0600 from its
  // first moment.
  bool Open(bool waits);
  bool IsOpen() const { return listener_ >= 0; }
  // A connected, non-blocking socket of this user's or root's, or -1 with errno set.
  int Accept();
  // Removes the socket's name too.
  void Close();
  // The name only: the process is about to end.
  void RemoveName() const;

 private:
  bool OpenIn(int folder, bool waits);

  int listener_ = -1, folder_ = -1;
  std::string name_;
};

}  // namespace cairn::collector
