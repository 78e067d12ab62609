"""The collector in another C library than the one it was built on. `tests/matrix` tries whole runtimes there."""

from harness import expect, expect_equal

# Class and interfaces as in collector/protocol and collector/abi.
PROGRAM = r"""
#include <dlfcn.h>
#include <stdio.h>
typedef struct { unsigned a; unsigned short b, c; unsigned char d[8]; } Guid;
typedef struct Factory Factory;
struct Factory { struct { int (*query)(Factory*, const Guid*, void**); unsigned (*add)(Factory*), (*release)(Factory*);
                          int (*create)(Factory*, void*, const Guid*, void**); } *table; };
static const Guid kClass = {0x8C3A1E52, 0x6B0D, 0x4F57, {0x9E, 0x4B, 0xC4, 0x1A, 0x12, 0xDD, 0x5A, 0x01}};
static const Guid kFactory = {1, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
static const Guid kUnknown = {0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
int main(int count, char** arguments) {
  void* library = count < 2 ? NULL : dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return printf("%s\n", dlerror()), 1;
  int (*get)(const Guid*, const Guid*, void**) = (int (*)(const Guid*, const Guid*, void**))dlsym(library, "DllGetClassObject");
  Factory* factory = NULL;
  void* profiler = NULL;
  const int got = get == NULL ? -1 : get(&kClass, &kFactory, (void**)&factory);
  const int made = got != 0 ? -1 : factory->table->create(factory, NULL, &kUnknown, &profiler);
  printf("%x %x %s\n", got, made, profiler == NULL ? "nothing" : "a profiler");
  return 0;
}
"""


def loads_in_musl(lab):
    """Every name is bound at once, and the runtime's first steps work."""
    source, program = lab.folder / "load.c", lab.folder / "load"
    source.write_text(PROGRAM)
    lab.run_tool(["musl-gcc", "-O1", "-o", program, source])
    expect(b"ld-musl" in program.read_bytes(), "not a program of musl")
    expect_equal(lab.run_tool([program, lab.library]), [["0 0 a profiler"]], "DllGetClassObject, CreateInstance")


CASES = [("the collector loads in musl", loads_in_musl)]
