"""cairn trace: every shape of method does what it did before, during and after, and each call is counted."""

import contextlib
import fnmatch
import json
import signal
import subprocess
from collections import Counter

from harness import WORKSTATION, expect, expect_equal, wait_until

OURS = ("--method", "TraceTruth.*Shapes*.*", "--method", "TraceTruth.Triple.*", "--method", "TraceTruth.Box.*")


def ask(target, order):
    return json.loads(target.ask(order))


def rounds(target, count):
    """Rounds whose results are what they were when the process started."""
    answer = ask(target, f"round {count}")
    expect_equal(answer["wrong"], 0, f"rounds that came to something else, of {count}")
    return answer


@contextlib.contextmanager
def tracing(lab, target, *options):
    """cairn trace, from when it says that it traces."""
    trace = lab.start_cairn("trace", target.pid, *options, "--yes")
    try:
        said = trace.stderr.readline()
        expect("tracing" in said, f"cairn trace says {said!r}")
        yield trace
    finally:
        if trace.poll() is None:
            trace.kill()
            trace.communicate()


def ended(lab, trace):
    trace.send_signal(signal.SIGINT)
    outcome = lab.finish(trace)
    expect_equal(outcome.code, 0, f"exit code of {outcome}")
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def expect_truth(answer, documents):
    """The sums, and the lines one by one, are what the rounds are known to have done."""
    *lines, end = documents
    expect_equal((end["lost_lines"], end["not_counted"], end["not_reverted"]), (0, 0, 0), "what is missing")
    seen = Counter((line["method"], line["phase"], line["exception"]) for line in lines)
    for truth in answer["methods"]:
        sums = [row for row in end["methods"] if fnmatch.fnmatchcase(row["method"], truth["method"])]
        for key, wanted in (("calls", truth["calls"]), ("returned", truth["calls"]), ("exceptions", truth["exceptions"])):
            expect_equal(sum(row[key] for row in sums), wanted, f"{key} of {truth['method']}")
        of = [key for key in seen if fnmatch.fnmatchcase(key[0], truth["method"])]
        enters = sum(seen[key] for key in of if key[1] == "enter")
        thrown = {key[2]: seen[key] for key in of if key[1] == "leave" and key[2]}
        expect_equal(enters, truth["calls"], f"lines that enter {truth['method']}")
        expect_equal(thrown, {truth["type"]: truth["exceptions"]} if truth["type"] else {}, f"exceptions of {truth['method']}")


def expect_outermost(documents):
    """What a method that calls itself takes is counted once: its total is that of the calls that are in no other."""
    *lines, end = documents
    depths, totals = Counter(), Counter()
    for line in lines:
        key = line["thread"]["os_id"], line["method"]
        depths[key] += 1 if line["phase"] == "enter" else -1
        if depths[key] == 0:
            totals[line["method"]] += line["duration_us"]
    for row in end["methods"]:
        seen = totals[row["method"]]
        expect(abs(seen - row["total_us"]) < 0.01 + seen / 1e6, f"total of {row['method']}: {seen} by its lines, {row['total_us']} told")


def shapes(lab):
    """Before, during, after; a trace after the trace; a capture during and after; nothing to undo."""
    with lab.start_target("trace-truth", env=WORKSTATION) as target:
        rounds(target, 3)
        listed = lab.cairn("trace", target.pid, "--method", "TraceTruth.Shapes.*", "--list", "--json").json["methods"]
        expect("TraceTruth.Shapes.Tiny" in {row["method"] for row in listed}, f"--list says {listed}")
        lab.cairn("capture", target.pid, "-o", "before.cairn")  # --list left the process as it was
        with tracing(lab, target, *OURS, "--json") as trace:
            lab.cairn("capture", target.pid, "--light", "-o", "during.cairn")
            answer = rounds(target, 30)
            documents = ended(lab, trace)
        expect_truth(answer, documents)
        expect_outermost(documents)
        lab.verify(lab.folder / "during.cairn")
        rounds(target, 3)
        with tracing(lab, target, *OURS, "--json", "--summary") as trace:
            answer = rounds(target, 30)
            documents = ended(lab, trace)
        expect_equal(len(documents), 1, "documents of --summary")
        expect_equal(sum(row["calls"] for row in documents[0]["methods"] if row["method"] == "TraceTruth.Shapes.Tiny"), 60,
                     "calls of Tiny")
        lab.cairn("trace", target.pid, "--undo")
        lab.cairn("capture", target.pid, "--light", "-o", "after.cairn")
        expect("LIMITS  start-up" in lab.cairn("doctor", target.pid).stdout, "doctor does not tell of the limit")
        lab.verify(lab.folder / "after.cairn")
        rounds(target, 3)


