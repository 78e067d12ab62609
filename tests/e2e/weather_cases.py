"""Hostile weather: memory is refused, system calls are forbidden, the disk is full, either side stops or dies, the wall clock
leaps, each at any call of the collector or of the client. Whatever comes: the target goes on, the client ends with a
snapshot or with a reason, and the next capture is whole."""

import contextlib
import ctypes
import errno
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from zlib import crc32

from crash_cases import capture_at_last, check_cut, judge
from harness import WORKSTATION, Failure, expect, expect_equal, wait_until
from method_cases import CHILD, children
from weather import ALLOCATORS, COUNT, EVERY_TIME, FAIL, MEMORY, SIGNAL, TRACE, WRITES, Weather

WAYS = [("--gc", gc, "--method", method) for gc in ("full", "young") for method in ("pause", "fork")]
COLLECTOR = "libcairn_collector"
NAME = "storm.cairn"
DAY_NS = 24 * 3600 * 10**9

# Where every place is tried, a capture in calm weather follows so many of them; else each.
TRIALS_UNTIL_PROOF = 8

# Words that say nothing of what happened.
EMPTY_WORDS = ("capture.cut", "capture.internal", "attach.failed")

# Whoever refuses these lets no process run: to close a file, to end, to know one's own thread, to block signals.
NEVER_REFUSED = ("close", "syscall", "sysconf", "pthread_attr_init", "pthread_setname_np")
NUMBERS_NEVER_REFUSED = {3: "close", 14: "rt_sigprocmask", 186: "gettid", 231: "exit_group"}


class Tally:
    """What the faults of a case came to."""

    MOST_PROBLEMS = 10

    def __init__(self, what):
        self.what, self.ends, self.missed, self.problems = what, Counter(), 0, []

    def add(self, outcome, acted=True):
        self.missed += not acted
        code = outcome.json.get("error", {}).get("code", "") if outcome.code == 3 else ""
        self.ends[f"{outcome.code} {code}".strip()] += 1

    @contextlib.contextmanager
    def judging(self, outcome, weather):
        """What fails in here is told together with the weather, and the next fault is tried all the same."""
        try:
            yield
        except Failure as failure:
            self.problems.append(f"{failure}\n  {outcome}\n  after {weather}")
            expect(len(self.problems) < self.MOST_PROBLEMS, "\n".join(self.problems))

    def after_fault(self, outcome, weather):
        """The same of a fault that has just been tried: counted, and over."""
        self.add(outcome, weather.disarm())
        return self.judging(outcome, weather)

    def say(self):
        ends = ", ".join(f"{count} x {end}" for end, count in self.ends.most_common())
        missed = f" ({self.missed} came too late)" if self.missed else ""
        print(f"      {self.what}: {sum(self.ends.values())} faults{missed}: {ends}", flush=True)
        expect(not self.problems, "\n".join(self.problems))


def chosen(lab, items, key=lambda item: item, most=None):
    """All of them, or some that are spread over the whole, at most so many. Where the case is split in parts: of this one, by
    their keys, which are the same in every part."""
    part, parts = lab.part
    items = [item for item in items if parts == 1 or crc32(repr(key(item)).encode()) % parts == part]
    count = min(len(items), lab.faults, most or lab.faults) if lab.faults else len(items)
    return [items[int((number + lab.random.random() * bool(lab.faults)) * len(items) / count)] for number in range(count)]


@contextlib.contextmanager
def target_in_weather(lab, env=WORKSTATION):
    """A target whose collector, which is loaded already, can be given any weather."""
    weather = Weather(lab, f"weather-{time.monotonic_ns()}")
    with lab.heap_truth(0.02, "mix", {**env, **weather.environment}) as target:
        lab.capture(target.pid, lab.folder / NAME, "--force")
        weather.mean(target.pid, COLLECTOR)
        yield target, weather
        if target.process.poll() is None:
            weather.disarm()
            capture_again(lab, target)


