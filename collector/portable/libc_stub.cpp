// An empty C library that the collector is linked against in place of this machine's, so that it asks for old versions
// only. Never loaded: on the target's system the real one of the same name takes its place.

// All symbols of 64-bit ARM are of the first glibc that ran there.
#ifdef __aarch64__
#define VERSION_OF(version) "GLIBC_2.17"
#else
#define VERSION_OF(version) "GLIBC_" version
#endif

#define STUB(name, version, type)                                                                     \
  __asm__(".globl stub_" #name "\n.type stub_" #name "," type "\n.size stub_" #name ",8\nstub_" #name \
          ":\n.quad 0\n.symver stub_" #name "," #name "@@" VERSION_OF(version) "\n");

#define FUNCTION(name, version) STUB(name, version, "%function")
#define DATA(name, version) STUB(name, version, "%object")

#include "collector/portable/libc_symbols.inc"
