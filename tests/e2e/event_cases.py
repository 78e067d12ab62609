"""cairn log: every thing that a target counts is there, in order and by its name; what does not fit is counted; and
however a log ends, the target works and can be captured."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from harness import WORKSTATION, expect, expect_equal, wait_until

MISHAP = "EventsTruth.Mishap"
FIELDS = ["schema", "time", "thread", "event", "kind", "type", "name", "module", "detail"]


class Log:
    """A running `cairn log --json -v`, which says on its standard error that it has begun."""

    def __init__(self, lab, pid, events, *more):
        self.lab, self.path = lab, lab.folder / "log.json"
        command = [str(lab.cairn_path), "log", str(pid), "--events", events, "--json", "-v", *more]
        self.process = subprocess.Popen(
            command, stdout=self.path.open("w"), stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, cwd=lab.folder)
        self.first = self.process.stderr.readline()
        expect("logging process" in self.first, f"the log does not begin: {self.first}{self.rest()}")

    def rest(self):
        return self.process.stderr.read() if self.process.poll() is not None else ""

    def end(self, code=0, with_signal=signal.SIGINT):
        if with_signal:
            self.process.send_signal(with_signal)
        stderr = self.process.communicate(timeout=120)[1]
        expect_equal(self.process.returncode, code, f"exit of the log ({stderr})")
        events = [json.loads(line) for line in self.path.read_text().splitlines()]
        for event in events[:50]:
            expect_equal(list(event), FIELDS, "fields of an event")
        return events, stderr


def named(events, event, **wanted):
    return [e for e in events if e["event"] == event and all(e[key] == value for key, value in wanted.items())]


def expect_ordered(events):
    latest = {}
    for event in events:
        thread = event["thread"]["os_id"] if event["thread"] else 0
        expect(latest.get(thread, "") <= event["time"], f"out of order in its thread: {event}")
        latest[thread] = event["time"]


def expect_exceptions(events, count):
    thrown = named(events, "exception", type=MISHAP)
    expect_equal([e["detail"]["message"] for e in thrown], [f"number {i}" for i in range(count)], "exceptions in order")
    expect_equal({(e["name"], e["module"]) for e in thrown}, {("EventsTruth.Program.ThrowOne", "events-truth.dll")}, "who throws")


def expect_plugins(events, count):
    names = [f"Plugin{i}" for i in range(count)]
    failures = [(e["type"], e["name"]) for e in named(events, "exception") if e["type"] != MISHAP]
    expect_equal(failures, [(f"{name}.Failure", f"{name}.Work.Run") for name in names], "exceptions of assemblies that are gone")
    expect_equal([e["name"] for e in named(events, "assembly-load") if e["detail"]["collectible"]], names, "loaded")
    for what in ("assembly-unload", "module-unload"):
        expect_equal(sorted(e["name"] for e in named(events, what)), sorted(names), what)
    methods = Counter((e["type"], e["module"]) for e in named(events, "method-load", name="Run") if e["type"] != "EventsTruth.Plugins"
                      and e["type"] != "EventsTruth.DynamicMethods")
    expect_equal(methods, Counter((f"{name}.Work", name) for name in names), "compiled methods of plugins")


def expect_collections(events, count):
    starts, ends = named(events, "gc-start"), named(events, "gc-end")
    expect_equal([e["detail"]["generation"] for e in starts[:count]], [i % 3 for i in range(count)], "generations collected")
    expect_equal([e["detail"]["number"] for e in starts], [e["detail"]["number"] for e in ends], "collections that end")
    for kind in ("suspend", "resume"):
        expect_equal(len(named(events, f"{kind}-begin")), len(named(events, f"{kind}-end")), f"{kind} begins and ends")
    expect(len(named(events, "suspend-begin")) >= len(starts), "each collection suspends")


def expect_threads(events, count):
    counted = [f"counted-{i}" for i in range(count)]
    for what in ("thread-name", "thread-end"):
        expect_equal([e["name"] for e in named(events, what) if (e["name"] or "").startswith("counted")], counted, what)
    starts = [e for e in named(events, "thread-start") if (e["thread"]["name"] or "").startswith("counted")]
    expect_equal([e["thread"]["name"] for e in starts], counted, "threads that start")
    for start in starts:
        expect_equal(start["thread"]["os_id"], start["detail"]["os_thread"], "a thread starts on itself")
        expect(start["thread"]["managed_id"] > 0, f"its managed id: {start}")
    ends = [e for e in named(events, "thread-end") if (e["name"] or "").startswith("counted")]
    expect_equal([(e["thread"]["os_id"], e["thread"]["name"]) for e in ends],
                 [(s["thread"]["os_id"], s["thread"]["name"]) for s in starts], "threads that end, under their own ids")
    expect(not [e for e in events if (e["thread"] or {}).get("name") in ("cairn-observe", "cairn-switch")], "our own threads are no news")


def counts(lab):
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        log = Log(lab, target.pid, "all")
        for command in ("exceptions 50", "threads 10", "contend 10", "collect 6", "plugins 10", "dynamic 5"):
            target.ask(command)
        events, stderr = log.end()
        expect("lost" not in stderr, stderr)
        expect_ordered(events)
        expect_exceptions(events, 50)
        expect_threads(events, 10)
        expect_collections(events, 6)
        expect_plugins(events, 10)
        waits = Counter(e["detail"]["lock"] for e in named(events, "contention-start") if e["thread"]["name"] == "waiter")
        expect(10 in waits.values(), f"waits for each lock: {waits}")
        waiters = [e for e in named(events, "contention-stop") if e["thread"]["name"] == "waiter"]
        expect(len(waiters) >= 10 and all(e["detail"]["waited_us"] > 0 for e in waiters), f"ends of waits: {len(waiters)}")
        made = [e["name"] for e in named(events, "method-load") if e["detail"]["dynamic"] and e["name"].startswith("Made")]
        expect_equal(made, [f"Made{i}" for i in range(5)], "dynamic methods")
        loaded = Counter(e["type"] for e in named(events, "class-load"))
        expect(all(loaded[f"Plugin{i}.Work"] for i in range(10)), f"classes of plugins: {loaded}")
        lab.verify(captured_after(lab, target))


def captured_after(lab, target):
    """A collector whose client died leaves in a moment."""
    end = time.monotonic() + 60
    while (outcome := lab.cairn("capture", target.pid, "--gc", "full", "-o", "after.cairn", "--force", code=None)).code:
        expect(time.monotonic() < end, f"no capture within 60 s: {outcome}")
        time.sleep(0.05)
    expect(target.ask("nothing"), "the target works")
    return "after.cairn"


def flood(lab):
    """Nobody reads for a while: what does not fit is left out as a whole, and every one of it counted."""
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        log = Log(lab, target.pid, "exception,gc", "--buffer", "1MiB")
        log.process.send_signal(signal.SIGSTOP)
        target.ask("flood 2000")
        log.process.send_signal(signal.SIGCONT)
        target.ask("exceptions 3")
        events, stderr = log.end(code=4)
        lost = sum(e["detail"]["count"] for e in named(events, "lost", kind="exception"))
        expect(lost > 0 and f"{lost} lost" in stderr, f"what was lost is said: {lost}, {stderr}")
        expect_equal(len(named(events, "exception")) + lost, 8 * 2000 + 3, "exceptions told and lost")
        expect_ordered(named(events, "exception"))


def killed(lab):
    """The log dies as it attaches, while it is quiet, and while much comes."""
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        for state in ("attaching", "quiet", "flooded"):
            if state == "attaching":
                process = lab.start_cairn("log", target.pid, "--events", "all")
                wait_until(lambda: b"libcairn_collector" in maps(target.pid), "the collector in the target")
            else:
                process = Log(lab, target.pid, "all").process
            if state == "flooded":
                target.process.stdin.write("flood 3000\n")
                target.process.stdin.flush()
            process.kill()
            process.communicate()
            if state == "flooded":
                expect_equal(target.process.stdout.readline().strip(), "DONE\tflood\t3000", "the flood ends")
            captured_after(lab, target)
        events, _ = logged(lab, target, "exceptions 5")
        expect_exceptions(events, 5)


def maps(pid):
    with open(f"/proc/{pid}/maps", "rb") as file:
        return file.read()


def has_connected(pid):
    """To the socket that it was told to call, whether that call was taken or not: beside the one that listens, there is
    another of its name."""
    variables = Path(f"/proc/{pid}/environ").read_text().split("\0")
    name = next((v.rsplit("/", 1)[1] for v in variables if v.startswith("CAIRN_START=")), None)
    sockets = Path(f"/proc/{pid}/net/unix").read_text().splitlines()
    return name and sum(line.endswith("/" + name) for line in sockets) > 1


def logged(lab, target, command):
    log = Log(lab, target.pid, "exception")
    target.ask(command)
    return log.end()


def target_ends(lab):
    """A process that exits is told of to its end; one that is killed ends the log, which says that something may be
    missing."""
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        log = Log(lab, target.pid, "exception")
        target.process.stdin.write("exceptions 20\nquit\n")
        target.process.stdin.flush()
        events, stderr = log.end(with_signal=None)
        expect_exceptions(events, 20)
        expect("target exited" in stderr, stderr)
        expect_equal(target.process.wait(20), 0, "exit of the target")
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        log = Log(lab, target.pid, "exception")
        os.kill(target.pid, signal.SIGKILL)
        _, stderr = log.end(code=4, with_signal=None)
        expect("target exited" in stderr and "is missing" in stderr, stderr)


def filters(lab):
    """What a filter shows, what else may be done meanwhile, and cairn detach."""
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        log = Log(lab, target.pid, "exception,gc", "--filter", "type:EventsTruth.*")
        target.ask("plugins 1")
        target.ask("exceptions 2")
        lab.cairn_fails(3, "attach.resident", "capture", target.pid, "-o", "e.cairn")
        lab.cairn("detach", target.pid)
        events, stderr = log.end(with_signal=None)
        expect_equal([e["type"] for e in events], [MISHAP] * 2, "what the filter shows")
        lab.cairn_fails(2, "usage.bad_value", "log", target.pid, "--events", "gcs")
        text = lab.cairn("log", target.pid, "--events", "gc", "--duration", "300ms")
        expect("ended (duration): 0 events" in text.stderr, str(text))


def of_a_command(lab):
    """--run: the command keeps its input, output and exit code; the log goes into a file."""
    program = lab.targets / "events-truth" / "events-truth"
    process = subprocess.Popen(
        [str(lab.cairn_path), "log", "--run", "-v", "--json", "--events", "exception", "-o", "run.json", "--",
         "sh", "-c", f"{program}; exit 5"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=lab.folder)
    while "logging process" not in (line := process.stderr.readline()):
        expect(line, "the log does not begin")
    stdout, stderr = process.communicate("exceptions 4\nquit\n", timeout=60)
    expect_equal(process.returncode, 5, f"exit of the command ({stderr})")
    expect("DONE\texceptions\t4" in stdout and "schema" not in stdout, stdout)
    expect_exceptions([json.loads(line) for line in (lab.folder / "run.json").read_text().splitlines()], 4)
    refused = lab.cairn("log", "--run", "-o", "run.json", "--", "true", code=2)
    expect("exists already" in refused.stderr, str(refused))


def from_the_start(lab):
    """--run: the runtime's first module, the application's own and its Main are there; a process that is not meant, and
    one that comes later, do not wait."""
    program = lab.targets / "events-truth" / "events-truth"
    process = subprocess.Popen(
        [str(lab.cairn_path), "log", "--run", "--json", "--events", "loader,jit,exception", "-o", "start.json", "--child", program.name,
         "--", "sh", "-c", f'echo quit | {lab.targets}/trace-truth/trace-truth; {program}; echo quit | {program}; exit 5'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=lab.folder)
    stdout, stderr = process.communicate("exceptions 3\nquit\n", timeout=60)
    expect_equal(process.returncode, 5, f"exit of the command ({stderr})")
    expect_equal(stdout.count("READY"), 3, "programs that ran")
    events = [json.loads(line) for line in (lab.folder / "start.json").read_text().splitlines()]
    first = named(events, "module-load")[0]
    expect_equal((first["name"], events[0]["event"]), ("System.Private.CoreLib.dll", "assembly-load"), "what is loaded first")
    expect_equal(len(named(events, "module-load", name="events-truth.dll")), 1, "loads of the application's module")
    expect_equal([e["name"] for e in named(events, "method-load", type="EventsTruth.Program")][0], "Main", "compiled first")
    expect_exceptions(events, 3)
    expect_ordered(events)


class Waiting:
    """A log --run that was stopped before the command called it, so that the command waits with its start."""

    def __init__(self, lab):
        self.output = lab.folder / "output"
        program = lab.targets / "events-truth" / "events-truth"
        self.log = subprocess.Popen(
            [str(lab.cairn_path), "log", "--run", "-v", "--json", "--events", "exception", "-o", "late.json", "--force", "--", "sh", "-c",
             f"kill -STOP $PPID; echo $$ > pid; exec {program} > {self.output}"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=lab.folder)
        wait_until(lambda: self.has_called(lab.folder / "pid"), "the command calls", 60)
        expect_equal(self.output.read_text(), "", "what runs before the answer")

    def has_called(self, path):
        self.pid = int(path.read_text() or 0) if path.exists() else 0
        return self.pid and b"libcairn_collector" in maps(self.pid) and has_connected(self.pid)

    def runs(self):
        return "READY" in self.output.read_text()


def killed_while_it_waits(lab):
    """The command goes on at once where the log is killed."""
    waiting = Waiting(lab)
    waiting.log.kill()
    wait_until(waiting.runs, "the command goes on", 8)
    waiting.log.wait()
    lab.capture(waiting.pid, lab.folder / "k.cairn")
    waiting.log.communicate("quit\n", timeout=60)


def silent_while_it_waits(lab):
    """The command waits ten seconds for an answer; later it is attached to, and what is missing is said."""
    waiting = Waiting(lab)
    wait_until(waiting.runs, "the command goes on", 60)
    waiting.log.send_signal(signal.SIGCONT)
    said = ""
    while "logging process" not in (line := waiting.log.stderr.readline()):
        expect(line, f"the log does not begin: {said}")
        said += line
    expect("went on" in said and "missing" in said, f"it says {said!r}")
    stderr = waiting.log.communicate("exceptions 2\nquit\n", timeout=60)[1]
    expect_equal(waiting.log.returncode, 4, f"the beginning is missing ({stderr})")
    expect_exceptions([json.loads(line) for line in (lab.folder / "late.json").read_text().splitlines()], 2)


CASES = [
    ("log: everything counted, in order, by its name", counts),
    ("log: what does not fit is counted", flood),
    ("log: its command is killed", killed),
    ("log: its target ends", target_ends),
    ("log: filters, detach", filters),
    ("log: of a command", of_a_command),
    ("log: of a command, from its first moment", from_the_start),
    ("log: killed while the command waits for it", killed_while_it_waits),
    ("log: silent while the command waits for it", silent_while_it_waits),
]
