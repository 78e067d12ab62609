#include "collector/runtime/safe_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace cairn::collector {
namespace {

// Where a container forbids process_vm_readv.
bool ReadThroughFile(uint64_t address, void* out, size_t size) {
  const int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = pread(file, out, size, static_cast<off_t>(address));
  close(file);
  return got == static_cast<ssize_t>(size);
}

}  // namespace

bool ReadSafely(uint64_t address, void* out, size_t size) {
  if (address == 0 || size == 0) return false;
  iovec local{out, size};
  iovec remote{reinterpret_cast<void*>(static_cast<uintptr_t>(address)), size};
  const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return got == static_cast<ssize_t>(size) || (got < 0 && ReadThroughFile(address, out, size));
}

}  // namespace cairn::collector
