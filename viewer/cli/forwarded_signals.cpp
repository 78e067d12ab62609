#include "viewer/cli/forwarded_signals.h"

#include <csignal>

namespace cairn::cli {
namespace {

std::atomic<bool> signalled{false};
std::atomic<pid_t> receiver{0};
std::atomic<int> waiting{0};  // a signal that came before the command was there
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free &&
                  std::atomic<int>::is_always_lock_free,
              "used in a signal handler");

void OnSignal(int signal, siginfo_t* info, void*) {
  signalled.store(true);
  // The terminal sends its keys to every process of the group.
  if (info->si_code > 0) return;
  const pid_t command = receiver.load();
  if (command > 0)
    kill(command, signal);
  else
    waiting.store(signal);
}

}  // namespace

void CatchForCommand() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {
    }, action{};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    action.sa_sigaction = OnSignal;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
}

void ForwardTo(pid_t command) {
  receiver.store(command);
  if (const int signal = waiting.exchange(0)) kill(command, signal);
}

void ForwardNoMore() { receiver.store(-1); }

const std::atomic<bool>& SignalledForCommand() { return signalled; }

}  // namespace cairn::cli
