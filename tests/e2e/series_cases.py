"""Several snapshots of one process: what makes one due, what ends the series, what stays on disk; and commands that
cairn starts itself."""

import json
import os
import re
import shutil
import signal

from harness import SERVER_DATAS, WORKSTATION, expect, expect_equal, leftovers, wait_until


def snapshots_in(folder):
    return [name for name in leftovers(folder) if name.endswith(".cairn")] if folder.exists() else []


def finish_series(lab, process, code=0):
    outcome = lab.finish(process)
    expect_equal(outcome.code, code, f"exit of {outcome}")
    return outcome.json


def expect_series(document, reason, snapshots, dropped=0):
    expect_equal((document["reason"], len(document["snapshots"]), document["dropped"]), (reason, snapshots, dropped),
                 "reason, snapshots, dropped")


def every(lab):
    with lab.heap_truth(0, "mix", WORKSTATION) as target:
        plain = lab.cairn("watch", target.pid, "-o", "text", "--every", "300ms", "--count", "3").stdout
        expect_equal(len(re.findall(r"text/heap-truth_\d+_\d{8}_\d{6}_000\d\.cairn", plain)), 3, f"rows of {plain!r}")
        document = lab.cairn("watch", target.pid, "-o", "new/folder", "--every", "300ms", "--count", "3", "--gc", "full",
                             "--json").json
        expect_series(document, "count", 3)
        names = [os.path.basename(s["snapshot"]) for s in document["snapshots"]]
        expect_equal(names, leftovers(lab.folder / "new/folder"), "names in order")
        for snapshot in document["snapshots"]:
            expect_equal((snapshot["complete"], snapshot["gc_actual"], snapshot["schema"]), (True, "full", 1), "a capture")
        lab.verify(document["snapshots"][2]["snapshot"])
        rows = lab.cairn("watch", target.pid, "-o", "csv", "--count", "1", "--csv").stdout.splitlines()
        expect_equal((len(rows), rows[0].split(",")[0]), (2, "number"), "lines of CSV")
        target.expect_working()


def keeps_the_last(lab):
    with lab.heap_truth(0, "idle", WORKSTATION) as target:
        (lab.folder / "d").mkdir()
        (lab.folder / "d" / "mine.cairn").write_text("mine")
        document = lab.cairn("watch", target.pid, "-o", "d", "--every", "200ms", "--count", "4", "--keep-last", "2",
                             "--json").json
        expect_series(document, "count", 2, 2)
        expect_equal(len(leftovers(lab.folder / "d")), 3, "files: two snapshots, and one of somebody else")
        expect([s["snapshot"][-10:-6] for s in document["snapshots"]] == ["0003", "0004"], f"kept {document['snapshots']}")
        bound = document["snapshots"][1]["file_bytes"] * 5 // 2  # two fit, three do not
        document = lab.cairn("watch", target.pid, "-o", "e", "--every", "200ms", "--count", "4", "--max-disk", bound,
                             "--json").json
        expect_series(document, "count", 2, 2)


def heap_grows(env):
    """Half as much again of planted objects: one snapshot, without any by time."""
    def case(lab):
        with lab.heap_truth(0.1, "idle", env) as target:
            watch = lab.start_cairn("watch", target.pid, "-o", "d", "--when-heap-grows", "20%", "--count", "2", "--json")
            wait_until(lambda: snapshots_in(lab.folder / "d"), "the first snapshot")
            target.ask("gc")
            target.ask("leak 200000")
            target.ask("gc")
            document = finish_series(lab, watch)
            expect_series(document, "count", 2)
            first, second = (s["bytes"] + s["free_bytes"] for s in document["snapshots"])
            expect(second >= first * 1.2, f"from {first} to {second} bytes")
    return case


def heap_over(lab):
    """Once when it passes, not as long as it stays above."""
    with lab.heap_truth(0, "idle", WORKSTATION) as target:
        base = lab.cairn("capture", target.pid, "-o", "base.cairn", "--gc", "full", "--json").json
        over = base["bytes"] + base["free_bytes"] + (5 << 20)
        watch = lab.start_cairn("watch", target.pid, "-o", "d", "--when-heap-over", over, "--json")
        wait_until(lambda: snapshots_in(lab.folder / "d"), "the first snapshot")
        target.ask("leak 150000")  # 72 bytes each: 10.8 MB
        target.ask("gc")
        wait_until(lambda: len(snapshots_in(lab.folder / "d")) == 2, "the snapshot when it passes")
        for _ in range(5):
            target.ask("gc")
        watch.send_signal(signal.SIGINT)
        expect_series(finish_series(lab, watch), "interrupted", 2)


