"""Either side goes in every state of a capture, as soon as the client has said that it is in it."""

import signal
import time

from crash_cases import capture_at_last, check_cut, judge
from fault_cases import end_target
from harness import SERVER_DATAS, WORKSTATION, expect, expect_equal, wait_until
from method_cases import CHILD, children

STEPS = ("attaching", "attached", "attached; waiting for the collection",
         "the application runs again; naming types and roots", "receiving")
WAYS = (("--gc", "young", "--method", "fork"), ("--gc", "full", "--method", "pause"))


def start_until(lab, target, step, way):
    """A capture that has just said `step`. One that is refused while the collector of the capture before leaves is
    asked for again."""
    for _ in range(40):
        process = lab.start_cairn("capture", target.pid, "-o", "cut.cairn", "--force", "--json", "--verbose", *way)
        seen = []
        for line in process.stderr:
            seen.append(line.rstrip("\n"))
            if seen[-1] == step:
                return process
        outcome = lab.finish(process)
        if outcome.code != 3 or seen:
            break
        time.sleep(0.25)
    expect(False, f"a capture never said {step!r}, but {seen}: {outcome}")


def no_child_is_left(target):
    wait_until(lambda: CHILD not in [name for _, name, _ in children(target.pid)], "the child ends")


def client_killed(lab):
    with lab.heap_truth(0.3, "mix", SERVER_DATAS) as target:
        for way in WAYS:
            for step in STEPS:
                process = start_until(lab, target, step, way)
                process.kill()
                check_cut(lab, lab.finish(process, 60), signal.SIGKILL)
                no_child_is_left(target)
                target.expect_working()
        capture_at_last(lab, target)


def target_ends(how):
    def case(lab):
        for number, step in enumerate(STEPS):
            with lab.start_target("churn", "objects", "threads", env=WORKSTATION) as target:
                process = start_until(lab, target, step, WAYS[number % 2])
                end_target(lab, target, how, process, "cut.cairn")
    return case


def target_stopped(lab):
    """The capture waits; what was stopped before anything could be asked of it is refused in words."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        for way in WAYS:
            for step in STEPS:
                process = start_until(lab, target, step, way)
                target.signal(signal.SIGSTOP)
                time.sleep(0.2)
                target.signal(signal.SIGCONT)
                outcome = lab.finish(process, 90)
                if outcome.code == 3:
                    expect_equal(outcome.json["error"]["code"], "target.stopped", "error code")
                    continue
                expect_equal(outcome.code, 0, f"exit in {step!r} of {way}: {outcome}")
                judge(lab, outcome, "cut.cairn")
                target.expect_working()


CASES = [
    ("states: the client is killed in each", client_killed),
    ("states: the target exits in each", target_ends("quit")),
    ("states: the target crashes in each", target_ends("crash")),
    ("states: the target is stopped in each", target_stopped),
]