def capture(lab, pid, way, **options):
    (lab.folder / NAME).unlink(missing_ok=True)
    return lab.cairn("capture", pid, *way, "-o", NAME, "--force", "--json", "--timeout", "20s", code=None, **options)


def places(lab, weather, functions, run):
    """By chain of callers, the first call that comes by it: all the places from which `functions` are called."""
    weather.arm(functions, TRACE)
    outcome = run()
    weather.disarm()
    expect_equal(outcome.code, 0, f"exit in calm weather: {outcome}")
    found = weather.paths()
    expect(len(found) > 10, f"only {len(found)} places call {functions}")
    return found


def ways_traced(lab):
    return [lab.random.choice(WAYS)] if lab.faults else WAYS


def places_of_collector(lab, target, weather, functions):
    """(way, turn, path) for every place in one of the ways to capture, in the order of the calls."""
    return places_of_ways(lab, weather, functions, lambda way: capture(lab, target.pid, way))


def places_of_ways(lab, weather, functions, run):
    found = {}
    for way in ways_traced(lab):
        for path, turn in places(lab, weather, functions, lambda: run(way)).items():
            found.setdefault(path, (way, turn, path))
    return sorted(found.values(), key=lambda place: place[1])


def path_of(place):
    return place[2]


def no_child_is_left(target):
    wait_until(lambda: CHILD not in [name for _, name, _ in children(target.pid)], "the child ends")


def check(lab, outcome, target):
    """The capture in bad weather ended well, and the next one is whole."""
    judge(lab, outcome, NAME)
    if outcome.code == 3:
        expect(outcome.json["error"]["code"] not in EMPTY_WORDS, "no reason")
    no_child_is_left(target)
    target.expect_working()
    lab.trials += 1
    if lab.faults or lab.trials % TRIALS_UNTIL_PROOF == 0:
        capture_again(lab, target)


def capture_again(lab, target):
    capture_at_last(lab, target)
    (lab.folder / "last.cairn").unlink()


# ---- the collector ----

def memory_refused(lab):
    """Once, or from there on, at every place that asks for memory."""
    tally = Tally("memory refused")
    with target_in_weather(lab) as (target, weather):
        found = places_of_collector(lab, target, weather, MEMORY)
        faults = [(*place, times) for place in found for times in (1, EVERY_TIME)]
        for way, turn, _, times in chosen(lab, faults, path_of):
            weather.arm(MEMORY, FAIL, turn, times, errno.ENOMEM)
            outcome = capture(lab, target.pid, way)
            with tally.after_fault(outcome, weather):
                check(lab, outcome, target)
    tally.say()


def calls_refused(lab):
    """Each function of the system that the collector calls, and each number of `syscall`, always."""
    tally = Tally("calls refused")
    with target_in_weather(lab) as (target, weather):
        for way in WAYS:
            expect_equal(capture(lab, target.pid, way).code, 0, "exit in calm weather")
        asked = [(name, -1) for name, count in weather.calls().items() if count and name not in (*NEVER_REFUSED, *ALLOCATORS)]
        asked += [("syscall", number) for number in weather.numbers() if number not in NUMBERS_NEVER_REFUSED]
        expect(len(asked) > 20, f"the collector calls only {asked}")
        faults = [(*call, error, way) for call in asked for error in (errno.EPERM, errno.ENOSYS) for way in WAYS]
        for name, number, error, way in chosen(lab, faults):
            weather.arm((name,), FAIL, 1, EVERY_TIME, error, number=number)
            outcome = capture(lab, target.pid, way)
            with tally.after_fault(outcome, weather):
                check(lab, outcome, target)
    tally.say()


CALLS = ("mmap", "mremap", "madvise", "pthread_create", "socket", "connect", "send", "recv", "poll", "eventfd", "read", "write",
         "close", "open", "opendir", "waitpid", "nanosleep", "setpriority", "syscall", "shutdown", "kill")