def refusals(lab):
    """Wrong patterns and missing consent have a sentence, and change nothing."""
    with lab.start_target("trace-truth", env=WORKSTATION) as target:
        lab.cairn_fails(2, "usage.bad_value", "trace", target.pid, "--method", "Save", says=("Type.Method",))
        lab.cairn_fails(2, "usage.needs_yes", "trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", says=("--yes",))
        lab.cairn_fails(3, "methods.none", "trace", target.pid, "--method", "No.Such.Method", "--yes")
        lab.cairn_fails(3, "methods.too_many", "trace", target.pid, "--method", "System.*.*", "--yes",
                        says=(" methods match, and a trace takes 1,000 of them at most", "Narrow the pattern"))
        listed = lab.cairn("trace", target.pid, "--method", "System.*.*", "--list", "--max-methods", 4096)
        expect_equal(listed.stdout.count("\n"), 4096, "methods that are listed")
        expect(" methods match, and a trace takes 4,096 of them at most. Narrow" in listed.stderr, str(listed))
        target.ask("unloadable")
        listed = lab.cairn("trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", "--list", "--json").json["methods"]
        expect_equal([row["not_traced"] for row in listed], [None], "Tiny, and not the one that can be unloaded")
        lab.cairn_fails(3, "methods.load_contexts", "trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", "--yes",
                        says=("never be captured", "--forgo-captures"))
        lab.cairn("capture", target.pid, "-o", "a.cairn")
        rounds(target, 3)


def toggles(lab):
    """On and off under load, by an end in good order and by a killed cairn in turn; results stay right."""
    with lab.start_target("trace-truth", env=WORKSTATION) as target:
        ask(target, "load 2")
        for number in range(4):
            with tracing(lab, target, *OURS, "--method", "System.String.Concat", "--summary", "--json") as trace:
                if number % 2 == 0:
                    end = ended(lab, trace)[-1]
                    for row in end["methods"]:
                        expect(row["returned"] <= row["calls"], f"more ends than calls: {row}")
                    expect_equal(end["not_reverted"], 0, "methods that are not put back")
            wait_until(lambda: is_free(lab, target), "the collector puts everything back")
        for number in range(6):
            end_anywhere(lab, target, lab.random.random() / 2, number % 2 == 0)
        wait_until(lambda: is_free(lab, target), "the collector puts everything back")
        answer = ask(target, "stop")
        expect(answer["rounds"] > 0, "no rounds under load")
        expect_equal(answer["wrong"], 0, "rounds under load that came to something else")
        rounds(target, 3)


def end_anywhere(lab, target, seconds, politely):
    """In whatever state it is after so long."""
    trace = lab.start_cairn("trace", target.pid, *OURS, "--yes", "--summary")
    with contextlib.suppress(subprocess.TimeoutExpired):
        trace.wait(seconds)
    trace.send_signal(signal.SIGTERM if politely else signal.SIGKILL)
    lab.finish(trace)


def is_free(lab, target):
    return lab.cairn("trace", target.pid, "--method", "TraceTruth.Shapes.Tiny", "--list", code=None).code == 0


CASES = [
    ("trace: every shape of method, before, during, after", shapes),
    ("trace: what is refused, in words", refusals),
    ("trace: on and off under load, killed every other time", toggles),
]
