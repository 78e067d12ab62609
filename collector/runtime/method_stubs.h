#pragma once
// The method that a stub stands for. A delegate holds a stub where the method may get new code later, or has none yet;
// the profiling API knows code only. x64.
// Call-site rule: any thread, outside the pause; every address may be asked about.

#include <cstdint>
#include <string>

namespace cairn::collector {

class MethodStubs {
 public:
  // `contract`: the text that ReadContractDescriptor gave. Where it lacks something, Behind finds nothing.
  explicit MethodStubs(const std::string& contract);

  struct Method {
    uint64_t function = 0;      // FunctionID; 0: it is no stub that we know
    uint64_t method_table = 0;  // of the type that declares it: a true one proves the rest
  };
  Method Behind(uint64_t address) const;
  // Where the stub, or the jump, leads now; 0: it is none.
  static uint64_t Target(uint64_t address);

 private:
  struct Offsets {
    uint32_t chunk_index, chunk_size, chunk_method_table, fixup_method;
  };
  Offsets offsets_{};
  uint64_t alignment_ = 0;  // 0: not available
};

}  // namespace cairn::collector
