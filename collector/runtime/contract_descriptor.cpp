#include "collector/runtime/contract_descriptor.h"

#include <cstdint>

#include "collector/runtime/runtime_library.h"
#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr const char* kSymbol = "DotNetRuntimeContractDescriptor";
constexpr uint64_t kMagic = 0x0043414443434E44;  // "DNCCDAC", in this machine's byte order
constexpr uint32_t kMaxText = 1u << 20;
constexpr uint32_t kMaxPointers = 1u << 12;

// As 64-bit processes have it; readers of what it describes know no others.
struct Descriptor {
  uint64_t magic;
  uint32_t flags;
  uint32_t text_size;
  uint64_t text;
  uint32_t pointer_count;
  uint32_t padding;
  uint64_t pointers;
};

}  // namespace

ContractDescriptor ReadContractDescriptor() {
  Descriptor descriptor{};
  ContractDescriptor result;
  if (sizeof(void*) != sizeof descriptor.text) return {};
  const auto address = reinterpret_cast<uintptr_t>(FindRuntimeExport(kSymbol));
  if (!ReadSafely(address, &descriptor) || descriptor.magic != kMagic) return {};
  if (descriptor.text_size == 0 || descriptor.text_size > kMaxText) return {};
  result.text.resize(descriptor.text_size);
  if (!ReadSafely(descriptor.text, result.text.data(), result.text.size())) return {};
  if (descriptor.pointer_count > kMaxPointers) return result;
  result.pointers.resize(descriptor.pointer_count);
  if (!ReadSafely(descriptor.pointers, result.pointers.data(), result.pointers.size() * sizeof(uint64_t))) {
    result.pointers.clear();
  }
  return result;
}

}  // namespace cairn::collector
