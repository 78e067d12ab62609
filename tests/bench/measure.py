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

GCDUMP_VERSION = "10.0.750501"
# figure → (unit, gate); the gates that are due now.
FIGURES = {
    "wall": ("s", None),
    "pause, the target's clock": ("ms", None),
    "pause, cairn's own": ("ms", None),
    "walk": ("ns/object", 10),
    "target memory": ("MB", None),
    "own memory": ("MB", 256),
    "file": ("B/object", 7),
}


class Application:
    """A target that prints PID and READY, and answers mark and stats."""

    def __init__(self, program, millions):
        self.process = subprocess.Popen([program, str(millions), "mix"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env={**os.environ, "DOTNET_gcServer": "1"})
        for line in self.process.stdout:
            if line.startswith("PID\t"):
                self.pid = int(line.split("\t")[1])
            if line.strip() == "READY":
                return
        sys.exit(f"measure: {program} ended before READY")

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def memory(self, field):
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
        return 0

    def stop(self):
        self.process.kill()
        self.process.wait()


def observe(application, command):
    """Runs one collecting command and watches both sides. Returns figures and its stdout."""
    application.ask("mark")
    Path(f"/proc/{application.pid}/clear_refs").write_text("5")  # VmHWM starts over
    before = application.memory("VmRSS")
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        return None, text
    return {
        "wall": wall,
        "pause, the target's clock": json.loads(application.ask("stats"))["maxGapMs"],
        "target memory": max(0, application.memory("VmHWM") - before) / 1e6,
        "own memory": usage.ru_maxrss * 1024 / 1e6,
    }, text


def measure_cairn(cairn, application, folder):
    path = folder / "measured.cairn"
    figures, text = observe(application, [cairn, "capture", str(application.pid), "--gc", "full", "--force", "-o", path, "--json"])
    if figures is None:
        sys.exit(f"measure: the capture failed: {text}")
    document = json.loads(text)
    figures["pause, cairn's own"] = document["pause_ms"]["total"]
    figures["walk"] = document["pause_ms"]["walk"] * 1e6 * document["threads"] / document["objects"]
    figures["file"] = document["file_bytes"] / document["objects"]
    return figures, document["objects"]


def measure_peer(gcdump, application, folder, objects):
    path = folder / "measured.gcdump"
    path.unlink(missing_ok=True)
    figures, _ = observe(application, [gcdump, "collect", "-p", str(application.pid), "-o", path])
    if figures is None:
        return None
    figures["file"] = path.stat().st_size / objects
    return figures


def medians(runs):
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]} if runs else {}


def install_gcdump(build):
    tools = build / "tools"
    program = tools / "dotnet-gcdump"
    if not program.exists():
        subprocess.run(["dotnet", "tool", "install", "dotnet-gcdump", "--version", GCDUMP_VERSION, "--tool-path", tools],
                       check=True, stdout=subprocess.DEVNULL)
    return program


def report(millions, ours, peer):
    """Returns the figures that miss their gate."""
    missed = []
    for name, (unit, gate) in FIGURES.items():
        line = f"{millions:g} M objects, {name}: {ours[name]:.1f} {unit}"
        if name in peer:
            ratio = peer[name] / ours[name] if ours[name] else float("inf")
            line += f"; gcdump {peer[name]:.1f}, ratio {ratio:.1f}"
        if gate is not None:
            line += f"; gate {gate}"
            if ours[name] > gate:
                line += " MISSED"
                missed.append(name)
        print(line, flush=True)
    return missed


def run_case(options, build, program, millions, gcdump):
    application = Application(program, millions)
    try:
        with tempfile.TemporaryDirectory(prefix="cairn-measure-") as name:
            folder = Path(name)
            measured = [measure_cairn(build / "bin" / "cairn", application, folder) for _ in range(options.runs)]
            objects = measured[0][1]
            peer = [measure_peer(gcdump, application, folder, objects) for _ in range(options.peer_runs)] if gcdump else []
            print(f"-- {millions:g} M: {objects} objects, median of {options.runs}")
            if None in peer:
                print(f"{millions:g} M objects: gcdump failed")
            return report(millions, medians([figures for figures, _ in measured]), medians([p for p in peer if p]))
    finally:
        application.stop()


def program_of(path, build):
    path = Path(path) if path else build / "targets" / "heap-truth"
    return path / path.name if path.is_dir() else path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--app", help="published folder (its program has the folder's name) or program")
    parser.add_argument("--sizes", default="2,12,25", help="millions of objects")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peer-runs", type=int, default=2)
    parser.add_argument("--gate", action="store_true", help="exit 1 when a figure misses its gate twice")
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()

    build = Path(options.build).resolve()
    gcdump = None if options.no_peer else install_gcdump(build)
    program = program_of(options.app, build)
    failed = []
    for millions in map(float, options.sizes.split(",")):
        missed = run_case(options, build, program, millions, gcdump)
        if missed and options.gate:
            print(f"{millions:g} M objects: once more, since {', '.join(missed)} missed")
            missed = run_case(options, build, program, millions, None)
        failed += [f"{millions:g} M {name}" for name in missed]
    if options.gate:
        print(f"gate: {'missed by ' + ', '.join(failed) if failed else 'held'}")
    return 1 if options.gate and failed else 0


if __name__ == "__main__":
    sys.exit(main())
