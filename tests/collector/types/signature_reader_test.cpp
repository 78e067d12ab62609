#include "collector/types/signature_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "collector/abi/metadata_constants.h"
#include "collector/types/element_type.h"

namespace cairn::collector {
namespace {

using Bytes = std::vector<uint8_t>;

SignatureType Read(const Bytes& bytes) {
  SignatureType type;
  EXPECT_TRUE(ReadFieldSignature(bytes, &type));
  return type;
}

bool Fails(const Bytes& bytes) {
  SignatureType type;
  return !ReadFieldSignature(bytes, &type);
}

TEST(SignatureReader, ReadsAPrimitive) { EXPECT_EQ(Read({0x06, 0x08}).element, element::kI4); }

TEST(SignatureReader, SkipsCustomModifiers) {
  // volatile int: 1F modreq, coded 0x0D = row 3 of TypeRef, then I4
  EXPECT_EQ(Read({0x06, 0x1F, 0x0D, 0x08}).element, element::kI4);
}

TEST(SignatureReader, ReadsTokensOfOneTwoAndFourBytes) {
  EXPECT_EQ(Read({0x06, 0x12, 0x08}).token, abi::kTokenTypeDef | 2);                          // 0x08 = 2 << 2 | 0
  EXPECT_EQ(Read({0x06, 0x12, 0x81, 0x01}).token, abi::kTokenTypeRef | 64);                   // 0x101 = 64 << 2 | 1
  EXPECT_EQ(Read({0x06, 0x11, 0xC0, 0x00, 0x40, 0x02}).token, abi::kTokenTypeSpec | 0x1000);  // 0x4002
}

TEST(SignatureReader, ReadsAGenericInstance) {
  // Dictionary<string, !0>: class, TypeRef row 1, two arguments
  const SignatureType type = Read({0x06, 0x15, 0x12, 0x05, 0x02, 0x0E, 0x13, 0x00});
  EXPECT_EQ(type.element, element::kClass);
  EXPECT_EQ(type.token, abi::kTokenTypeRef | 1);
  ASSERT_EQ(type.children.size(), 2u);
  EXPECT_EQ(type.children[0].element, element::kString);
  EXPECT_EQ(type.children[1].element, element::kVar);
  EXPECT_EQ(type.children[1].number, 0u);
}

TEST(SignatureReader, ReadsArrays) {
  const SignatureType jagged = Read({0x06, 0x1D, 0x1D, 0x08});
  EXPECT_EQ(jagged.children.at(0).children.at(0).element, element::kI4);
  // int[2, 3..]: rank 2, two sizes, two lower bounds
  const SignatureType matrix = Read({0x06, 0x14, 0x08, 0x02, 0x02, 0x02, 0x03, 0x02, 0x00, 0x00});
  EXPECT_EQ(matrix.element, element::kArray);
  EXPECT_EQ(matrix.number, 2u);
}

TEST(SignatureReader, FindsTheEndOfAFunctionPointer) {
  // array of delegate*<int, string, void>: convention 0, two parameters, void, I4, STRING
  const SignatureType type = Read({0x06, 0x1D, 0x1B, 0x00, 0x02, 0x01, 0x08, 0x0E});
  EXPECT_EQ(type.children.at(0).element, element::kFnPtr);
}

TEST(SignatureReader, RefusesWhatIsCutOrWrong) {
  EXPECT_TRUE(Fails({}));
  EXPECT_TRUE(Fails({0x06}));
  EXPECT_TRUE(Fails({0x07, 0x08}));                          // locals, not a field
  EXPECT_TRUE(Fails({0x06, 0x12}));                          // token missing
  EXPECT_TRUE(Fails({0x06, 0x12, 0x03}));                    // coded kind 3 does not exist
  EXPECT_TRUE(Fails({0x06, 0x12, 0xE0, 0, 0, 0}));           // no such compressed length
  EXPECT_TRUE(Fails({0x06, 0x15, 0x12, 0x05, 0x7F}));        // 127 arguments announced, none there
  EXPECT_TRUE(Fails({0x06, 0x14, 0x08, 0x00, 0x00, 0x00}));  // rank 0
  EXPECT_TRUE(Fails({0x06, 0x3F}));                          // no such element type
}

TEST(SignatureReader, RefusesEndlessNesting) {
  Bytes bytes(5000, 0x1D);
  bytes[0] = 0x06;
  EXPECT_TRUE(Fails(bytes));
}

}  // namespace
}  // namespace cairn::collector
