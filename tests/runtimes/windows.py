#!/usr/bin/env python3
"""windows.py --build DIR: captures of win-x86 and win-x64 processes under Wine, each against what the process planted.
Closes with one line `N passed, N failed`."""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from debian_packages import run
from harness import CLSID, Failure, Lab, Target, expect, expect_equal
from truth_cases import check_roots, check_types
from table import Cells
from wine_room import WINES, WineRoom

COLLECTOR = r"Z:\t\cairn_collector.dll"
AT_START = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH_32": COLLECTOR,
            "CORECLR_PROFILER_PATH_64": COLLECTOR}
SERVER_GC = {"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2"}


class Bench:
    """The room with the collector and the published target in it, and a Lab for what runs outside."""

    def __init__(self, build, cache, rid):
        self.lab = Lab(build, build / "targets", 0, 0, 0, 0)
        self.rid, self.architecture = rid, rid.removeprefix("win-")
        self.room = WineRoom(cache / rid, WINES[rid])
        self.wine = self.room.wine.program
        self.windows = build / f"windows-{self.architecture}" / "bin"

    def prepare(self):
        self.room.make()
        self.publish()
        for name in ("cairn_collector.dll", "cairn-attach.exe"):
            shutil.copy(self.windows / name, self.room.home / name)

    def publish(self):
        output = self.room.home / "mini-truth"
        sources = sorted((ROOT / "testdata" / "mini-truth").iterdir())
        newest = max(source.stat().st_mtime for source in sources)
        done = output / "mini-truth.exe"
        if done.exists() and done.stat().st_mtime > newest:
            return
        shutil.rmtree(output, ignore_errors=True)
        run(["dotnet", "publish", ROOT / "testdata" / "mini-truth", "-c", "Release", "-r", self.rid, "--self-contained", "true",
             "-o", output, "--artifacts-path", self.room.folder / "dotnet", "-v", "q"], f"publishing for {self.rid}")
        without_dynamic_methods(output / "mini-truth.runtimeconfig.json")
        os.utime(done)

    def target(self, environment=None):
        command = self.room.command([self.wine, "/t/mini-truth/mini-truth.exe"], environment, self.room.folder / "target.log")
        return Target(command, {}, self.room.folder)

    def record(self, target, collector, *options):
        """What cairn-attach did: its exit code, what it said, and the recording."""
        recording = self.room.home / "capture.recording"
        recording.unlink(missing_ok=True)
        done = self.room.run([self.wine, "/t/cairn-attach.exe", target.pid, collector, r"Z:\t\capture.recording", *options])
        expect(target.process.poll() is None, f"the target has died ({target.process.returncode})")
        return done.returncode, done.stderr.strip(), recording

    def capture(self, target, collector, *options):
        """The document of the snapshot that was made of a recording: complete, verified, and as planted."""
        code, said, recording = self.record(target, collector, *options)
        expect_equal((code, said), (0, ""), "cairn-attach")
        snapshot = self.lab.folder / "windows.cairn"
        self.lab.cairn("import", recording, "-o", snapshot, "--force")
        document = self.lab.verify(snapshot)
        check_types(self.lab, snapshot, document, target)
        lines = self.lab.run_tool([self.lab.tool("snapshot_edges"), snapshot])
        edges = {line[1]: line[4] for line in lines if line[0] == "TYPE"}
        wrong = [f"{name}: planted {n}, found {edges.get(name)}" for name, n in target.facts("TRUTH-REFERENCES")
                 if edges.get(name) != n]
        expect(not wrong, "references of planted types are wrong: " + "; ".join(wrong))
        target.expect_working()
        return document, lines


def without_dynamic_methods(configuration):
    """Under Wine a 64-bit runtime that tells events ends itself when a dynamic method is finalized, with its own EventPipe
    as with us. Those of reflection are the only ones of the target."""
    content = json.loads(configuration.read_text())
    content["runtimeOptions"]["configProperties"]["Switch.System.Reflection.ForceInterpretedInvoke"] = True
    configuration.write_text(json.dumps(content))


def described(document):
    pause = document["pause_ms"]["total"]
    return (f"{document['objects']:,} objects, {document['edges']:,} references, {document['gc_actual']}, "
            f"pause {pause:.1f} ms, problems {[problem['code'] for problem in document['problems']]}")


