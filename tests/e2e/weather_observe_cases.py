"""Hostile weather for what stays in the target for a while: log, trace, allocations, ids, captures that follow allocations,
watch --track. Whatever comes: the target goes on, the client ends with all there is, with a part that says so, or with a
reason, and the next observation is whole."""

import contextlib
import errno
import json
import shutil
import signal
import time
from collections import namedtuple

from crash_cases import judge
from harness import WORKSTATION, expect, expect_equal, wait_until
from trace_cases import ask
from weather import ALLOCATORS, COUNT, EVERY_TIME, FAIL, MEMORY, SIGNAL, Weather
from weather_cases import (CLIENT_CALLS, COLLECTOR, EMPTY_WORDS, NAME, NEVER_REFUSED, NUMBERS_NEVER_REFUSED,
                           TRIALS_UNTIL_PROOF, Tally, chosen, client_weather, end_after_stop, fix_addresses,
                           no_child_is_left, places)

# `stayed`: the collector has had to stay in the target before. `is_spent`: it has to afterwards, which happens once.
Way = namedtuple("Way", "name stayed is_spent", defaults=(False, False))

SHORT = ("--duration", "200ms")
SLEEPS = ("--method", "System.Threading.Thread.Sleep", "--yes", *SHORT)
COMMANDS = {
    "log": ("log", *SHORT),
    "trace": ("trace", *SLEEPS),
    "summary": ("trace", "--summary", *SLEEPS),
    "allocations": ("allocations", *SHORT),
    "ids": ("ids", "--kind", "thread"),
    "capture": ("capture", "--allocations", *SHORT, "-o", NAME, "--force"),
    "watch": ("watch", "--track", "--every", "200ms", "--count", "2", "-o", "series"),
}
WAYS = [*(Way(name) for name in ("log", "allocations", "ids", "capture", "watch")), Way("trace", is_spent=True),
        *(Way(name, stayed=True) for name in ("log", "trace", "summary", "allocations", "ids"))]

STATES = ("mmap", "socket", "connect", "send", "recv", "poll", "eventfd", "read", "write", "open", "pthread_create", "nanosleep",
          "syscall", "shutdown", "accept4", "bind", "listen", "unlinkat")
# Of a process that ends, by the moment at which that is seen: a collector that stays calls the system at any time.
GONE = ("target.exited", "target.not_found", "target.socket_stale", "target.no_socket", "target.not_dotnet", "ipc.closed")
FAULTS_IN_PART = 2  # of each kind, where not all are tried


def observe(lab, pid, name, **options):
    command, *more = COMMANDS[name]
    return lab.cairn(command, pid, *more, "--json", code=None, **options)


def start_to_observe(lab, pid, name, **options):
    command, *more = COMMANDS[name]
    return lab.start_cairn(command, pid, *more, "--json", **options)


def ways_of(lab):
    """All, or one: what takes snapshots besides is tried as a whole only, for their weather is that of weather_cases."""
    return [lab.random.choice([way for way in WAYS if way.name not in ("capture", "watch")])] if lab.faults else WAYS


def some(lab, items, key):
    """Of one way."""
    return chosen(lab, items, key, FAULTS_IN_PART)


# ---- what became of one -----------------------------------------------------------------------------

def last_document(outcome):
    """Behind the lines of a log or a trace."""
    at = outcome.stdout.rfind('{"schema"')
    try:
        return json.loads(outcome.stdout[at:]) if at >= 0 else {}
    except ValueError:
        return {}


def code_of(outcome):
    return last_document(outcome).get("error", {}).get("code")


def judge_files(lab, outcome, name):
    if name == "capture":
        judge(lab, outcome, NAME)
    folder = lab.folder / "series"
    for file in sorted(folder.glob("*.cairn*")) if folder.exists() else []:
        expect(file.suffix == ".cairn", f"{file.name} is left behind")
        if lab.cairn("info", file, "--json", code=None).code == 0:
            lab.verify(file)
        else:
            expect(outcome.code != 0, f"{file.name} is not whole")
    shutil.rmtree(folder, ignore_errors=True)


def judge_observation(lab, outcome, name, is_mute=False):
    """0: everything. 4: a part, which says so and why. 3: a reason; where the collector can neither speak nor hear, there is
    none but that it is gone."""
    expect(outcome.code in (0, 3, 4), f"{outcome}")
    document = last_document(outcome)
    if outcome.code == 3:
        error = document.get("error", {})
        empty = () if is_mute else (*EMPTY_WORDS, "stream.closed")
        expect(error.get("message") and error["code"] not in empty, f"no reason in {document}")
    if outcome.code == 4:
        expect(outcome.stderr.strip() or document.get("problems"), "a part that does not say why")
        expect(document.get("complete", False) is False, f"a part that says it is all: {document}")
    if outcome.code == 0 and name in ("trace", "summary", "allocations"):
        expect(document.get("complete") is True, f"all, which says it is a part: {document}")
    judge_files(lab, outcome, name)