def target_killed(lab):
    """SIGKILL at a call of the collector, in whatever state that is."""
    tally = Tally("target killed")
    with target_in_weather(lab) as (target, weather):
        moments = chosen(lab, places_of_collector(lab, target, weather, CALLS), path_of)
    for way, turn, _ in moments:
        with target_in_weather(lab) as (target, weather):
            weather.arm(CALLS, SIGNAL, turn, signal=signal.SIGKILL, pid=target.pid)
            outcome = capture(lab, target.pid, way)
            with tally.after_fault(outcome, weather):
                judge(lab, outcome, NAME)
                if weather.acted:
                    target.process.wait(20)
                if weather.acted and outcome.code == 3:
                    expect_equal(outcome.json["error"]["code"], "target.exited", "error code")
                no_child_is_left(target)
    tally.say()


def state_of(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return "gone"


def end_after_stop(lab, process, pid, weather):
    """Lets whoever stopped itself go on after a while; where the moment never comes, the capture ends. The outcome of that."""
    wait_until(lambda: process.poll() is not None or (weather.acted and state_of(pid) == "T"), "a stop", 60)
    time.sleep(0.2)
    if state_of(pid) == "T":
        os.kill(pid, signal.SIGCONT)
    return lab.finish(process, 90)


def target_stopped(lab):
    tally = Tally("target stopped")
    with target_in_weather(lab) as (target, weather):
        for way, turn, _ in chosen(lab, places_of_collector(lab, target, weather, CALLS), path_of):
            weather.arm(CALLS, SIGNAL, turn, signal=signal.SIGSTOP, pid=target.pid)
            process = lab.start_cairn("capture", target.pid, *way, "-o", NAME, "--force", "--json")
            outcome = end_after_stop(lab, process, target.pid, weather)
            with tally.after_fault(outcome, weather):
                expect_equal(outcome.code, 0, "exit")
                check(lab, outcome, target)
    tally.say()


# ---- the client ----

CLIENT_CALLS = ("read", "write", "pwrite64", "send", "recv", "poll", "connect", "socket", "accept4", "close", "open", "fsync",
                "fdatasync", "rename", "mmap", "pthread_create")


def client_weather(lab):
    """Weather for clients, and the environment they need."""
    weather = Weather(lab, "client-weather", everywhere=True)
    env = {**os.environ, **weather.environment}
    lab.cairn("--version", env=env)  # says the names of the functions
    return weather, env


def moments_of_client(lab, target, weather, env):
    """(way, turn, path) of calls of the client, whose addresses are the same in each run."""
    def run(way):
        return capture(lab, target.pid, way, env=env, preexec_fn=fix_addresses)
    return chosen(lab, places_of_ways(lab, weather, CLIENT_CALLS, run), path_of)


def fix_addresses():
    no_randomisation = 0x0040000
    ctypes.CDLL(None).personality(no_randomisation)


def client_signalled(lab, number):
    """(way, target, weather, env) of each moment: a capture with this environment sends itself the signal at a call."""
    with lab.heap_truth(0.02, "mix", WORKSTATION) as target:
        weather, env = client_weather(lab)
        for way, turn, _ in moments_of_client(lab, target, weather, env):
            weather.arm(CLIENT_CALLS, SIGNAL, turn, signal=number)
            yield way, target, weather, env


def client_killed(lab):
    tally = Tally("client killed")
    for way, target, weather, env in client_signalled(lab, signal.SIGKILL):
        (lab.folder / NAME).unlink(missing_ok=True)
        outcome = lab.cairn("capture", target.pid, *way, "-o", "cut.cairn", "--force", "--json", code=None, env=env)
        with tally.after_fault(outcome, weather):
            check_cut(lab, outcome, signal.SIGKILL)
            target.expect_working()
            capture_again(lab, target)
    tally.say()


def client_stopped(lab):
    tally = Tally("client stopped")
    for way, target, weather, env in client_signalled(lab, signal.SIGSTOP):
        process = lab.start_cairn("capture", target.pid, *way, "-o", NAME, "--force", "--json", env=env)
        outcome = end_after_stop(lab, process, process.pid, weather)
        with tally.after_fault(outcome, weather):
            expect_equal(outcome.code, 0, "exit")
            check(lab, outcome, target)
    tally.say()


DISK_ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT)


