"""Collectors that are loaded when a process starts, for runtimes that listen to no tool; and several processes at once."""

import os

from harness import CLSID, WORKSTATION, expect, expect_equal, wait_until

IPC_OFF = {"DOTNET_EnableDiagnostics_IPC": "0"}
UNTIL_STOPPED = 'echo begins; (while [ ! -e stop ]; do sleep 0.1; done; echo quit) | "$0" 0 idle,lasting'


def process_row(lab, pid, env):
    return next(row for row in lab.cairn("ps", "--json", env=env).json["processes"] if row["pid"] == pid)


def run_loads_at_start(lab):
    """cairn run loads the collector; it is reached over its own socket, in a folder of its own, and leaves."""
    env = {**os.environ, **IPC_OFF, **WORKSTATION, "TMPDIR": str(lab.folder)}
    command = ("--", "sh", "-c", UNTIL_STOPPED, lab.targets / "heap-truth" / "heap-truth")
    error = lab.cairn("run", "--json", "-o", "d", "--", "true", code=3, env=env).json["error"]
    expect_equal((error["code"], error["hint"]), ("attach.resident_young", "Pass --light."), "a young capture")
    run = lab.start_cairn("run", "--light", "-o", "d", "--every", "10m", *command, env=env)
    expect("READY\n" in iter(run.stdout.readline, ""), "the command did not come up")
    wait_until(lambda: list((lab.folder / "d").glob("*.cairn")) if (lab.folder / "d").exists() else [], "a snapshot", 60)
    document = lab.verify(next((lab.folder / "d").glob("*.cairn")))
    pid = document["process"]["pid"]
    control = list(lab.folder.glob("cairn-*/cairn-*-control"))
    expect_equal([oct(path.stat().st_mode & 0o777) for path in control], ["0o600"], f"the control socket {control}")
    row = process_row(lab, pid, env)
    expect(row["attachable"] and "--light" in row["reason"], f"ps: {row}")
    lab.cairn("doctor", pid, env=env)
    lab.cairn_fails(3, "attach.resident_young", "capture", pid, "-o", "y.cairn", says=("--light",), env=env)
    lab.cairn("capture", pid, "--light", "-o", "a.cairn", env=env)
    lab.cairn("capture", pid, "--gc", "full", "-o", "b.cairn", env=env)
    for name in ("a.cairn", "b.cairn"):
        lab.verify(lab.folder / name)
    types = {row["type"] for row in lab.cairn("types", "b.cairn", "--json").json["types"]}
    expect("HeapTruth.Planted.PohCell[]" in types, "the planted types are not there")
    expect_equal(lab.cairn("detach", pid, "--json", env=env).json["detached"], True, "detach")
    expect(not list(lab.folder.glob("cairn-*/cairn-*-control")), "the socket is still there")
    lab.cairn_fails(3, "target.diagnostics_off", "capture", pid, "--light", "-o", "c.cairn", env=env)
    (lab.folder / "stop").touch()
    expect_equal(lab.finish(run).code, 0, "exit code of the command")


def start_that_failed(lab):
    """The runtime says nothing of a library that it could not load; doctor does."""
    env = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": "/nowhere/libcairn_collector.so"}
    with lab.heap_truth(0, "idle", env) as target:
        probes = {probe["name"]: probe for probe in lab.cairn("doctor", target.pid, "--json", code=3).json["probes"]}
        expect_equal([name for name in probes if not probes[name]["ok"]], ["start-up"], "what is broken")
        expect("/nowhere" in probes["start-up"]["detail"], f"the file is not named: {probes['start-up']}")
        lab.capture(target.pid, lab.folder / "a.cairn")  # an attach works all the same


def three_at_once(lab):
    """Each capture has its own process, listener and lock."""
    with lab.heap_truth() as a, lab.heap_truth() as b, lab.heap_truth() as c:
        captures = [(t, lab.start_cairn("capture", t.pid, "--gc", "full", "-o", f"{t.pid}.cairn")) for t in (a, b, c)]
        for target, capture in captures:
            outcome = lab.finish(capture)
            expect_equal(outcome.code, 0, f"exit code of {outcome}")
        for target, _ in captures:
            document = lab.verify(lab.folder / f"{target.pid}.cairn")
            expect_equal(document["process"]["pid"], target.pid, "whose heap it is")
            target.expect_working()


CASES = [
    ("run loads the collector where the socket is off", run_loads_at_start),
    ("doctor explains a start that failed", start_that_failed),
    ("three processes are captured at once", three_at_once),
]
