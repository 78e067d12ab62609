"""The collector in another C library than the one it was built on, and the `cairn` that needs none at all: both in roots
that have nothing but an older glibc, or musl. `tests/matrix` tries more runtimes there."""

import copy
import os
import shlex
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtimes"))

import libc_roots
from beds import BEDS, Cache
from harness import Target, expect, expect_equal
from matrix import outcome_of
from operations import Trial
from table import COLUMNS, Cells

STATIC = "cairn-static"

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


def needs_no_library(lab):
    """Neither a loader nor a library, so that it starts wherever the kernel does."""
    lines = [" ".join(line) for option in ("-lW", "-dW") for line in lab.run_tool(["readelf", option, lab.build / "bin" / STATIC])]
    expect_equal([line for line in lines if "INTERP" in line or "NEEDED" in line], [], "what cairn-static asks for")


def in_its_place(lab, root):
    """A lab whose cairn is the one without libraries, in a container beside the target's: a root, files and /tmp of its
    own, the same processes in sight."""
    shutil.copy(lab.build / "bin" / STATIC, lab.folder)
    shutil.copy(lab.library, lab.folder)
    program = lab.folder / "sidecar"
    command = libc_roots.inside(root, lab.folder, lab.folder, lab.folder / STATIC)
    program.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    program.chmod(0o755)
    beside = copy.copy(lab)
    beside.cairn_path = program
    return beside


def beside(name, row, root_of, environment):
    """Every operation on the target of the bed `name`, with nothing of this machine's in sight of either side."""
    def case(lab):
        bed = next(bed for bed in BEDS if bed.name == name)
        cache = Cache(lab.build / "runtimes")
        try:
            root, output = root_of(cache), cache.published(bed)
        except libc_roots.NotServed as problem:
            Cells(lab.build).record(row, "attach", "no", str(problem))
            print(f"NOT RUN  {row}: {problem}", flush=True)
            return
        command = libc_roots.inside(root, output, "/mnt", "/mnt/mini-truth")
        library = Path(shutil.copy(lab.library, root))
        with Target(command, environment, lab.folder) as target:
            trial = Trial(in_its_place(lab, root), bed, target, (command, environment, f"/{library.name}"))
            expect_equal(trial.lab.cairn("doctor", target.pid, "--json").json["ok"], True, "doctor")
            for operation in [*COLUMNS, "light"]:
                word, right, said = outcome_of(bed, operation, trial)
                Cells(lab.build).record(row, operation, word, said)
                expect(right, f"{operation}: {word}: {said}")
            target.expect_working()
    return case


CASES = [("the collector loads in musl", loads_in_musl), ("cairn-static needs no library", needs_no_library)]
if os.geteuid() == 0:  # only root makes roots
    CASES += [
        ("portable: target and cairn in roots of glibc 2.31",
         beside("8", "8, and cairn beside it, in roots of glibc 2.31", Cache.glibc_root, libc_roots.INVARIANT)),
        ("portable: target and cairn in roots of musl",
         beside("10 musl", "10, and cairn beside it, in roots of musl", Cache.musl_root, libc_roots.INVARIANT)),
    ]