def interrupted(lab):
    with lab.heap_truth(0, "mix", SERVER_DATAS) as target:
        watch = lab.start_cairn("watch", target.pid, "-o", "d", "--every", "100ms", "--json")
        wait_until(lambda: len(snapshots_in(lab.folder / "d")) >= 2, "two snapshots")
        watch.send_signal(signal.SIGINT)
        document = finish_series(lab, watch)
        expect_equal(document["reason"], "interrupted", "reason")
        files = [os.path.basename(s["snapshot"]) for s in document["snapshots"]]
        expect_equal(leftovers(lab.folder / "d"), files, "files, none of them half-written")
        lab.verify(document["snapshots"][-1]["snapshot"])
        target.expect_working()
        document = lab.cairn("watch", target.pid, "-o", "e", "--every", "10m", "--duration", "1s", "--json").json
        expect_series(document, "duration", 1)


def target_exits(lab):
    with lab.heap_truth(0, "idle") as target:
        watch = lab.start_cairn("watch", target.pid, "-o", "d", "--every", "10m", "--json")
        wait_until(lambda: snapshots_in(lab.folder / "d"), "the first snapshot")
        target.process.stdin.write("quit\n")
        target.process.stdin.flush()
        target.process.wait()
        expect_series(finish_series(lab, watch), "target exited", 1)
    lab.cairn_fails(3, "target.not_found", "watch", target.pid, "-o", "d")


def busy_is_retried(lab):
    """Another capture holds the process; the series waits for it."""
    with lab.heap_truth(0, "idle") as target:
        other = lab.start_cairn("capture", target.pid, "-o", "other.cairn", "--wait-natural", "2s", "--json")
        wait_until(lambda: any("cairn" in line for line in open(f"/proc/{target.pid}/maps")), "the other capture")
        watch = lab.start_cairn("watch", target.pid, "-o", "d", "--count", "1", "--json")
        document = finish_series(lab, watch)
        expect_series(document, "count", 1)
        expect_equal(lab.finish(other).code, 0, "exit of the other capture")


def refusals(lab):
    with lab.heap_truth(0, "idle") as target:
        lab.cairn_fails(2, "usage.bad_value", "watch", target.pid, "--when-heap-grows", "20")
        lab.cairn_fails(2, "usage.bad_value", "watch", target.pid, "--when-heap-over", "80%")
        (lab.folder / "file").write_text("mine")
        lab.cairn_fails(3, "output.no_folder", "watch", target.pid, "-o", "file")
        lab.cairn_fails(3, "target.not_found", "watch", 999999999, "-o", "d")


# ---- commands that cairn starts ----

SCRIPT = 'echo begins; ({until}; echo quit) | "$0" 0 idle; echo ends >&2; exit {code}'


def heap_truth_command(lab, seconds, code):
    return heap_truth_until(lab, f"sleep {seconds}", code)


def heap_truth_until(lab, until, code):
    return ("--", "sh", "-c", SCRIPT.format(until=until, code=code), lab.targets / "heap-truth" / "heap-truth")


def run_a_command(lab):
    """The .NET process is a grandchild; the command's output stays its own, and so does its exit code."""
    two_are_there = "while [ ! -e \"$(ls d/*_0002.cairn 2>/dev/null)\" ]; do sleep 0.1; done"
    outcome = lab.cairn("run", "-o", "d", "--every", "300ms", *heap_truth_until(lab, two_are_there, 7), code=7)
    expect(outcome.stdout.startswith("begins\nPID\t") and outcome.stdout.endswith("READY\n"), f"stdout: {outcome}")
    files = leftovers(lab.folder / "d")
    expect(len(files) >= 2, f"snapshots: {files}")
    said = outcome.stderr.splitlines()
    expect(said.count("ends") == 1 and said[-1].startswith("cairn run: ended (target exited): "), f"stderr: {outcome}")
    expect_equal([line.split(" ")[2] for line in said if " objects, " in line], [f"d/{file}" for file in files],
                 "a line on stderr for each snapshot")
    lab.verify(lab.folder / "d" / files[0])
    document = lab.cairn("run", "-o", "e", "--count", "1", "--json", *heap_truth_command(lab, 3, 0)).stdout
    document = json.loads(document[document.index('{"schema":1'):])
    expect_series(document, "count", 1)


