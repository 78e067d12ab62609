#include "collector/types/assembly_identity.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <vector>

namespace cairn::collector {
namespace {

constexpr size_t kTokenBytes = 8, kBlock = 64, kLengthBytes = 8;
constexpr uint8_t kEndOfMessage = 0x80;

using Digest = std::array<uint32_t, 5>;

uint32_t BigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

// FIPS 180-4, 6.1.2: a function and a constant for each twenty of the eighty rounds.
uint32_t Mixed(size_t round, uint32_t b, uint32_t c, uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5A827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ED9EBA1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
  return (b ^ c ^ d) + 0xCA62C1D6;
}

void AddBlock(const uint8_t* block, Digest& digest) {
  std::array<uint32_t, 80> words;
  for (size_t i = 0; i < 16; ++i) words[i] = BigEndian(block + 4 * i);
  for (size_t i = 16; i < 80; ++i) words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = digest;
  for (size_t round = 0; round < 80; ++round) {
    const uint32_t next = std::rotl(a, 5) + Mixed(round, b, c, d) + e + words[round];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const Digest added = {a, b, c, d, e};
  std::ranges::transform(digest, added, digest.begin(), std::plus());
}

Digest Sha1(std::span<const uint8_t> message) {
  std::vector<uint8_t> padded(message.begin(), message.end());
  padded.push_back(kEndOfMessage);
  while (padded.size() % kBlock != kBlock - kLengthBytes) padded.push_back(0);
  const uint64_t bits = uint64_t{message.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded.push_back(static_cast<uint8_t>(bits >> shift));
  Digest digest = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (size_t at = 0; at < padded.size(); at += kBlock) AddBlock(padded.data() + at, digest);
  return digest;
}

uint64_t Reversed(uint64_t bytes) {
  uint64_t reversed = 0;
  for (size_t i = 0; i < kTokenBytes; ++i, bytes >>= 8) reversed = reversed << 8 | (bytes & 0xFF);
  return reversed;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

AssemblyFit FitOf(const AssemblyIdentity& reference, const AssemblyIdentity& loaded) {
  const bool signed_alike = reference.token == 0 || reference.token == loaded.token;
  if (!signed_alike || FoldAssemblyName(reference.culture) != FoldAssemblyName(loaded.culture))
    return AssemblyFit::kOther;
  if (reference.version == loaded.version) return AssemblyFit::kExact;
  return loaded.version > reference.version ? AssemblyFit::kHigherVersion : AssemblyFit::kOther;
}

std::string FoldAssemblyName(std::string_view name) {
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(), Lower);
  return folded;
}

uint64_t PublicKeyToken(std::span<const uint8_t> key_or_token) {
  if (key_or_token.size() < kTokenBytes) return 0;
  if (key_or_token.size() == kTokenBytes)
    return uint64_t{BigEndian(key_or_token.data())} << 32 | BigEndian(key_or_token.data() + 4);
  const Digest digest = Sha1(key_or_token);
  return Reversed(uint64_t{digest[3]} << 32 | digest[4]);
}

}  // namespace cairn::collector
