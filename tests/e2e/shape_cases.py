"""cairn trace where everything was compiled for good at its first call: callees that have vanished into their callers, and
methods of the framework that came compiled."""

import fnmatch

from harness import WORKSTATION, expect, expect_equal
from trace_cases import ask, ended, rounds, tracing

OPTIMIZED = {**WORKSTATION, "DOTNET_TieredCompilation": "0"}
# Small enough to vanish, and what they vanish into is not traced itself.
VANISHED = ("TraceTruth.Shapes.Tiny", "TraceTruth.Shapes.Inlined", "TraceTruth.Triple.Sum", "TraceTruth.Box.Get",
            "TraceTruth.Box.Slot", "TraceTruth.Box.Swap", "TraceTruth.Shapes.Generic")


def vanished(lab):
    with lab.start_target("trace-truth", env=OPTIMIZED) as target:
        rounds(target, 50)
        patterns = [word for name in VANISHED for word in ("--method", name)]
        for _ in range(2):  # the second time they are back in their callers, or not: the same counts
            with tracing(lab, target, *patterns, "--json", "--summary") as trace:
                answer = rounds(target, 40)
                sums = ended(lab, trace)[-1]["methods"]
            counted = {truth["method"]: truth["calls"] for truth in answer["methods"]}
            for name in VANISHED:
                seen = sum(row["calls"] for row in sums if fnmatch.fnmatchcase(row["method"], name))
                expect_equal(seen, counted[name], f"calls of {name}")
            rounds(target, 10)


def of_a_hot_caller(lab):
    """A loop that has begun with the callee inside it goes on with it; the next one calls what is traced."""
    with lab.start_target("trace-truth", env=OPTIMIZED) as target:
        ask(target, "spin 100000000")
        with tracing(lab, target, "--method", "TraceTruth.Shapes.Tiny", "--json", "--summary") as trace:
            expect_equal(ask(target, "spin 100000")["sum"], 100_000, "what the loop comes to")
            row, = ended(lab, trace)[-1]["methods"]
        expect_equal((row["calls"], row["returned"]), (100_000, 100_000), "calls of Tiny")
        expect_equal(ask(target, "spin 1000")["sum"], 1000, "what the loop comes to afterwards")


def compiled_beforehand(lab):
    """Every round joins texts at least three times, for the messages of Throws."""
    with lab.start_target("trace-truth", env=WORKSTATION) as target:
        rounds(target, 3)
        with tracing(lab, target, "--method", "System.String.Concat", "--method", "System.String.IsNullOrEmpty", "--json",
                     "--summary") as trace:
            rounds(target, 20)
            sums = ended(lab, trace)[-1]["methods"]
        joined = [row for row in sums if row["method"] == "System.String.Concat"]
        expect(sum(row["calls"] for row in joined) >= 3 * 20, f"calls of Concat: {joined}")
        for row in sums:
            expect_equal(row["returned"], row["calls"], f"ends of {row['method']}")
        rounds(target, 3)


CASES = [
    ("trace: callees that have vanished into their callers", vanished),
    ("trace: a callee of a hot loop", of_a_hot_caller),
    ("trace: methods of the framework that came compiled", compiled_beforehand),
]
