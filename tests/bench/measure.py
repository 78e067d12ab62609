"""Captures beside dotnet-gcdump on the same process. One line for each figure, with the ratio to the peer."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

from application import Application  # noqa: E402
from peer_tool import install_tool  # noqa: E402

GCDUMP_VERSION = "10.0.750501"
MODES = {
    "server": {"DOTNET_gcServer": "1"},
    "two-heaps": {"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2", "DOTNET_GCDynamicAdaptationMode": "0"},
    "workstation": {"DOTNET_gcServer": "0"},
}
# figure → (unit, gate). A gate that holds for a size only is {millions: gate}: the next larger size's counts, and
# beyond the largest there is none.
FIGURES = {
    "pause, the runtime's clock": ("ms", {2: 40, 12: 100, 25: 160, 87: 250}),
    "pause, the target's clock": ("ms", None),
    "wall": ("s", {12: 2.5}),
    "concurrent GC off": ("s", {12: 1.5}),
    "target memory": ("B/object", 8),
    "own memory": ("MB", 256),
    "walk": ("ns/object/thread", 10),
    "file": ("B/object", 7),
    "histogram": ("s", {25: 0.15}),
    "histogram, peak": ("B/object", None),
    "open + dominators + retained + paths": ("ns/object", 250),
    "open + dominators + retained + paths, peak": ("B/object", 60),
    "names and layouts": ("us/type", 15),
}
MANY_TYPES = 30_000  # what the scenario of this name adds


class HeapTruth(Application):
    """Answers mark and stats."""

    def __init__(self, program, millions, mode, scenario="mix"):
        super().__init__([program, str(millions), scenario], {**os.environ, **MODES[mode]})

    def ask(self, command):
        self.send(command)
        return self.process.stdout.readline()

    def memory(self, field):
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
        return 0


def run(command, env=None):
    """Exit code, standard output, seconds, peak memory in bytes."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        output.seek(0)
        return process.returncode, output.read().decode(), wall, usage.ru_maxrss * 1024


def observe(application, command):
    """Runs one collecting command and watches both sides. Returns figures (None: it failed) and its stdout.

    The target's growth is what was resident of it at its peak, less what was before: all that the collector allocates
    there, what the runtime allocates for it, and what the application itself took meanwhile. The memory of a forked
    child is another process's: the pages that either side wrote while it lived, and the child's own buffers. It is
    printed apart, as the snapshot tells it (copied_bytes).
    """
    application.ask("mark")
    Path(f"/proc/{application.pid}/clear_refs").write_text("5")  # VmHWM starts over
    before = application.memory("VmRSS")
    code, text, wall, peak = run(command)
    if code != 0:
        return None, text
    return {
        "wall": wall,
        "pause, the target's clock": json.loads(application.ask("stats"))["maxGapMs"],
        "target memory": max(0, application.memory("VmHWM") - before),
        "own memory": peak / 1e6,
    }, text


def capture(cairn, application, path, *options):
    figures, text = observe(application, [cairn, "capture", str(application.pid), *options, "--force", "-o", path,
                                          "--json"])
    if figures is None:
        sys.exit(f"measure: the capture failed: {text}")
    document = json.loads(text)
    if not document["complete"]:
        sys.exit(f"measure: the capture is not complete: {document['problems']}")
    return figures, document


def measure_capture(cairn, application, path):
    figures, document = capture(cairn, application, path)
    objects = document["objects"]
    figures["pause, the runtime's clock"] = document["pause_ms"]["total"]
    figures["concurrent GC off"] = document["concurrent_gc_off_ms"] / 1e3
    figures["target memory"] /= objects
    figures["file"] = document["file_bytes"] / objects
    return figures, document


def measure_walk(cairn, application, path):
    """What a thread needs for an object in the pause, whatever is chosen by default.

    What is done in the pause beside the walk, whichever way it goes (the check of a sample, the scan of stacks), is in
    the same figure of a capture that forks, and is taken off.
    """
    _, document = capture(cairn, application, path, "--method", "pause")
    beside = 0
    if document["memory"]["limit_bytes"] is None:  # else a fork may be refused
        beside = capture(cairn, application, path, "--method", "fork")[1]["pause_ms"]["walk"]
    walk_ms = max(0, document["pause_ms"]["walk"] - beside)
    return {"walk": walk_ms * 1e6 * document["threads"] / document["objects"]}


