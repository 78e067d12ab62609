"""What log, trace and allocations have in common: a client that died is no obstacle to the next, what goes on is named,
only a trace is undone, and however the process ends or stops, it is said and the exit code is the same."""

import contextlib
import json
import os
import signal
import subprocess

from harness import WORKSTATION, expect, expect_equal, wait_until

TINY = ("--method", "TraceTruth.Shapes.Tiny")
COMMANDS = {
    "log": ("log", "--events", "exception"),
    "allocations": ("allocations", "--duration", "600s"),
    "trace": ("trace", *TINY, "--yes"),
}
SHORT = {
    "log": ("log", "--duration", "200ms"),
    "allocations": ("allocations", "--duration", "200ms"),
    "trace": ("trace", *TINY, "--yes", "--duration", "200ms"),
    "ids": ("ids", "--kind", "thread"),
}


@contextlib.contextmanager
def observing(lab, target, name, *more):
    """One of them, from when it says that it has begun."""
    command, *options = COMMANDS[name]
    process = lab.start_cairn(command, target.pid, *options, *more, "-v")
    try:
        said = process.stderr.readline()
        expect("process" in said or "tracing" in said, f"cairn {name} says {said!r}")
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def briefly(lab, target, name, **options):
    command, *more = SHORT[name]
    return lab.cairn(command, target.pid, *more, **options)


def after_a_killed_client(lab):
    """At once, and with what the first one was not: its collector leaves in a moment, which is waited for."""
    for first, second in (("log", "log"), ("log", "trace"), ("allocations", "ids"), ("allocations", "log"), ("trace", "allocations")):
        with lab.start_target("trace-truth", env=WORKSTATION) as target:
            with observing(lab, target, first) as process:
                process.kill()
                process.communicate()
                briefly(lab, target, second)


def refusals_name_what_runs(lab):
    """And what ends it; `trace --undo` ends a trace only."""
    said = {"log": ("cairn log watches", "cairn detach"), "allocations": ("cairn samples the allocations", "cairn detach"),
            "trace": ("cairn trace logs methods", "--undo")}
    for running, words in said.items():
        with lab.start_target("trace-truth", env=WORKSTATION) as target:
            with observing(lab, target, running) as process:
                command, *options = SHORT["log"]
                lab.cairn_fails(3, "attach.resident", command, target.pid, *options, says=words)
                if running != "trace":
                    lab.cairn_fails(3, "attach.resident", "capture", target.pid, "-o", "a.cairn", says=words)
                lab.cairn("trace", target.pid, "--undo")
                if running == "trace":
                    lab.finish(process)
                else:
                    expect(process.poll() is None, f"trace --undo ended cairn {running}")
            target.ask("round 1")


def of_a_stopped_target(lab):
    """Nothing comes, which is said; the end comes at its time, and once the process goes on it is left alone."""
    for name in COMMANDS:
        with lab.start_target("trace-truth", env=WORKSTATION) as target:
            with observing(lab, target, name) as process:
                target.signal(signal.SIGSTOP)
                said = process.stderr.readline()
                expect("is stopped" in said and "kill -CONT" in said, f"cairn {name} says {said!r}")
                process.send_signal(signal.SIGINT)
                outcome = lab.finish(process)
                expect_equal(outcome.code, 4, f"exit of {outcome}")
                expect("stopped" in outcome.stderr, str(outcome))
                target.signal(signal.SIGCONT)
            wait_until(lambda: briefly(lab, target, "log", code=None).code == 0, "the collector has left")
            target.ask("round 1")


def of_a_killed_target(lab):
    """What came is printed, the exit code says that it is not all, and the words who died."""
    for name in COMMANDS:
        with lab.start_target("trace-truth", env=WORKSTATION) as target:
            with observing(lab, target, name, "--json") as process:
                target.ask("round 3")
                target.kill()
                outcome = lab.finish(process)
                expect_equal(outcome.code, 4, f"exit of {outcome}")
                expect("killed or crashed" in outcome.stderr, str(outcome))
                if name != "log":
                    end = json.loads(outcome.stdout.splitlines()[-1] if name == "trace" else outcome.stdout)
                    expect_equal(end["complete"], False, f"complete of {name}")
                if name == "trace":
                    told = sum(json.loads(line)["phase"] == "enter" for line in outcome.stdout.splitlines()[:-1])
                    expect_equal(end["methods"][0]["calls"], told, "calls in the sums, of those that were told")


def what_makes_no_sense(lab):
    with lab.start_target("trace-truth", env=WORKSTATION) as target:
        for name in COMMANDS:
            command, *options = COMMANDS[name]
            options = [option for option in options if option not in ("--duration", "600s")]
            lab.cairn_fails(2, "usage.bad_value", command, target.pid, *options, "--duration", "0", says=("--duration",))
        lab.cairn_fails(2, "usage.bad_value", "capture", target.pid, "--allocations", "--duration", "0", says=("--duration",))
        for options in (("--filter", "tpye:A"), ("--filter", "type:"), ("--filter", ""), ("--buffer", "1"), ("--buffer", "2TB")):
            lab.cairn_fails(2, "usage.bad_value", "log", target.pid, *options, says=(options[0],))
        with observing(lab, target, "log", "-o", "/dev/full", "--force") as process:
            target.ask("round 3")
            outcome = lab.finish(process)
            expect_equal(outcome.code, 3, f"exit of {outcome}")
            expect("/dev/full could not be written" in outcome.stderr, str(outcome))


def command_without_diagnostics(lab):
    """--run says so while the command runs, and gives back its exit code."""
    program = lab.targets / "events-truth" / "events-truth"
    with subprocess.Popen([str(lab.cairn_path), "log", "--run", "--", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=lab.folder, env={**os.environ, "DOTNET_EnableDiagnostics": "0"}) as process:
        said = process.stderr.readline()
        expect("DOTNET_EnableDiagnostics" in said and "Nothing is logged" in said, f"it says {said!r}")
        process.communicate("quit\n", timeout=60)
        expect_equal(process.returncode, 0, "exit of the command")


CASES = [
    ("observe: after a client that was killed", after_a_killed_client),
    ("observe: refusals name what runs, and --undo ends a trace only", refusals_name_what_runs),
    ("observe: a process that is stopped", of_a_stopped_target),
    ("observe: a process that is killed", of_a_killed_target),
    ("observe: what makes no sense, and a full disk", what_makes_no_sense),
    ("observe: log --run of a command without diagnostics", command_without_diagnostics),
]
