#include "collector/runtime/method_stubs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cairn::collector {
namespace {

constexpr const char* kContract =
    R"({"types":{"MethodDesc":{"!":16,"ChunkIndex":2},"MethodDescChunk":{"!":24,"MethodTable":0},)"
    R"("FixupPrecodeData":{"MethodDesc":8}},"globals":{"MethodDescAlignment":["0x8","uint64"]}})";

// Code, the words that it uses, and a chunk of methods, as they lie in the runtime.
struct Memory {
  uint8_t code[32] = {};
  uint64_t data[2] = {};         // target, method
  uint64_t chunk[3] = {0x7E00};  // MethodTable, then what does not matter
  uint64_t methods[4] = {};      // two words each

  uint64_t Address(const void* at) const { return reinterpret_cast<uintptr_t>(at); }
  // A displacement at code[at] that ends an instruction and leads to `to`.
  void Relative(size_t at, const void* to) {
    const auto distance = static_cast<int32_t>(Address(to) - Address(code + at + 4));
    std::memcpy(code + at, &distance, sizeof distance);
  }
  // The second method of its chunk: its number in units of 8 bytes is 2.
  uint64_t SecondMethod() {
    reinterpret_cast<uint8_t*>(&methods[2])[2] = 2;
    return Address(&methods[2]);
  }
};

TEST(MethodStubs, StubThatIsFixedUp) {
  Memory memory;
  memory.code[0] = 0xFF, memory.code[1] = 0x25;  // jmp [target]
  memory.Relative(2, &memory.data[0]);
  memory.data[0] = 0x1234;
  memory.data[1] = memory.SecondMethod();
  const MethodStubs::Method method = MethodStubs(kContract).Behind(memory.Address(memory.code));
  EXPECT_EQ(method.function, memory.Address(&memory.methods[2]));
  EXPECT_EQ(method.method_table, 0x7E00u);
  EXPECT_EQ(MethodStubs::Target(memory.Address(memory.code)), 0x1234u);
}

TEST(MethodStubs, StubThatLoadsItsMethod) {
  Memory memory;
  memory.code[0] = 0x4C, memory.code[1] = 0x8B, memory.code[2] = 0x15;  // mov r10, [method]
  memory.Relative(3, &memory.data[0]);
  memory.code[7] = 0xFF, memory.code[8] = 0x25;  // jmp [target]
  memory.Relative(9, &memory.data[1]);
  memory.data[0] = memory.SecondMethod();
  memory.data[1] = 0x5678;
  EXPECT_EQ(MethodStubs(kContract).Behind(memory.Address(memory.code)).function, memory.Address(&memory.methods[2]));
  EXPECT_EQ(MethodStubs::Target(memory.Address(memory.code)), 0x5678u);
}

TEST(MethodStubs, PlainJump) {
  Memory memory;
  memory.code[0] = 0xE9;
  memory.Relative(1, &memory.data[1]);
  EXPECT_EQ(MethodStubs::Target(memory.Address(memory.code)), memory.Address(&memory.data[1]));
  EXPECT_EQ(MethodStubs(kContract).Behind(memory.Address(memory.code)).function, 0u);
}

TEST(MethodStubs, AnythingElseIsNothing) {
  Memory memory;
  const MethodStubs stubs(kContract);
  EXPECT_EQ(stubs.Behind(memory.Address(memory.code)).function, 0u);
  EXPECT_EQ(stubs.Behind(0).function, 0u);
  EXPECT_EQ(stubs.Behind(0xDEAD000000000000).function, 0u);
  memory.code[0] = 0xFF, memory.code[1] = 0x25;
  memory.Relative(2, &memory.data[0]);
  memory.data[1] = 0xDEAD000000000000;  // no method
  EXPECT_EQ(stubs.Behind(memory.Address(memory.code)).function, 0u);
  memory.data[1] = memory.SecondMethod();
  EXPECT_EQ(MethodStubs("").Behind(memory.Address(memory.code)).function, 0u);
}

}  // namespace
}  // namespace cairn::collector
