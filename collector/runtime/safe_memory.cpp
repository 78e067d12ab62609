#include "collector/runtime/safe_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

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

void ReadManySafely(std::span<const uint64_t> addresses, size_t size, uint8_t* out) {
  constexpr size_t kBatch = 512;  // below IOV_MAX
  iovec remote[kBatch];
  std::memset(out, 0, addresses.size() * size);
  for (size_t at = 0; at < addresses.size();) {
    const size_t count = std::min(kBatch, addresses.size() - at);
    for (size_t i = 0; i < count; ++i) remote[i] = {reinterpret_cast<void*>(addresses[at + i]), size};
    iovec local{out + at * size, count * size};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, remote, count, 0);
    const size_t done = got > 0 ? static_cast<size_t>(got) / size : 0;
    at += done;
    if (done == count) continue;
    // the transfer stops at the first address that it cannot read
    if (!ReadSafely(addresses[at], out + at * size, size)) std::memset(out + at * size, 0, size);
    ++at;
  }
}

}  // namespace cairn::collector
