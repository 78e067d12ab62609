"""Answers about made-up heaps of 1, 10 and 100 million objects: one line for each figure, and how it grows."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# case → (figure, unit, factor from what the benchmark counts, gate)
FIGURES = {
    "Histogram": [("histogram", "ms", None, None)],
    "OpenDominatorsRetainedPaths": [
        ("open + dominators + retained + paths", "ns/object", "s/object", 250),
        ("open + dominators + retained + paths, peak", "B/object", "peak_B/object", 60),
    ],
    "Reopen": [("reopen from the cache, all of it", "ns/object", "s/object", 15)],
    "ReopenTypes": [("reopen from the cache, types", "ns/object", "s/object", None)],
    "PathCold": [("one path, cold", "ms", None, None)],
    "PathWarm": [("one path, warm", "ms", None, None)],
}
# Of design figures given for a size, in milliseconds: case → (millions of objects, gate).
TIMES = {"Histogram": (25, 150), "PathCold": (12, 1000), "PathWarm": (12, 5)}


def run_case(build, case, snapshot, folder):
    """Each in a process of its own, so that peak memory is its own."""
    command = [build / "bench" / "analysis_bench", f"--benchmark_filter=^{case}/1000000/", "--benchmark_format=json"]
    output = subprocess.run(command, env={**os.environ, "CAIRN_BENCH_SNAPSHOT": str(snapshot), "TMPDIR": folder},
                            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(output.stdout)["benchmarks"][0]


def value_of(result, counter):
    if counter is None:
        return result["real_time"]
    return result[counter] * 1e9 if counter == "s/object" else result[counter]


def gate_of(case, gate, millions):
    if case not in TIMES:
        return gate
    size, milliseconds = TIMES[case]
    # In proportion to the size; what is quick at a small size is not asked to be quicker.
    return milliseconds * max(1, millions / size)


def misses(result, case, figures, millions):
    bounds = [(value_of(result, counter), gate_of(case, gate, millions)) for _, _, counter, gate in figures]
    return any(bound is not None and value > bound for value, bound in bounds)


def measure(build, sizes):
    """Returns the figures that miss their gate, as sentences."""
    missed, before = [], {}
    for millions in sizes:
        with tempfile.TemporaryDirectory(prefix="cairn-analysis-") as folder:
            snapshot = Path(folder) / "made-up.cairn"
            subprocess.run([build / "bench" / "write_synthetic", snapshot, str(int(millions * 1e6))], check=True)
            for case, figures in FIGURES.items():
                result = run_case(build, case, snapshot, folder)
                if misses(result, case, figures, millions):
                    result = run_case(build, case, snapshot, folder)  # once more
                for name, unit, counter, gate in figures:
                    value, bound = value_of(result, counter), gate_of(case, gate, millions)
                    line = f"{millions:g} M objects, {name}: {value:.1f} {unit}"
                    if name in before:
                        line += f"; {value / before[name]:.2f} times that of the size before"
                    before[name] = value
                    if bound is not None:
                        line += f"; gate {bound:g}"
                        if value > bound:
                            line += " MISSED"
                            missed.append(f"{millions:g} M {name}")
                    print(line, flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--sizes", default="1,10", help="millions of objects")
    parser.add_argument("--gate", action="store_true", help="exit 1 when a figure misses its gate twice")
    options = parser.parse_args()
    missed = measure(Path(options.build).resolve(), [float(size) for size in options.sizes.split(",")])
    if options.gate:
        print(f"gate: {'missed by ' + ', '.join(missed) if missed else 'held'}")
    return 1 if options.gate and missed else 0


if __name__ == "__main__":
    sys.exit(main())