def measure_answers(cairn, path, objects, folder):
    """Of one snapshot, with nothing in the cache."""
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        env = {"XDG_CACHE_HOME": cache}
        code, text, histogram, histogram_peak = run([cairn, "types", path, "--no-retained", "--json"], env)
        if code != 0:
            sys.exit(f"measure: cairn types failed: {text}")
        code, text, answers, peak = run([cairn, "suspects", path, "--json"], env)
        if code != 0:
            sys.exit(f"measure: cairn suspects failed: {text}")
    return {
        "histogram": histogram,
        "histogram, peak": histogram_peak / objects,
        "open + dominators + retained + paths": answers * 1e9 / objects,
        "open + dominators + retained + paths, peak": peak / objects,
    }


def measure_peer(gcdump, application, folder, objects):
    path = folder / "measured.gcdump"
    path.unlink(missing_ok=True)
    figures, _ = observe(application, [gcdump, "collect", "-p", str(application.pid), "-o", path])
    if figures is None:
        return None
    figures["pause, the runtime's clock"] = figures["pause, the target's clock"]
    figures["target memory"] /= objects
    figures["file"] = path.stat().st_size / objects
    return figures


def measure_clrmd(program, application, folder, objects):
    """The same questions answered by a program over ClrMD from a dump of the process; a dump stops it meanwhile."""
    core = next(Path(line.split()[-1]).parent for line in Path(f"/proc/{application.pid}/maps").read_text().splitlines()
                if line.endswith("/libcoreclr.so"))
    dump = folder / "measured.dmp"
    code, text, _, _ = run([core / "createdump", "--withheap", "-f", dump, str(application.pid)])
    if code != 0:
        print(f"   no dump for ClrMD: {text}")
        return {}
    try:
        histogram = run([program, dump, core, "histogram"])
        answers = run([program, dump, core, "answers"])
    finally:
        dump.unlink(missing_ok=True)
    if histogram[0] != 0 or answers[0] != 0:
        print("   the program over ClrMD failed")
        return {}
    return {
        "histogram": histogram[2],
        "histogram, peak": histogram[3] / objects,
        "open + dominators + retained + paths": answers[2] * 1e9 / objects,
        "open + dominators + retained + paths, peak": answers[3] / objects,
    }


def medians(runs):
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]} if runs else {}


def gate_of(name, millions):
    gate = FIGURES[name][1]
    if not isinstance(gate, dict):
        return gate
    return next((gate[size] for size in sorted(gate) if millions <= size), None)


def report(label, millions, ours, peers):
    """Prints a line for each figure that was measured; returns those that miss their gate. `peers`: name → figures."""
    missed = []
    for name in FIGURES:
        if name not in ours:
            continue
        line = f"{label}, {name}: {ours[name]:.3g} {FIGURES[name][0]}"
        for peer, theirs in peers.items():
            if name in theirs:
                ratio = theirs[name] / ours[name] if ours[name] else float("inf")
                line += f"; {peer} {theirs[name]:.3g}, ratio {ratio:.1f}"
        gate = gate_of(name, millions)
        if gate is not None:
            line += f"; gate {gate:g}"
            if ours[name] > gate:
                line += " MISSED"
                missed.append(name)
        print(line, flush=True)
    return missed


def print_way(captured):
    """How the captures were made, and what a forked child cost, which is held to no gate of its own."""
    documents = [document for _, document in captured]
    methods = sorted({each["method"] for each in documents})
    print(f"   by {' and '.join(methods)}, {documents[-1]['threads']} threads")
    forked = [each for each in documents if each["method"] == "fork"]
    if not forked:
        return
    copied = statistics.median(each["memory"]["copied_bytes"] or 0 for each in forked)
    rate = statistics.median(each["child_ms"] * 1e6 / each["objects"] for each in forked)
    print(f"   the child's own memory {copied / 1e6:.0f} MB, {copied / forked[-1]['objects']:.1f} B/object; it lived for "
          f"{rate:.0f} ns/object (two walks, compression, sending, at low priority)")


