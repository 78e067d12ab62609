#include "viewer/analysis/flat_array.h"

#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace cairn::analysis::memory {
namespace {

// Below this the C library's heap is the better place.
constexpr size_t kMappedFrom = size_t{1} << 18;

#if defined(__linux__)
constexpr bool kCanMap = true;

void* Map(size_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  madvise(block, bytes, MADV_HUGEPAGE);  // a wish: without huge pages the array is slower, not wrong
  return block;
}

void* Remap(void* block, size_t old_bytes, size_t new_bytes) {
  void* moved = mremap(block, old_bytes, new_bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
}

void Unmap(void* block, size_t bytes) { munmap(block, bytes); }
#else
constexpr bool kCanMap = false;

void* Map(size_t) { throw std::bad_alloc(); }
void* Remap(void*, size_t, size_t) { throw std::bad_alloc(); }
void Unmap(void*, size_t) {}
#endif

bool IsMapped(size_t bytes) { return kCanMap && bytes >= kMappedFrom; }

}  // namespace

void* Allocate(size_t bytes) {
  if (IsMapped(bytes)) return Map(bytes);
  void* block = std::calloc(1, bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

void* Grow(void* block, size_t old_bytes, size_t new_bytes) {
  if (block && IsMapped(old_bytes)) return Remap(block, old_bytes, new_bytes);
  void* larger = Allocate(new_bytes);
  if (old_bytes) std::memcpy(larger, block, old_bytes);
  Free(block, old_bytes);
  return larger;
}

void Free(void* block, size_t bytes) noexcept {
  if (!block) return;
  if (IsMapped(bytes)) {
    Unmap(block, bytes);
  } else {
    std::free(block);
  }
}

void GiveBack() noexcept {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace cairn::analysis::memory
