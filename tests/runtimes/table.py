#!/usr/bin/env python3
"""table.py --build DIR: what was tried on which target in this build, one row each, and what cannot be tried and why;
also as DIR/matrix.md. Whoever tries something records it here: no cell is written by hand."""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

COLUMNS = ["attach", "start", "full", "young", "fork", "counts", "roots", "detach"]
NOT_RUN = "–"

# Targets that no machine of ours can have, and what stands in for them.
UNAVAILABLE = {
    "glibc 2.17 to 2.30": "no package of one is served any more; 2.31 is the oldest tried. That the collector asks for nothing"
                          " newer than 2.17, and cairn-static for no library at all, is read out of the files",
    ".NET 5, 6, 7": "no longer supported, nor tried",
    "Alpine": "Debian's musl runs the same runtime (10 musl)",
    "Windows itself": "Wine runs the same runtimes (win-x86, win-x64)",
    "linux-arm64 hardware": "qemu-user runs the same runtime (10 arm64)",
    "linux-arm, linux-x86": "there are no packages of these runtimes; win-x86 is the 32-bit one",
    "macOS, win-arm64": "there is neither a machine nor an emulator",
}


class Cells:
    """One file per target below the build folder, written as a whole each time."""

    def __init__(self, build):
        self.folder = Path(build) / "matrix"

    def path(self, target):
        return self.folder / (target.replace("/", "-") + ".json")

    def of(self, target):
        path = self.path(target)
        return json.loads(path.read_text())["cells"] if path.exists() else {}

    def record(self, target, operation, word, said):
        self.folder.mkdir(parents=True, exist_ok=True)
        cells = {**self.of(target), operation: {"word": word, "said": said.splitlines()[0] if said else ""}}
        self.path(target).write_text(json.dumps({"target": target, "cells": cells}, indent=1) + "\n")

    def all(self):
        files = sorted(self.folder.glob("*.json")) if self.folder.exists() else []
        return {row["target"]: row["cells"] for row in (json.loads(path.read_text()) for path in files)}


def markdown(rows, columns):
    """`ok`, `refused` or `no` with the reason below, FAULT, or – for what was not tried in this build."""
    lines = ["| target | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    notes = []
    for target, cells in rows.items():
        words = []
        for column in columns:
            cell = cells.get(column)
            words.append(cell["word"] if cell else NOT_RUN)
            if cell and cell["word"] != "ok":
                notes.append(f"- {target}, {column}: {cell['word']}: {cell['said']}")
        lines.append(f"| {target} | " + " | ".join(words) + " |")
    return lines + [""] + notes


def document(rows, columns):
    tried = sum(len(cells) for cells in rows.values())
    lines = ["# What was tried on which target", "", *markdown(rows, columns), "", "Cannot be tried:", ""]
    lines += [f"- {target}: {why}" for target, why in UNAVAILABLE.items()]
    return "\n".join([*lines, "", f"{len(rows)} targets, {tried} cells tried; – is a cell that was not tried in this build."])


def columns_of(rows):
    more = sorted({name for cells in rows.values() for name in cells} - set(COLUMNS))
    return COLUMNS + more


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=Path, help="the CMake build folder")
    parser.add_argument("--none", nargs=2, metavar=("TARGET", "WHY"), help="record that it cannot be tried here")
    options = parser.parse_args()
    build = options.build
    if options.none:
        Cells(build).record(options.none[0], "attach", "no", options.none[1])
        return 0
    rows = Cells(build).all()
    text = document(rows, columns_of(rows))
    (build / "matrix.md").write_text(text + "\n")
    print(text)
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