def measure_once(options, cairn, application, folder):
    """Medians of our own figures, and how many objects there were."""
    path = folder / "measured.cairn"
    captured = [measure_capture(cairn, application, path) for _ in range(options.runs)]
    document = captured[-1][1]
    print_way(captured)
    figures = medians([each for each, _ in captured])
    figures |= measure_answers(cairn, path, document["objects"], folder)
    figures |= medians([measure_walk(cairn, application, path) for _ in range(options.runs)])
    return figures, document["objects"]


def measure_peers(options, application, folder, objects):
    gcdump, clrmd = options.gcdump, options.clrmd
    runs = [measure_peer(gcdump, application, folder, objects) for _ in range(options.peer_runs)] if gcdump else []
    if None in runs:
        print("   gcdump failed")
    peers = {"gcdump": medians([each for each in runs if each])}
    if clrmd:
        peers["ClrMD on a dump"] = measure_clrmd(clrmd, application, folder, objects)
    return peers


def run_case(options, cairn, program, millions, mode):
    label = f"{millions:g} M objects, {mode}"
    with HeapTruth(program, millions, mode) as application, \
            tempfile.TemporaryDirectory(prefix="cairn-measure-") as name:
        folder = Path(name)
        print(f"-- {label}: median of {options.runs}", flush=True)
        ours, objects = measure_once(options, cairn, application, folder)
        peers = measure_peers(options, application, folder, objects)
        missed = report(label, millions, ours, peers)
        if missed and options.gate:
            print(f"   once more, since {', '.join(missed)} missed")
            ours, _ = measure_once(options, cairn, application, folder)
            missed = report(label, millions, ours, peers)
    return [f"{label}: {each}" for each in missed]


def names_took(options, cairn, program, scenario, folder):
    """How long the runtime was held, and the types of the capture."""
    with HeapTruth(program, 0.2, "server", scenario) as application:
        runs = [capture(cairn, application, folder / "named.cairn", "--method", "pause")[1] for _ in range(options.runs)]
    return statistics.median(each["concurrent_gc_off_ms"] for each in runs), runs[0]["types"]


def run_names(options, cairn, program):
    """What many types cost: from the same application without them, so that all else cancels out."""
    label = f"{MANY_TYPES} types"
    missed = []
    for _ in range(2 if options.gate else 1):
        with tempfile.TemporaryDirectory(prefix="cairn-measure-") as name:
            few_ms, few = names_took(options, cairn, program, "mix,idle", Path(name))
            many_ms, many = names_took(options, cairn, program, "mix,idle,types", Path(name))
        missed = report(label, 0, {"names and layouts": (many_ms - few_ms) * 1e3 / max(many - few, 1)}, {})
        if not missed:
            break
    return [f"{label}: {each}" for each in missed]


def program_of(path, build):
    path = Path(path) if path else build / "targets" / "heap-truth"
    return path / path.name if path.is_dir() else path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--app", help="published folder (its program has the folder's name) or program")
    parser.add_argument("--sizes", default="2,12,25", help="millions of objects")
    parser.add_argument("--modes", default="server", help=f"garbage collectors, of {','.join(MODES)}")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peer-runs", type=int, default=2)
    parser.add_argument("--gate", action="store_true", help="exit 1 when a figure misses its gate twice")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()

    # What captures on a busier day taught of this machine would decide how these are made.
    cache = tempfile.TemporaryDirectory(prefix="cairn-measure-cache-")
    os.environ["XDG_CACHE_HOME"] = cache.name
    build = Path(options.build).resolve()
    cairn = build / "bin" / "cairn"
    clrmd = build / "targets" / "clrmd-answers" / "clrmd-answers"
    options.clrmd = None if options.no_peer or not clrmd.exists() else clrmd
    options.gcdump = None if options.no_peer else install_tool(build, "dotnet-gcdump", GCDUMP_VERSION)
    program = program_of(options.app, build)
    failed = []
    for mode in options.modes.split(","):
        for millions in map(float, options.sizes.split(",")):
            failed += run_case(options, cairn, program, millions, mode)
    failed += run_names(options, cairn, program)
    if options.gate:
        print(f"gate: {'missed by ' + '; '.join(failed) if failed else 'held'}")
    return 1 if options.gate and failed else 0


if __name__ == "__main__":
    sys.exit(main())
