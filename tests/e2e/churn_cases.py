"""Captures of every kind, one after the other, against a process in which nothing stays as it is."""

import itertools
import time
from pathlib import Path

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal
from round_cases import settled

KINDS = [
    ("--gc", "young", "--method", "pause"),
    ("--gc", "full", "--method", "fork"),
    ("--gc", "young", "--method", "fork"),
    ("--gc", "full", "--method", "pause"),
    ("--gc", "young", "--strings", "none"),
    ("--gc", "full"),
    # The child takes its time: contexts are unloaded while it walks.
    ("--gc", "young", "--method", "fork", "--strings", "all", "--values"),
    ("--gc", "full", "--method", "fork", "--strings", "all"),
]

MANY, MOST_MB_PER_CAPTURE = 60, 2


class Rate:
    """What the target gets done in a second, between two looks."""

    def __init__(self, target):
        self.target, self.start, self.done = target, time.monotonic(), target.stats()["requests"]

    def per_second(self):
        return (self.target.stats()["requests"] - self.done) / (time.monotonic() - self.start)


def alone(target):
    rate = Rate(target)
    time.sleep(3)
    return rate.per_second()


def resident_mb(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6


def expect_no_growth(before, after, captures):
    """Of hundreds only: the heap of a busy process alone goes up and down by a hundred megabytes."""
    if captures >= MANY:
        expect(after - before < MOST_MB_PER_CAPTURE * captures, f"{captures} captures: {before:.0f} MB → {after:.0f} MB")


def churn(env, share):
    def case(lab):
        snapshot, count = lab.folder / "churn.cairn", max(int(lab.captures * share), len(KINDS))
        with lab.start_target("churn", env=env) as target:
            without = alone(target)
            rate, baseline, codes = Rate(target), None, []
            for number, options in zip(range(count), itertools.cycle(KINDS)):
                outcome = lab.cairn("capture", target.pid, "-o", snapshot, "--force", "--json", *options, code=None)
                document = outcome.json
                expect_equal(outcome.code, 0, f"exit of {options}: {document.get('problems')} {document.get('error')}")
                codes += [problem["code"] for problem in document["problems"]]
                lab.verify(snapshot)
                if number == len(KINDS) - 1:  # each kind has been there once
                    baseline, before = settled(target.pid), resident_mb(target.pid)
            with_captures = rate.per_second()
            baseline.expect_unchanged(target.pid, count - len(KINDS))
            after = resident_mb(target.pid)
            expect_no_growth(before, after, count - len(KINDS))
            stats = target.stats()
            expect_equal(stats["wrong"], 0, "objects that are not as the target left them")
            expect(stats["contexts"] > count and stats["threads"] > count, f"nothing came and went: {stats}")
            target.expect_working()
        print(f"      {count} captures: {with_captures:.0f} requests/s, without {without:.0f}; "
              f"{before:.0f} MB, at the end {after:.0f} MB; warnings {sorted(set(codes))}")
    return case


CASES = [
    ("churn: captures of all kinds, server, adapting heap count", churn(SERVER_DATAS, 0.5)),
    ("churn: captures of all kinds, server, two fixed heaps", churn(SERVER_TWO_HEAPS, 0.25)),
    ("churn: captures of all kinds, workstation", churn(WORKSTATION, 0.25)),
]