def disk_full(lab):
    """At each write of the snapshot: nothing bears its name, and nothing is left beside it."""
    tally = Tally("disk full")
    with lab.heap_truth(0.02, "mix", WORKSTATION) as target:
        weather, env = client_weather(lab)
        weather.arm(WRITES, COUNT)
        expect_equal(capture(lab, target.pid, WAYS[0], env=env).code, 0, "exit in calm weather")
        (lab.folder / NAME).unlink()
        expect(weather.matched > 20, f"only {weather.matched} writes")
        turns = range(1, weather.matched + 1)
        faults = [(turn, error, times) for turn in turns for error in DISK_ERRORS for times in (1, EVERY_TIME)]
        last_write = [(weather.matched, errno.EIO, 1)]  # of the folder, when the file has its name already
        for number, (turn, error, times) in enumerate(chosen(lab, faults) + (last_write if lab.faults else [])):
            weather.arm(WRITES, FAIL, turn, times, error)
            outcome = capture(lab, target.pid, WAYS[number % len(WAYS)], env=env)
            with tally.after_fault(outcome, weather):
                check(lab, outcome, target)
    tally.say()


# ---- both ----

def clock_leaps(lab):
    """The wall clock is a day wrong, one way and the other by turns, for the collector and for the client."""
    tally = Tally("clock leaps")
    with target_in_weather(lab) as (target, weather):
        of_client, env = client_weather(lab)
        for way in WAYS:
            for each in (weather, of_client):
                each.arm((), COUNT, clock_leap=DAY_NS)
            outcome = capture(lab, target.pid, way, env=env)
            with tally.judging(outcome, weather):
                expect_equal(outcome.code, 0, "exit")
                expect_equal(weather.clock_reads, 0, "how often the collector asked for the time of day")
                expect(of_client.clock_reads > 0, "the client never asked for the time of day")
                document = outcome.json
                spans = [*document["pause_ms"].values(), document["concurrent_gc_off_ms"], document["child_ms"], document["elapsed_ms"]]
                expect(all(0 <= span < 3600_000 for span in spans), f"hours in {spans}")
                check(lab, outcome, target)
            tally.add(outcome, of_client.disarm() == 0)
            weather.disarm()
    tally.say()


def forbidden(lab):
    """System calls that the kernel refuses to the whole target (seccomp), from before its start."""
    tally, without_runtime = Tally("forbidden"), []
    forbid = lab.tool("forbid")
    calls = subprocess.run([forbid, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for number, (call, error) in enumerate(chosen(lab, [(call, error) for call in calls for error in (errno.EPERM, errno.ENOSYS)])):
        try:
            target = lab.heap_truth(0, "mix", WORKSTATION, (str(forbid), str(error), call))
        except Failure:
            without_runtime.append(call)
            continue
        with target:
            way = WAYS[number % len(WAYS)]
            outcome = capture(lab, target.pid, way)
            tally.add(outcome)
            with tally.judging(outcome, f"{call}: {os.strerror(error)}"):
                judge(lab, outcome, NAME)
                if outcome.code == 3:
                    expect(outcome.json["error"]["code"] not in EMPTY_WORDS, "no reason")
                no_child_is_left(target)
                target.expect_working()
    tally.say()
    print(f"      no runtime starts without {' '.join(without_runtime) or '-'}", flush=True)


CASES = [
    ("weather: memory is refused to the collector", memory_refused),
    ("weather: calls are refused to the collector", calls_refused),
    ("weather: the target is killed at a call", target_killed),
    ("weather: the target is stopped at a call", target_stopped),
    ("weather: the client is killed at a call", client_killed),
    ("weather: the client is stopped at a call", client_stopped),
    ("weather: the disk is full at a write", disk_full),
    ("weather: the wall clock leaps", clock_leaps),
    ("weather: system calls are forbidden to the target", forbidden),
]