def is_whole(lab, target):
    """An observation in calm weather; one that has just been left may still go on for a moment."""
    outcome = observe(lab, target.pid, "ids")
    expect(outcome.code in (0, 3), f"{outcome}")
    return outcome.code == 0


def check(lab, outcome, target, name, is_mute=False):
    judge_observation(lab, outcome, name, is_mute)
    no_child_is_left(target)
    target.expect_working()
    lab.trials += 1
    if lab.faults or lab.trials % TRIALS_UNTIL_PROOF == 0:
        wait_until(lambda: is_whole(lab, target), "the next observation is whole")
        target.expect_working()


# ---- targets ----------------------------------------------------------------------------------------

@contextlib.contextmanager
def scene(lab, way, weathered=True):
    """A target whose collector, which is loaded already, can be given any weather."""
    weather = Weather(lab, f"weather-{time.monotonic_ns()}")
    with lab.heap_truth(0.02, "mix,lasting,orderly", {**WORKSTATION, **(weather.environment if weathered else {})}) as target:
        lab.capture(target.pid, lab.folder / NAME, "--force")
        (lab.folder / NAME).unlink()
        if weathered:
            weather.mean(target.pid, COLLECTOR)
        if way.stayed:
            first = observe(lab, target.pid, "summary")
            expect_equal(first.code, 0, f"exit of {first}")
        yield target, weather
        if target.process.poll() is None:
            weather.disarm()
            wait_until(lambda: is_whole(lab, target), "an observation in calm weather is whole")


def scenes(lab, way, faults, weathered=True):
    """(target, weather, fault) for each: the same target as long as it lives, and is as it was."""
    target = weather = None
    with contextlib.ExitStack() as stack:
        for fault in faults:
            if target is None or way.is_spent or target.process.poll() is not None:
                stack.close()
                target, weather = stack.enter_context(scene(lab, way, weathered))
            yield target, weather, fault


def moments(lab, way, functions, seen):
    """(turn, path) of every place in the collector that was in no way before."""
    with scene(lab, way) as (target, weather):
        found = places(lab, weather, functions, lambda: observe(lab, target.pid, way.name))
    return new_ones(found, seen)


def new_ones(found, seen):
    new = sorted((turn, path) for path, turn in found.items() if path not in seen)
    seen.update(found)
    return new


def of_path(moment):
    return moment[1]


# ---- the collector ----------------------------------------------------------------------------------

def memory_refused(lab):
    tally, seen = Tally("memory refused"), set()
    for way in ways_of(lab):
        faults = [(*moment, times) for moment in moments(lab, way, MEMORY, seen) for times in (1, EVERY_TIME)]
        for target, weather, (turn, _, times) in scenes(lab, way, some(lab, faults, of_path)):
            weather.arm(MEMORY, FAIL, turn, times, errno.ENOMEM)
            outcome = observe(lab, target.pid, way.name)
            with tally.after_fault(outcome, weather):
                check(lab, outcome, target, way.name)
    tally.say()


def calls_of(lab, way):
    """(function, number of `syscall`) of each that the collector calls in this observation."""
    with scene(lab, way) as (target, weather):
        weather.arm((), COUNT)
        expect_equal(observe(lab, target.pid, way.name).code, 0, "exit in calm weather")
        asked = [(name, -1) for name, count in weather.calls().items() if count and name not in (*NEVER_REFUSED, *ALLOCATORS)]
        return asked + [("syscall", number) for number in weather.numbers() if number not in NUMBERS_NEVER_REFUSED]


def calls_refused(lab):
    tally = Tally("calls refused")
    for way in ways_of(lab):
        faults = [(*call, error) for call in calls_of(lab, way) for error in (errno.EPERM, errno.ENOSYS)]
        for target, weather, (name, number, error) in scenes(lab, way, some(lab, faults, repr)):
            weather.arm((name,), FAIL, 1, EVERY_TIME, error, number=number)
            outcome = observe(lab, target.pid, way.name)
            with tally.after_fault(outcome, weather):
                check(lab, outcome, target, way.name, is_mute=name in ("send", "recv"))
    tally.say()


def target_signalled(lab, number):
    """(way, target, weather) of each moment: in the next observation, the target gets the signal at a call of its collector."""
    seen = set()
    for way in ways_of(lab):
        for target, weather, (turn, _) in scenes(lab, way, some(lab, moments(lab, way, STATES, seen), of_path)):
            weather.arm(STATES, SIGNAL, turn, signal=number, pid=target.pid)
            yield way, target, weather


def target_killed(lab):
    tally = Tally("target killed")
    for way, target, weather in target_signalled(lab, signal.SIGKILL):
        outcome = observe(lab, target.pid, way.name)
        with tally.after_fault(outcome, weather):
            judge_observation(lab, outcome, way.name)
            if weather.acted:
                target.process.wait(20)
            if weather.acted and outcome.code == 3:
                expect(code_of(outcome) in GONE, f"error code: {code_of(outcome)}")
    tally.say()


