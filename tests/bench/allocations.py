"""cairn allocations beside dotnet-trace with the runtime's same keyword, on the same process: what either costs the
application, and how far the estimates of either are from what the application counted. One line for each figure."""

import argparse
import json
import math
import os
import re
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import dotnet_trace  # noqa: E402
from application import Application  # noqa: E402

KEYWORD = "Microsoft-Windows-DotNETRuntime:0x80000000000:4"  # allocation samples
MEAN_BYTES = 102_400  # between two samples
TICK = os.sysconf("SC_CLK_TCK")
GATE_RATIO, GATE_ERROR = 0.95, 0.05
OBJECTS_A_MILLISECOND = 2_000  # of `paced`
ENOUGH_SAMPLES = 6_000  # of which 5 % are 4 deviations


class AllocTruth(Application):
    """Answers `run N` with what it allocated until then, by type."""

    def __init__(self, program):
        super().__init__([program], {**os.environ, "DOTNET_gcServer": "0"})

    def run(self, megabytes):
        """Type: objects, bytes, since the start."""
        return self.ask(f"run {megabytes}")

    def work(self, milliseconds):
        """CPU seconds that it took; so long it takes without a sampler."""
        before = self.cpu_seconds()
        self.ask(f"paced {milliseconds}")
        return self.cpu_seconds() - before

    def ask(self, command):
        self.send(command)
        truth = {}
        for line in self.process.stdout:
            words = line.rstrip("\n").split("\t")
            if words[0] == "TRUTH-ALLOCATED":
                truth[words[1]] = (int(words[3]), int(words[4]))
            if line.startswith("OK "):
                return truth
        sys.exit("allocations: the application ended")

    def cpu_seconds(self):
        """Of all its threads that are its own, the collector's and the runtime's: what sampling costs is in there."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK


class NoSampling:
    def end(self):
        return {}


class Cairn:
    def __init__(self, program, pid, _folder):
        self.process = subprocess.Popen([program, "allocations", str(pid), "--duration", "10m", "--json", "-v"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        if "sampling process" not in first:
            sys.exit(f"allocations: cairn does not begin: {first}")

    def end(self):
        """Type: estimated bytes, samples."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=120)
        if self.process.returncode != 0:
            sys.exit(f"allocations: cairn failed: {err}")
        return {row["type"]: (row["bytes"], row["samples"]) for row in json.loads(out)["types"]}


def samples_in(trace, type_name, size):
    """Samples of a type in a nettrace file, found by what they hold: kind, instance, class, name, address, size, offset.

    Names stand elsewhere in the file, too; only in a sample the object's size stands at this distance from them.
    """
    found = 0
    name = type_name.encode("utf-16-le") + b"\0\0"
    for match in re.finditer(re.escape(name), trace):
        before, after = match.start() - 14, match.end()
        if before < 0 or after + 24 > len(trace):
            continue
        kind, = struct.unpack_from("<I", trace, before)
        _, told, offset = struct.unpack_from("<QQQ", trace, after)
        found += kind <= 2 and told == size and offset <= size
    return found


def estimate_of(samples, size):
    return samples * size / -math.expm1(-size / MEAN_BYTES)


def runtime_name(name):
    """As the runtime's events write it."""
    return name.replace("Box<System.String>", "Box`1[System.String]")


def trace_estimates(path, sizes):
    trace = Path(path).read_bytes()
    found = {name: samples_in(trace, runtime_name(name), size) for name, size in sizes.items()}
    return {name: (estimate_of(samples, sizes[name]), samples) for name, samples in found.items()}


def measured(application, start, options):
    """CPU seconds of a piece of work, what was allocated by type in a run, and what the sampler said of it."""
    sampler = start()
    took = application.work(options.milliseconds)
    before = application.run(0)
    truth = application.run(options.megabytes)
    allocated = {name: (objects - before[name][0], size - before[name][1]) for name, (objects, size) in truth.items()}
    return took, allocated, sampler.end()