def run_with_child(lab):
    """Two .NET processes below the command: the one that is named."""
    shutil.copytree(lab.targets / "heap-truth", lab.folder / "app")
    program, other = lab.folder / "app" / "heap-truth", lab.folder / "app" / "other"
    shutil.copy(program, other)
    script = f'(sleep 4; echo quit) | "{other}" 0 idle & (sleep 4; echo quit) | "{program}" 0 idle; wait'
    outcome = lab.cairn("run", "-o", "d", "--count", "1", "--child", "heap-truth", "--json", "--", "sh", "-c", script)
    document = json.loads(outcome.stdout[outcome.stdout.index('{"schema":1'):])
    expect_equal([s["process"]["name"] for s in document["snapshots"]], ["heap-truth"], "the process")


def run_fails(lab, exit_code, error_code, *arguments, **options):
    """The options come before the command, so that --json is not its own."""
    error = lab.cairn("run", "--json", *arguments, code=exit_code, **options).json["error"]
    expect_equal(error["code"], error_code, f"error code ({error['message']})")
    return error["message"]


def run_without_a_capture(lab):
    for command, code in ((["true"], 0), (["sh", "-c", "exit 5"], 5)):
        message = run_fails(lab, 3, "run.no_process", "-o", "d", "--", *command)
        expect(f"exit code is {code}" in message, f"the command's code is not told: {message}")
    run_fails(lab, 3, "run.not_started", "-o", "d", "--", "/nowhere/at-all")
    run_fails(lab, 2, "usage.missing_argument", "-o", "d")
    off = {**os.environ, "DOTNET_EnableDiagnostics": "0"}
    message = run_fails(lab, 3, "target.diagnostics_off", "-o", "d", *heap_truth_command(lab, 1, 0), env=off)
    expect("DOTNET_EnableDiagnostics=0" in message, f"the variable is not named: {message}")
    command = heap_truth_command(lab, 2, 0)
    outcome = lab.cairn("run", "-o", "d", "--", "env", "DOTNET_EnableDiagnostics_IPC=0", *command[1:], code=3)
    expect("DOTNET_EnableDiagnostics_IPC=0" in outcome.stderr and "READY" in outcome.stdout, f"the variable: {outcome}")


def run_passes_signals_on(lab):
    """To the command, which ends what it started; and a command that a signal kills."""
    program = lab.targets / "heap-truth" / "heap-truth"
    script = 'mkfifo in; "$0" 0 idle <in & exec 3>in; trap "echo quit >&3; wait; exit 9" TERM; while :; do sleep 0.05; done'
    run = lab.start_cairn("run", "-o", "d", "--every", "10m", "--", "sh", "-c", script, program)
    wait_until(lambda: snapshots_in(lab.folder / "d"), "the first snapshot")
    run.send_signal(signal.SIGTERM)
    expect_equal(lab.finish(run, 30).code, 9, "exit code")
    run = lab.start_cairn("run", "-o", "e", "--every", "10m", "--", "sh", "-c", f'exec "{program}" 0 idle <in')
    feeder = open(os.open(lab.folder / "in", os.O_RDWR), "wb")
    wait_until(lambda: snapshots_in(lab.folder / "e"), "the first snapshot")
    os.kill(int(open(f"/proc/{run.pid}/task/{run.pid}/children").read()), signal.SIGKILL)
    expect_equal(lab.finish(run, 30).code, 128 + 9, "exit code")
    feeder.close()


CASES = [
    ("series: by time, by count", every),
    ("series: the last few, or as many as fit", keeps_the_last),
    ("series: the heap grows, workstation", heap_grows(WORKSTATION)),
    ("series: the heap grows, server", heap_grows(SERVER_DATAS)),
    ("series: the heap passes a limit", heap_over),
    ("series: Ctrl-C, and a duration", interrupted),
    ("series: the process ends", target_exits),
    ("series: a busy process is tried again", busy_is_retried),
    ("series: refusals", refusals),
    ("run: a command, its output and exit code", run_a_command),
    ("run: a process of that name below the command", run_with_child),
    ("run: nothing to capture", run_without_a_capture),
    ("run: signals reach the command", run_passes_signals_on),
]
