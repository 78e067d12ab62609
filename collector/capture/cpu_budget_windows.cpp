#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Needs what the line above declares.
#include <tlhelp32.h>

#include <algorithm>
#include <bit>

#include "collector/capture/cpu_budget.h"
#include "collector/roots/thread_name.h"

namespace cairn::collector {

namespace {

constexpr const char* kServerGcThread = ".NET Server GC";

template <class Visit>
void ForEachOwnThread(Visit visit) {
  const HANDLE threads = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  if (threads == INVALID_HANDLE_VALUE) return;
  THREADENTRY32 entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = Thread32First(threads, &entry); more; more = Thread32Next(threads, &entry)) {
    if (entry.th32OwnerProcessID == GetCurrentProcessId()) visit(entry.th32ThreadID);
  }
  CloseHandle(threads);
}

}  // namespace

unsigned AllowedCpus(const char*, const char*) {
  DWORD_PTR ours = 0, machine = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &machine)) return 1;
  return static_cast<unsigned>(std::max(1, std::popcount(ours)));
}

void GcThreads::Find(const char*) {
  files_.clear();
  ForEachOwnThread([this](uint32_t id) {
    if (ThreadName(id) == kServerGcThread) files_.push_back({"", id});
  });
}

// What a thread does right now cannot be asked cheaply in the pause: they are taken to wait.
unsigned GcThreads::Running() const { return 0; }

}  // namespace cairn::collector
