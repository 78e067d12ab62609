#include "viewer/analysis/file_backing.h"

#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace cairn::analysis::memory {

#if defined(__linux__)
namespace {

// More than what FlatArray takes from the C library's heap.
constexpr size_t kLeast = size_t{1} << 20;

bool StartsPage(const void* place, size_t page) { return reinterpret_cast<uintptr_t>(place) % page == 0; }

// The system puts one mapping in place of the other in one step: readers see either, and both hold the same. Should it
// run out of memory for that step itself, the array is filled again from the file.
void Replace(void* array, void* twin, size_t bytes) {
  if (mremap(twin, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, array) != MAP_FAILED) return;
  void* again = mmap(array, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (again != MAP_FAILED) std::memcpy(again, twin, bytes);
  munmap(twin, bytes);
}

}  // namespace

bool LieOverFile(std::span<const uint8_t> array, std::span<const uint8_t> mapped) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = array.size() / page * page;
  if (array.size() < kLeast || array.size() != mapped.size() || array.data() == mapped.data() ||
      !StartsPage(array.data(), page) || !StartsPage(mapped.data(), page) ||
      std::memcmp(array.data(), mapped.data(), array.size()) != 0)
    return false;
  // An old size of zero asks for a second mapping of the same shared pages, which the first does not take along.
  void* twin = mremap(const_cast<uint8_t*>(mapped.data()), 0, bytes, MREMAP_MAYMOVE);
  if (twin == MAP_FAILED) return false;
  Replace(const_cast<uint8_t*>(array.data()), twin, bytes);
  return true;
}

void LetGo(std::span<const uint8_t> mapped) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (!StartsPage(mapped.data(), page)) return;
  madvise(const_cast<uint8_t*>(mapped.data()), mapped.size() / page * page, MADV_DONTNEED);  // a wish
}
#else
bool LieOverFile(std::span<const uint8_t>, std::span<const uint8_t>) { return false; }
void LetGo(std::span<const uint8_t>) {}
#endif

}  // namespace cairn::analysis::memory
