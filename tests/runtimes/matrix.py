#!/usr/bin/env python3
"""matrix.py --build DIR: one line per runtime and operation, then the table, which is DIR/matrix.md too. Closes with
`N passed, N failed`."""

import argparse
import fnmatch
import os
import sys
import tempfile
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))

from beds import BEDS, Cache
from harness import Failure, Lab, Target
from operations import OPERATIONS, Refused, Trial
from table import Cells, columns_of, document


def default_cache():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cairn-matrix"


def expected_refusal(bed, operation):
    code = bed.expected.get(operation)
    return None if code == "natural" else code


def outcome_of(bed, operation, trial):
    """(word for the table, whether that is as it should be, what there is to say)"""
    wanted = expected_refusal(bed, operation)
    try:
        said = OPERATIONS[operation](trial)
    except Refused as refused:
        return "refused", refused.code == wanted, str(refused)
    except Failure as failure:
        return "FAULT", False, str(failure)
    except Exception:  # what breaks is a fault too
        return "FAULT", False, traceback.format_exc()
    if wanted:
        return "FAULT", False, f"{wanted} was expected, but it works: {said}"
    return "ok", True, said


class Matrix:
    def __init__(self, lab, cache, operations):
        self.lab, self.cache, self.operations = lab, cache, operations
        self.cells, self.passed, self.failed = Cells(lab.build), 0, 0

    def report(self, bed, operation, word, right, said):
        self.cells.record(bed.name, operation, word, said)
        self.passed += right
        self.failed += not right
        mark = "ok  " if right else "FAIL"
        print(f"{mark}  {bed.name:40} {operation:9} {word:8} {said}", flush=True)

    def try_bed(self, bed):
        try:
            command, environment, library = self.cache.start(bed, self.lab.library)
            target = Target(command, environment, self.lab.folder)
        except (RuntimeError, Failure) as problem:
            return self.report(bed, "run", "FAULT", False, str(problem))
        with target:
            trial = Trial(self.lab, bed, target, (command, environment, library))
            for operation in self.operations:
                self.report(bed, operation, *outcome_of(bed, operation, trial))
                if target.process.poll() is not None:
                    return self.report(bed, "alive", "FAULT", False, f"the target died ({target.process.returncode})")

    def run(self, beds):
        for bed in beds:
            missing = bed.missing(self.lab.build)
            if missing:
                print(f"none  {bed.name:40} {missing}")
                self.cells.record(bed.name, "attach", "no", missing)
                continue
            with self.lab.case_folder():
                self.try_bed(bed)

    def print_table(self):
        rows = self.cells.all()
        text = document(rows, columns_of(rows))
        (self.lab.build / "matrix.md").write_text(text + "\n")
        print("\n" + text)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the CMake build folder")
    parser.add_argument("--cache", default=default_cache(), help="where runtimes and published targets are kept")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="beds whose names match, repeatable")
    parser.add_argument("--operation", action="append", choices=list(OPERATIONS), help="only this one, repeatable")
    parser.add_argument("--quick", action="store_true", help="without what takes long to publish")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    beds = [bed for bed in BEDS if not (options.quick and bed.slow)
            and (not options.only or any(fnmatch.fnmatch(bed.name, pattern) for pattern in options.only))]
    if options.list:
        print(*(bed.name for bed in beds), sep="\n")
        return 0
    lab = Lab(options.build, options.build, 0, 0, 0, 0)
    matrix = Matrix(lab, Cache(options.cache), options.operation or list(OPERATIONS))
    with tempfile.TemporaryDirectory(prefix="cairn-matrix-") as scratch:
        lab.scratch = Path(scratch)
        matrix.run(beds)
    matrix.print_table()
    print(f"{matrix.passed} passed, {matrix.failed} failed")
    return 0 if matrix.passed and not matrix.failed else 1


if __name__ == "__main__":
    sys.exit(main())
