#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "collector/walk/pages.h"

namespace cairn::collector::pages {
namespace {

// Since Linux 5.14; older headers lack it and older kernels answer EINVAL.
constexpr int kPopulateWrite = 23;

// Small enough that the target's own mmap calls are not kept waiting.
constexpr size_t kPopulateSlice = size_t{8} << 20;

// Interruptions in all, so that a system short of memory is not asked for ever.
constexpr int kPopulateTries = 1000;

class ErrnoGuard {
 public:
  ErrnoGuard() : saved_(errno) {}
  ~ErrnoGuard() { errno = saved_; }

 private:
  int saved_;
};

void TouchByHand(uint8_t* start, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kPageBytes) {
    volatile uint8_t* byte = start + i;
    *byte = *byte;
  }
}

// The kernel copies the signal set before it looks at `how`, so an impossible `how` makes this a question:
// EINVAL says that the 8 bytes were readable, EFAULT that they were not.
bool EightBytesReadable(uint64_t address) {
  constexpr long kImpossibleHow = -1;
  return syscall(SYS_rt_sigprocmask, kImpossibleHow, address, nullptr, size_t{8}) != 0 && errno != EFAULT;
}

}  // namespace

uint8_t* Map(size_t bytes, bool in_children) {
  const ErrnoGuard guard;
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  // A child that inherits a spool would pay for its page tables. Refusal costs memory, not correctness.
  if (!in_children) (void)madvise(start, bytes, MADV_DONTFORK);
  return static_cast<uint8_t*>(start);
}

uint8_t* MapShared(size_t bytes) {
  const ErrnoGuard guard;
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<uint8_t*>(start);
}

void Unmap(uint8_t* start, size_t bytes) {
  const ErrnoGuard guard;
  munmap(start, bytes);
}

bool Populate(uint8_t* start, size_t bytes) {
  const ErrnoGuard guard;
  int tries_left = kPopulateTries;
  for (size_t done = 0; done < bytes;) {
    const size_t slice = bytes - done < kPopulateSlice ? bytes - done : kPopulateSlice;
    if (madvise(start + done, slice, kPopulateWrite) == 0) {
      done += slice;
    } else if (errno == EINVAL) {
      TouchByHand(start + done, slice);
      done += slice;
    } else if ((errno != EINTR && errno != EAGAIN) || --tries_left == 0) {
      return false;
    }
  }
  return true;
}

void Release(uint8_t* start, size_t bytes) {
  const ErrnoGuard guard;
  const auto from = (reinterpret_cast<uintptr_t>(start) + kPageBytes - 1) & ~(kPageBytes - 1);
  const auto to = reinterpret_cast<uintptr_t>(start + bytes) & ~(kPageBytes - 1);
  if (from < to) (void)madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

bool IsReadable(uint64_t address, uint64_t bytes) {
  const ErrnoGuard guard;
  if (bytes == 0) return true;
  if (address > ~uint64_t{0} - bytes) return false;
  const uint64_t last = bytes < 8 ? address : address + bytes - 8;
  for (uint64_t at = address; at < last; at = (at & ~uint64_t{kPageBytes - 1}) + kPageBytes) {
    if (!EightBytesReadable(at)) return false;
  }
  return EightBytesReadable(last);
}

}  // namespace cairn::collector::pages