def share_off(estimate, allocated):
    return abs(estimate / allocated - 1)


def print_estimates(allocated, ours, theirs, their_allocated):
    """Each against what was counted while it sampled. True: ours are within the gate."""
    held = True
    for name, (_, size) in allocated.items():
        ours_bytes, samples = ours.get(name, (0, 0))
        line = f"{name}: {size / 1e6:.0f} MB allocated; cairn {ours_bytes / 1e6:.0f} MB of {samples} samples, " \
               f"{share_off(ours_bytes, size):.1%} off"
        if name in theirs:
            line += f"; dotnet-trace {theirs[name][0] / 1e6:.0f} MB of {theirs[name][1]} samples, " \
                    f"{share_off(theirs[name][0], their_allocated[name][1]):.1%} off"
        if samples >= ENOUGH_SAMPLES:
            line += f"; gate {GATE_ERROR:.0%}"
            if share_off(ours_bytes, size) > GATE_ERROR:
                line, held = line + " MISSED", False
        print(line, flush=True)
    return held


def print_ratio(name, none, took, gate):
    """What the application gets done with the same CPU: of the medians."""
    ratio = statistics.median(none) / statistics.median(took)
    line = f"throughput ratio with {name}: {ratio:.3f} ({statistics.median(none):.2f} s of CPU without, " \
           f"{statistics.median(took):.2f} s with)"
    if gate is not None:
        line += f"; gate {gate:g}" + ("" if ratio >= gate else " MISSED")
    print(line, flush=True)
    return gate is None or ratio >= gate


def compare(options, cairn, trace, program, folder):
    samplers = {"none": lambda: NoSampling()}
    with AllocTruth(program) as application:
        samplers["cairn"] = lambda: Cairn(cairn, application.pid, folder)
        if trace:
            samplers["dotnet-trace"] = lambda: dotnet_trace.DotnetTrace(trace, application.pid, folder / "peer.nettrace", KEYWORD)
        application.run(options.megabytes)  # all is compiled
        application.work(options.milliseconds)
        runs = {name: [] for name in samplers}
        for _ in range(options.rounds):
            for name, start in samplers.items():
                runs[name].append(measured(application, start, options))
        took = {name: [run[0] for run in each] for name, each in runs.items()}
        allocated = runs["cairn"][-1][1]
        rate = OBJECTS_A_MILLISECOND * options.milliseconds / statistics.median(took["none"])
        print(f"-- {rate / 1e6:.2f} M allocations in a second of CPU; median of {options.rounds}")
        held = print_ratio("cairn", took["none"], took["cairn"], GATE_RATIO)
        theirs, their_allocated = {}, {}
        if trace:
            print_ratio("dotnet-trace", took["none"], took["dotnet-trace"], None)
            their_allocated = runs["dotnet-trace"][-1][1]
            sizes = {name: size // count for name, (count, size) in their_allocated.items()}
            theirs = trace_estimates(runs["dotnet-trace"][-1][2], sizes)
        return print_estimates(allocated, runs["cairn"][-1][2], theirs, their_allocated) and held


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--app", help="alloc-truth, published (BUILD/targets/alloc-truth)")
    parser.add_argument("--megabytes", type=int, default=1024, help="that each type gets in a run")
    parser.add_argument("--milliseconds", type=int, default=4000, help="of CPU, that a piece of work takes")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gate", action="store_true", help="exit 1 when a figure misses its gate twice")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()

    build = Path(options.build).resolve()
    program = Path(options.app or build / "targets" / "alloc-truth" / "alloc-truth")
    trace = None if options.no_peer else dotnet_trace.install(build)
    with tempfile.TemporaryDirectory(prefix="cairn-allocations-") as name:
        held = compare(options, build / "bin" / "cairn", trace, program, Path(name))
        if not held and options.gate:
            print("   once more")
            held = compare(options, build / "bin" / "cairn", trace, program, Path(name))
    return 1 if options.gate and not held else 0


if __name__ == "__main__":
    sys.exit(main())
