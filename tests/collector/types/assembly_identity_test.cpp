#include "collector/types/assembly_identity.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::collector {
namespace {

constexpr uint64_t kTwo = uint64_t{2} << 48;            // 2.0.0.0
constexpr uint64_t kTwoOne = kTwo | uint64_t{1} << 32;  // 2.1.0.0

TEST(AssemblyIdentity, FitsByVersionCultureAndKey) {
  const AssemblyIdentity reference{"Lib", "", kTwo, 0xB7};
  EXPECT_EQ(FitOf(reference, {"Lib", "", kTwo, 0xB7}), AssemblyFit::kExact);
  EXPECT_EQ(FitOf(reference, {"Lib", "", kTwoOne, 0xB7}), AssemblyFit::kHigherVersion);
  EXPECT_EQ(FitOf(reference, {"Lib", "", kTwo - 1, 0xB7}), AssemblyFit::kOther);
  EXPECT_EQ(FitOf(reference, {"Lib", "", kTwo, 0xB8}), AssemblyFit::kOther);
  EXPECT_EQ(FitOf(reference, {"Lib", "", kTwo, 0}), AssemblyFit::kOther);
  EXPECT_EQ(FitOf(reference, {"Lib", "de", kTwo, 0xB7}), AssemblyFit::kOther);
  EXPECT_EQ(FitOf({"Lib", "DE", kTwo, 0xB7}, {"Lib", "de", kTwo, 0xB7}), AssemblyFit::kExact);
  EXPECT_EQ(FitOf({"Lib", "", kTwo, 0}, {"Lib", "", kTwo, 0xB7}), AssemblyFit::kExact);  // a key is not asked for
}

TEST(AssemblyIdentity, FoldsTheCaseOfNames) {
  EXPECT_EQ(FoldAssemblyName("System.Private.CoreLib"), "system.private.corelib");
  EXPECT_EQ(FoldAssemblyName("Größe"), "größe");
}

TEST(AssemblyIdentity, TokensAreHashesOfKeys) {
  EXPECT_EQ(PublicKeyToken({}), 0u);
  EXPECT_EQ(PublicKeyToken(std::vector<uint8_t>{0xB7, 0x7A, 0x5C, 0x56, 0x19, 0x34, 0xE0, 0x89}), 0xB77A5C561934E089u);
  // The standard key of ECMA-335, whose token is b77a5c561934e089.
  EXPECT_EQ(PublicKeyToken(std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}), 0xB77A5C561934E089u);
}

// By `printf 'a…' | sha1sum`: …6ca2d77119c24a40 of 200 letters, …b6e8f29f201be699 of 56; read from behind.
TEST(AssemblyIdentity, TokensOfLongKeys) {
  EXPECT_EQ(PublicKeyToken(std::vector<uint8_t>(200, 'a')), 0x404AC21971D7A26Cu);
  EXPECT_EQ(PublicKeyToken(std::vector<uint8_t>(56, 'a')), 0x99E61B209FF2E8B6u);  // the length has no room in its block
}

}  // namespace
}  // namespace cairn::collector
