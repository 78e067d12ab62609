"""What can go wrong around a capture: the target is stopped, ends or crashes, has no memory to give; two capture it."""

import contextlib
import os
import resource
import signal
import time
from pathlib import Path

from crash_cases import judge
from harness import WORKSTATION, expect, expect_equal, leftovers, wait_until
from method_cases import CHILD, catch_child, children, stopped

STOPS, ENDS = 12, 10
ROOM = 24 << 20
MEMORY_GROUPS = Path("/sys/fs/cgroup/memory")


def start(lab, target, name, *options):
    return lab.start_cairn("capture", target.pid, "-o", name, "--force", "--json", *options)


def stopped_for_a_while(lab):
    """SIGSTOP at any moment: the capture waits, and is whole when the target goes on."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        for number in range(STOPS):
            process = start(lab, target, "stopped.cairn", "--gc", ("young", "full")[number % 2])
            time.sleep(lab.random.uniform(0, 0.6))
            target.signal(signal.SIGSTOP)
            time.sleep(0.3)
            target.signal(signal.SIGCONT)
            outcome = lab.finish(process, 60)
            if outcome.code == 3:  # it was stopped before anything was asked of it
                expect_equal(outcome.json["error"]["code"], "target.stopped", "error code")
            else:
                judge(lab, outcome, "stopped.cairn")
            target.expect_working()


def stopped_for_good(lab):
    """Longer than --timeout: said in words; and the collector leaves when the target goes on."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        process = start(lab, target, "late.cairn", "--gc", "full", "--method", "pause", "--timeout", "1s")
        time.sleep(lab.random.uniform(0.02, 0.3))
        target.signal(signal.SIGSTOP)
        outcome = lab.finish(process, 60)
        judge(lab, outcome, "late.cairn")
        target.signal(signal.SIGCONT)
        target.expect_working()
        for _ in range(40):
            outcome = lab.cairn("capture", target.pid, "-o", "after.cairn", "--force", "--json", code=None)
            if outcome.code == 0:
                return lab.verify(lab.folder / "after.cairn")
            time.sleep(0.25)
        expect(False, f"no capture after the stop: {outcome}")


def end_target(lab, target, how, capture, name):
    """In the middle of `capture` into the file `name`: it comes to an end that can be judged, and so does the child."""
    target.process.stdin.write(how + "\n")
    target.process.stdin.flush()
    judge(lab, lab.finish(capture, 90), name)
    target.process.wait(60)
    expect_equal([child for child in children(target.pid) if child[1] == CHILD], [], "children")


def target_ends(how):
    def case(lab):
        for number in range(ENDS):
            with lab.start_target("churn", "objects", "threads", env=WORKSTATION) as target:
                process = start(lab, target, "ended.cairn", "--gc", ("young", "full")[number % 2])
                time.sleep(lab.random.uniform(0, 0.6))
                end_target(lab, target, how, process, "ended.cairn")
    return case


def two_at_once(lab):
    """The second is told, and the first is not disturbed."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        process, child = catch_child(lab, target, lab.folder / "first.cairn", stopped)
        try:
            lab.cairn_fails(3, "attach.in_progress", "capture", target.pid, "-o", "second.cairn")
        finally:
            os.kill(child, signal.SIGCONT)
        expect_equal(lab.finish(process).code, 0, "exit of the first")
        lab.verify(lab.folder / "first.cairn")
        expect_equal(leftovers(lab.folder), ["first.cairn"], "files")


def no_address_space(lab):
    """Memory for the walk is refused by the system: the capture says so, and the target goes on."""
    with lab.heap_truth(0.3, "idle", WORKSTATION) as target:
        lab.capture(target.pid, lab.folder / "before.cairn")  # the library is there from now on
        sizes = Path(f"/proc/{target.pid}/status").read_text().splitlines()
        size = next(int(line.split()[1]) << 10 for line in sizes if line.startswith("VmSize"))
        usual = resource.prlimit(target.pid, resource.RLIMIT_AS, (size + ROOM, resource.RLIM_INFINITY))
        error = lab.cairn("capture", target.pid, "--gc", "full", "-o", "none.cairn", "--json", code=3).json["error"]
        expect(error["code"] in ("memory.limit", "target.no_thread", "attach.out_of_memory"), f"error: {error}")
        resource.prlimit(target.pid, resource.RLIMIT_AS, usual)
        expect_equal(target.ask("gc"), "OK gc", "the answer of the target")
        lab.capture(target.pid, lab.folder / "after.cairn")
        lab.verify(lab.folder / "after.cairn")


@contextlib.contextmanager
def memory_group():
    group = MEMORY_GROUPS / f"cairn-e2e-{os.getpid()}"
    group.mkdir()
    try:
        yield group
    finally:
        wait_until(lambda: not (group / "cgroup.procs").read_text(), "the group is empty")
        group.rmdir()


def group_too_small_for_a_fork(lab):
    """Refused in words where the group would not bear the copies; a roomy one does."""
    with memory_group() as group:
        enter = ("sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh")
        with lab.heap_truth(0.3, "idle", WORKSTATION, enter) as target:
            usage = int((group / "memory.usage_in_bytes").read_text())
            (group / "memory.limit_in_bytes").write_text(str(usage + (30 << 20)))
            lab.cairn_fails(3, "fork.memory", "capture", target.pid, "--method", "fork", "-o", "none.cairn")
            (group / "memory.limit_in_bytes").write_text(str(4 << 30))
            document = lab.capture(target.pid, lab.folder / "roomy.cairn", "--method", "fork")
            expect_equal(document["method"], "fork", "method")
            lab.verify(lab.folder / "roomy.cairn")
            expect_equal(target.ask("gc"), "OK gc", "the answer of the target")


CASES = [
    ("faults: the target is stopped for a while", stopped_for_a_while),
    ("faults: the target is stopped for good", stopped_for_good),
    ("faults: the target exits", target_ends("quit")),
    ("faults: the target crashes", target_ends("crash")),
    ("faults: a second capture", two_at_once),
    ("faults: no address space", no_address_space),
]
if os.geteuid() == 0 and (MEMORY_GROUPS / "cgroup.procs").exists():  # groups of the older kind, which are ours to make
    CASES.append(("faults: a group too small for a fork", group_too_small_for_a_fork))
