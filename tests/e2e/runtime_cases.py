"""Each version of .NET that is promised, each operation once, recorded for the table of targets;
`tests/matrix` tries all of them, and every form of publishing."""

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtimes"))

from beds import BEDS, Cache
from harness import CLSID, Target, expect, expect_equal
from matrix import outcome_of
from operations import Trial
from table import COLUMNS, Cells
from truth_cases import check_types


def on(name):
    def case(lab):
        bed = next(bed for bed in BEDS if bed.name == name)
        start = Cache(lab.build / "runtimes").start(bed, lab.library)
        with Target(*start[:2], lab.folder) as target:
            trial = Trial(lab, bed, target, start)
            for operation in [*COLUMNS, "light"]:
                word, right, said = outcome_of(bed, operation, trial)
                Cells(lab.build).record(bed.name, operation, word, said)
                expect(right, f"{operation}: {word}: {said}")
            target.expect_working()
    return case


class Planted:
    """What one of several programs in a process printed."""

    def __init__(self, output):
        self.lines = [line.split("\t") for line in output.read_text().splitlines()]

    facts = Target.facts


def two_in_one_process(lab):
    """.NET 8 and 10, each with a heap of its own: every capture is of the runtime that was asked for."""
    old = Cache(lab.build / "runtimes").published(next(bed for bed in BEDS if bed.name == "8"))
    folders = {"8": old, "10": max(installed_runtimes(), key=lambda folder: [int(n) for n in folder.name.split(".")])}
    jobs = [part for name, folder in folders.items() for part in (folder, old / "mini-truth.dll", lab.folder / name)]
    loaded = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": str(lab.library)}
    with Target([str(part) for part in (lab.tool("two_runtimes"), *jobs)], loaded, lab.folder) as target:
        cells = Cells(lab.build)
        lab.cairn_fails(3, "target.several_runtimes", "capture", target.pid, "--light", "--runtime", "many",
                        says=("one=8.", "one=10."))
        lab.cairn_fails(3, "target.other_runtime", "capture", target.pid, "--light", "--runtime", "one=9", says=("9",))
        for choice, allowed in (("first", list(folders)), *((f"one={name}", [name]) for name in folders)):
            snapshot = lab.folder / f"{choice}.cairn"
            lab.cairn("capture", target.pid, "--light", "--runtime", choice, "-o", snapshot)
            document = lab.verify(snapshot)
            name = document["process"]["runtime"].split(".")[0]
            expect(name in allowed, f"--runtime {choice} captured {document['process']['runtime']}")
            check_types(lab, snapshot, document, Planted(lab.folder / name))
            for operation in ("start", "full", "counts"):
                cells.record("8 and 10 in one process", operation, "ok", f"of .NET {name} too")
        expect_equal(target.process.poll(), None, "exit of the target")


def installed_runtimes():
    return Path(os.path.realpath(shutil.which("dotnet"))).parent.glob("shared/Microsoft.NETCore.App/10.*")


CASES = [("runtime: .NET 10", on("10 framework-dependent")), ("runtime: .NET 8", on("8")), ("runtime: .NET 8, segments", on("8 segments")),
         ("runtime: .NET 9", on("9")), ("runtime: .NET Core 3.1", on("3.1")),
         ("runtime: .NET 10 on musl", on("10 musl")),
         ("runtime: .NET 8 and 10 in one process", two_in_one_process)]
