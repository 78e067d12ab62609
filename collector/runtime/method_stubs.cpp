#include "collector/runtime/method_stubs.h"

#include <cstring>

#include "collector/runtime/contract_text.h"
#include "collector/runtime/safe_memory.h"

namespace cairn::collector {
namespace {

constexpr size_t kMovSize = 7;   // mov r10, [rip + rel32]
constexpr size_t kJumpSize = 6;  // jmp [rip + rel32]

uint64_t Relative(uint64_t after, const uint8_t* displacement) {
  int32_t distance = 0;
  std::memcpy(&distance, displacement, sizeof distance);
  return after + static_cast<uint64_t>(static_cast<int64_t>(distance));
}

// The instructions at the start of a stub, as addresses of the words they use.
struct Stub {
  uint64_t loaded = 0;  // into r10, before the jump: the method, of a stub that is not fixed up
  uint64_t jumped = 0;  // holds the target
  uint64_t direct = 0;  // target of a plain jump
};

Stub Decode(uint64_t address) {
  Stub stub;
  uint8_t code[kMovSize + kJumpSize];
  if (!ReadSafely(address, code, sizeof code)) return stub;
  if (code[0] == 0xE9) {
    stub.direct = Relative(address + 5, code + 1);
    return stub;
  }
  const bool loads = code[0] == 0x4C && code[1] == 0x8B && code[2] == 0x15;
  const size_t at = loads ? kMovSize : 0;
  if (code[at] != 0xFF || code[at + 1] != 0x25) return stub;
  if (loads) stub.loaded = Relative(address + kMovSize, code + 3);
  stub.jumped = Relative(address + at + kJumpSize, code + at + 2);
  return stub;
}

uint64_t WordAt(uint64_t address) {
  uint64_t word = 0;
  return address != 0 && ReadSafely(address, &word, sizeof word) ? word : 0;
}

}  // namespace

MethodStubs::MethodStubs(const std::string& contract) {
  const ContractText text(contract);
  const bool known = text.Offsets({
      {"MethodDesc", "ChunkIndex", &offsets_.chunk_index},
      {"MethodDescChunk", "!", &offsets_.chunk_size},
      {"MethodDescChunk", "MethodTable", &offsets_.chunk_method_table},
      {"FixupPrecodeData", "MethodDesc", &offsets_.fixup_method},
  });
  if (!known) return;
  alignment_ = sizeof(void*) == 8 ? text.Value("MethodDescAlignment").value_or(0) : 0;
}

// The data of a stub begins with the word that it jumps by, or with the one that it loads.
MethodStubs::Method MethodStubs::Behind(uint64_t address) const {
  const Stub stub = alignment_ == 0 ? Stub() : Decode(address);
  Method method;
  if (stub.loaded != 0) {
    method.function = WordAt(stub.loaded);
  } else if (stub.jumped != 0) {
    method.function = WordAt(stub.jumped + offsets_.fixup_method);
  }
  uint8_t index = 0;
  if (method.function == 0 || !ReadSafely(method.function + offsets_.chunk_index, &index, sizeof index)) return {};
  const uint64_t chunk = method.function - index * alignment_ - offsets_.chunk_size;
  method.method_table = WordAt(chunk + offsets_.chunk_method_table);
  return method.method_table != 0 ? method : Method();
}

uint64_t MethodStubs::Target(uint64_t address) {
  const Stub stub = Decode(address);
  return stub.direct != 0 ? stub.direct : WordAt(stub.jumped);
}

}  // namespace cairn::collector