def check_steps(bench):
    """Small and frozen objects lie 4 bytes apart, about half of them not at a multiple of 8; large and pinned ones do."""
    document = bench.lab.cairn("query", bench.lab.folder / "windows.cairn", "--json",
                               "SELECT generation, count(*), sum(substr(address, -1) IN ('4', 'c')) FROM objects GROUP BY 1")
    rows = {generation: (objects, odd) for generation, objects, odd in document.json["rows"]}
    for generation in ("gen2", "frozen"):
        objects, odd = rows[generation]
        expect(objects // 4 < odd < objects - objects // 4, f"{generation}: {odd} of {objects} at 4 mod 8")
    expect_equal((rows["loh"][1], rows["poh"][1]), (0, 0), "large and pinned objects at 4 mod 8")


def attached(bench):
    """Attached over the named pipe; the second capture too, so the first has left."""
    with bench.target() as target:
        for _ in range(2):
            document, lines = bench.capture(target, COLLECTOR)
            expect_equal(document["process"]["architecture"], bench.architecture, "architecture")
            expect_equal((document["gc_actual"], document["roots"]), ("full", "full"), "collection")
            check_roots(lines, target)
            if bench.architecture == "x86":
                check_steps(bench)
        return described(document)


def server(bench):
    with bench.target(SERVER_GC) as target:
        document, _ = bench.capture(target, COLLECTOR)
        expect_equal(document["process"]["gc_mode"], "server", "gc_mode")
        return described(document)


def light(bench):
    with bench.target() as target:
        document, _ = bench.capture(target, COLLECTOR, "light")
        return described(document)


def young(bench):
    with bench.target() as target:
        document, _ = bench.capture(target, COLLECTOR, "young")
        expect_equal(document["roots"], "young", "roots")
        return described(document)


def at_start(bench):
    """Loaded when the process began, then asked over its own pipe."""
    with bench.target(AT_START) as target:
        document, _ = bench.capture(target, "resident")
        return described(document)


def refused(bench):
    """What is no collector is refused by the runtime, in its own number."""
    with bench.target() as target:
        code, said, recording = bench.record(target, r"Z:\t\nothing.dll")
        expect_equal((code, recording.exists()), (3, False), "cairn-attach")
        expect("0x8007007E" in said, said)
        target.expect_working()


# What each is, and the columns of the table that it fills.
CASES = [("attached over the named pipe", attached, ("attach", "full", "counts", "roots", "detach")),
         ("server GC", server, ()), ("--light", light, ("light",)), ("young", young, ("young",)),
         ("loaded at start", at_start, ("start",)), ("a library that is not there", refused, ())]


def problem_of(bench, case):
    with bench.lab.case_folder():
        try:
            return None, case(bench) or ""
        except Failure as failure:
            return str(failure), ""
        except Exception:  # a case that breaks is a case that fails
            return traceback.format_exc(), ""


def run_case(bench, name, case, columns):
    start = time.monotonic()
    problem, said = problem_of(bench, case)
    seconds = time.monotonic() - start
    print(f"{'FAIL' if problem else 'ok  '}  {name}  ({seconds:.1f} s)  {said}" + (f"\n{problem}" if problem else ""),
          flush=True)
    for column in columns:
        Cells(bench.lab.build).record(bench.rid, column, "FAULT" if problem else "ok", problem or said)
    return problem is None


def default_cache():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cairn-wine"


def ready(bench):
    start = time.monotonic()
    try:
        bench.prepare()
    except RuntimeError as error:  # no network, most likely
        print(f"NOT RUN  {bench.rid} under Wine: {error}")
        Cells(bench.lab.build).record(bench.rid, "attach", "no", str(error))
        return False
    print(f"the room for Wine of {bench.architecture} is ready  ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def run_cases(bench, only):
    """How many passed, and how many failed."""
    chosen = [(f"{bench.rid}: {name}", *case) for name, *case in CASES]
    chosen = [case for case in chosen if not only or any(text in case[0] for text in only)]
    Cells(bench.lab.build).record(bench.rid, "fork", "no", "nothing forks on Windows; the walk is in the pause")
    if not ready(bench):
        return 0, 0
    try:
        passed = sum(run_case(bench, *case) for case in chosen)
    finally:
        bench.room.stop()
    return passed, len(chosen) - passed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=lambda path: Path(path).resolve())
    parser.add_argument("--cache", type=lambda path: Path(path).resolve(), default=default_cache())
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="cases whose names hold it")
    parser.add_argument("--rid", action="append", choices=WINES, help="only this one")
    parser.add_argument("--prepare", action="store_true", help="only what takes long: the rooms and the targets")
    options = parser.parse_args()
    benches = [Bench(options.build, options.cache, rid) for rid in options.rid or WINES]
    if options.prepare:
        return 0 if all([ready(bench) for bench in benches]) else 1
    results = [run_cases(bench, options.only) for bench in benches]
    passed, failed = map(sum, zip(*results))
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