def target_exits(lab):
    """In good order, asked to at any call of the collector: nothing holds it up, nothing breaks it."""
    tally = Tally("target exits")
    for way, target, weather in target_signalled(lab, signal.SIGTERM):
        outcome = observe(lab, target.pid, way.name)
        with tally.after_fault(outcome, weather):
            judge_observation(lab, outcome, way.name)
            if weather.acted:
                expect_equal(target.process.wait(20), 128 + signal.SIGTERM, "exit of the target")
    tally.say()


def target_stopped(lab):
    tally = Tally("target stopped")
    for way, target, weather in target_signalled(lab, signal.SIGSTOP):
        outcome = end_after_stop(lab, start_to_observe(lab, target.pid, way.name), target.pid, weather)
        with tally.after_fault(outcome, weather):
            # What takes snapshots looks at the process again before each.
            expect(outcome.code == 0 or code_of(outcome) == "target.stopped", "exit")
            check(lab, outcome, target, way.name)
    tally.say()


# ---- the client -------------------------------------------------------------------------------------

def moments_of_client(lab, way, weather, env, seen):
    with scene(lab, way, weathered=False) as (target, _):
        found = places(lab, weather, CLIENT_CALLS,
                       lambda: observe(lab, target.pid, way.name, env=env, preexec_fn=fix_addresses))
    return some(lab, new_ones(found, seen), of_path)


def client_signalled(lab, number):
    """(way, target, weather, env) of each moment: an observation with this environment sends itself the signal at a call."""
    seen = set()
    weather, env = client_weather(lab)
    for way in ways_of(lab):
        for target, _, (turn, _) in scenes(lab, way, moments_of_client(lab, way, weather, env, seen), weathered=False):
            weather.arm(CLIENT_CALLS, SIGNAL, turn, signal=number)
            yield way, target, weather, env


def client_killed(lab):
    tally = Tally("client killed")
    for way, target, weather, env in client_signalled(lab, signal.SIGKILL):
        outcome = observe(lab, target.pid, way.name, env=env)
        with tally.after_fault(outcome, weather):
            expect(outcome.code in (0, -signal.SIGKILL), f"{outcome}")
            for name in (NAME, "series", *(file.name for file in lab.folder.glob("*.partial*"))):
                remove(lab.folder / name)
            target.expect_working()
            wait_until(lambda: is_whole(lab, target), "the next observation is whole")
    tally.say()


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def client_stopped(lab):
    tally = Tally("client stopped")
    for way, target, weather, env in client_signalled(lab, signal.SIGSTOP):
        process = start_to_observe(lab, target.pid, way.name, env=env)
        outcome = end_after_stop(lab, process, process.pid, weather)
        with tally.after_fault(outcome, weather):
            expect_equal(outcome.code, 0, "exit")
            check(lab, outcome, target, way.name)
    tally.say()


def sums_after_a_cut(lab):
    """A trace whose connection breaks as it ends is asked for its sums again, over a new one: they are all there."""
    weather = Weather(lab)
    with lab.start_target("trace-truth", env={**WORKSTATION, **weather.environment}) as target:
        lab.capture(target.pid, lab.folder / NAME)
        weather.mean(target.pid, COLLECTOR)
        trace = lab.start_cairn("trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", "--yes", "--summary", "--json")
        expect("tracing" in trace.stderr.readline(), "cairn trace does not begin")
        truth = {row["method"]: row for row in ask(target, "round 30")["methods"]}
        weather.arm(("send",), FAIL, 1, 1, errno.EPIPE)
        trace.send_signal(signal.SIGINT)
        outcome = lab.finish(trace)
        expect_equal(weather.disarm(), 1, "sends that failed")
        expect_equal(outcome.code, 4, f"exit of {outcome}")
        expect("broke" in outcome.stderr, f"no reason: {outcome}")
        end = outcome.json
        expect_equal((end["complete"], end["lost_lines"], end["not_reverted"]), (False, 0, 0), "what is missing")
        expect_equal(end["methods"][0]["calls"], truth["TraceTruth.Shapes.Tiny"]["calls"], "calls of Tiny")
        expect_equal(ask(target, "round 3")["wrong"], 0, "rounds that came to something else")


CASES = [
    ("weather: memory is refused to an observation", memory_refused),
    ("weather: calls are refused to an observation", calls_refused),
    ("weather: the target of an observation is killed at a call", target_killed),
    ("weather: the target of an observation exits at a call", target_exits),
    ("weather: the target of an observation is stopped at a call", target_stopped),
    ("weather: the client of an observation is killed at a call", client_killed),
    ("weather: the client of an observation is stopped at a call", client_stopped),
    ("weather: a trace that is cut off has its sums", sums_after_a_cut),
]
