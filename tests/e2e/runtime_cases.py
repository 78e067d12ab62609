"""The oldest runtimes that are promised; `tests/matrix` tries all of them, and every form of publishing."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtimes"))

from beds import BEDS, Cache
from harness import Target, expect
from matrix import outcome_of
from operations import Trial


def on(name):
    def case(lab):
        bed = next(bed for bed in BEDS if bed.name == name)
        start = Cache(lab.scratch / "runtimes").start(bed, lab.library)
        with Target(*start[:2], lab.folder) as target:
            trial = Trial(lab, bed, target, start)
            for operation in ("full", "roots", "young", "fork", "light", "start"):
                word, right, said = outcome_of(bed, operation, trial)
                expect(right, f"{operation}: {word}: {said}")
            target.expect_working()
    return case


CASES = [("runtime: .NET 8", on("8")), ("runtime: .NET Core 3.1", on("3.1"))]
