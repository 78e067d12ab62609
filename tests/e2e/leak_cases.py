"""Leak tests against a web shop that leaks where it is told to and works on where not."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

from harness import Target, expect, expect_equal, wait_until

SUBSCRIBERS = "static LeakyShop.PriceFeed.Instance → PriceChanged → _invocationList → [] → _target"


@contextlib.contextmanager
def shop(lab):
    target = Target([str(lab.targets / "leaky-shop" / "leaky-shop")], {}, lab.folder, until="LISTENING")
    with target:
        target.url = target.facts("LISTENING")[0][0]
        # More orders than the shop remembers; and an event that has had subscribers.
        visit(target, "subscribe?n=5")
        for _ in range(30):
            visit(target, "order")
        wait_until(lambda: int(visit(target, "count").split()[1]) > 2_000, "the shop has taken orders")
        yield target


def visit(target, what):
    return subprocess.run(["curl", "-fsS", f"{target.url}/{what}"], capture_output=True, text=True, check=True).stdout


def temporary(lab):
    folder = lab.folder / "tmp"
    folder.mkdir(exist_ok=True)
    return folder, {**os.environ, "TMPDIR": str(folder)}


def grow_finds_the_leak(lab):
    with shop(lab) as target:
        scenario = f"curl -fsS '{target.url}/subscribe?n=3'"
        outcome = lab.cairn("grow", target.pid, "--scenario", scenario, "--iterations", 4, "--snapshots", 3, "-o", "kept",
                            "--json", code=1)
        document = outcome.json
        expect_equal(document["ok"], False, "ok")
        expect_equal(len(document["snapshots"]), 3, "snapshots")
        for path in document["snapshots"]:
            expect((lab.folder / path).exists(), f"{path} is not there")
        subscribers = [path for path in document["growing"] if path["type"] == "System.EventHandler<LeakyShop.Product>"]
        expect(subscribers, f"the subscribers' handlers are not among what grows: {document['growing']}")
        expect_equal(subscribers[0]["path"], SUBSCRIBERS.removesuffix(" → _target"), "where they pile up")
        expect_equal(subscribers[0]["per_iteration"]["objects"], 3.0, "objects per iteration")
        # Subscriber, payload of 32 prices of 16 bytes, order: more than 536 bytes each.
        expect(subscribers[0]["per_iteration"]["retained"] > 3 * 536, f"retained: {subscribers[0]}")
        text = lab.cairn("grow", target.pid, "--scenario", scenario, "--iterations", 4, "--snapshots", 3, "--type",
                         "LeakyShop.*", "-o", "again", code=1)
        expect(SUBSCRIBERS in text.stdout and "3 objects of LeakyShop.OrderSubscriber an iteration" in text.stdout,
               f"the text names no leak: {text}")


def grow_is_quiet_where_nothing_leaks(lab):
    with shop(lab) as target:
        folder, environment = temporary(lab)
        outcome = lab.cairn("grow", target.pid, "--scenario", f"curl -fsS {target.url}/order", "--iterations", 20,
                            "--snapshots", 4, "--json", env=environment)
        expect_equal((outcome.json["ok"], outcome.json["growing"]), (True, []), "verdict")
        expect_equal(list(folder.iterdir()), [], "temporary snapshots left behind")
        expect("order" in outcome.stderr, f"the scenario's output is not on stderr: {outcome}")


def grow_says_why_a_scenario_failed(lab):
    with shop(lab) as target:
        folder, environment = temporary(lab)
        lab.cairn_fails(3, "grow.scenario_failed", "grow", target.pid, "--scenario", "exit 7", says=("exit code 7", "iteration 1"),
                        env=environment)
        lab.cairn_fails(3, "grow.scenario_failed", "grow", target.pid, "--scenario",
                        "test $CAIRN_ITERATION -lt 3 -a $CAIRN_PID -gt 0", "--warm-up", 0, says=("iteration 3",), env=environment)
        expect_equal(list(folder.iterdir()), [], "temporary snapshots left behind")


def grow_ends_cleanly_on_an_interrupt(lab):
    with shop(lab) as target:
        folder, environment = temporary(lab)
        mark = lab.folder / "scenario"
        process = lab.start_cairn("grow", target.pid, "--scenario", f"echo $$ > {mark}; sleep 300; true", "--json", env=environment)
        wait_until(lambda: mark.exists() and mark.read_text().strip(), "the scenario runs")
        process.send_signal(signal.SIGINT)
        outcome = lab.finish(process, 60)
        expect_equal((outcome.code, outcome.json["error"]["code"]), (3, "cancelled"), f"{outcome}")
        shell = Path(f"/proc/{mark.read_text().strip()}")
        wait_until(lambda: not shell.exists(), "the scenario has ended")
        expect_equal(list(folder.iterdir()), [], "temporary snapshots left behind")
        expect(visit(target, "health") == "ok\n", "the shop works")


RULES = '''
[[no_growth]]
type = "LeakyShop.*"

[[held_only_by]]
holder = "event"
type = "LeakyShop.OrderSubscriber"
max_objects = 20
'''


def check_fails_for_the_leak_only(lab):
    (lab.folder / "leaks.toml").write_text(RULES)
    with shop(lab) as target:
        for name in ("first", "second"):
            lab.capture(target.pid, lab.folder / f"{name}.cairn")
        visit(target, "subscribe?n=40")
        lab.capture(target.pid, lab.folder / "third.cairn")
        visit(target, "subscribe?n=5")
        lab.capture(target.pid, lab.folder / "fourth.cairn")
    check = ("check", "--rules", "leaks.toml", "--base", "first.cairn")
    quiet = lab.cairn(*check, "second.cairn", "--json", code=None)
    expect_equal((quiet.code, quiet.json["violations"]), (0, []), "verdict while the shop only works")
    leak = lab.cairn(*check, "third.cairn", "--json", "--report", "junit=leaks.xml", code=1).json
    grown = {(violation["rule"], violation["type"], violation["path"]) for violation in leak["violations"]}
    expect_equal(grown, {("no_growth LeakyShop.*", "LeakyShop.OrderSubscriber", SUBSCRIBERS),
                         ("held_only_by event LeakyShop.OrderSubscriber", "LeakyShop.OrderSubscriber", SUBSCRIBERS)}, "leaks")
    expect('failures="2"' in (lab.folder / "leaks.xml").read_text(), "JUnit tells two failures")
    lab.cairn(*check, "third.cairn", "--write-baseline", "known.toml")
    lab.cairn(*check, "third.cairn", "--baseline", "known.toml")
    grown = lab.cairn(*check, "fourth.cairn", "--baseline", "known.toml", "--json", code=1).json["violations"]
    messages = [violation["message"] for violation in grown if violation["path"] == SUBSCRIBERS]
    expect(len(messages) == 2 and all("more than in the baseline: 45 objects" in message for message in messages),
           f"a leak of the baseline that grew: {grown}")


CASES = [
    ("leaks/grow-finds-the-leak", grow_finds_the_leak),
    ("leaks/grow-is-quiet-where-nothing-leaks", grow_is_quiet_where_nothing_leaks),
    ("leaks/grow-says-why-a-scenario-failed", grow_says_why_a_scenario_failed),
    ("leaks/grow-ends-cleanly-on-an-interrupt", grow_ends_cleanly_on_an_interrupt),
    ("leaks/check-fails-for-the-leak-only", check_fails_for_the_leak_only),
]
