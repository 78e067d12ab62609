#pragma once
// What an assembly is called in full, and how well a loaded one fits a reference to it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cairn::collector {

struct AssemblyIdentity {
  std::string name;      // simple; empty when unknown
  std::string culture;   // empty: neutral
  uint64_t version = 0;  // major, minor, build and revision, 16 bits each
  uint64_t token = 0;    // of the public key; 0: not signed, or a reference that does not care
};

enum class AssemblyFit : uint8_t { kExact, kHigherVersion, kOther };  // better ones first

// Of assemblies of one name.
AssemblyFit FitOf(const AssemblyIdentity& reference, const AssemblyIdentity& loaded);

// Names of assemblies that differ in case only are one name.
std::string FoldAssemblyName(std::string_view name);

// ECMA-335 II.6.3: the last eight bytes of the key's SHA-1, in reverse. Eight bytes are a token already; 0 for none.
uint64_t PublicKeyToken(std::span<const uint8_t> key_or_token);

}  // namespace cairn::collector
