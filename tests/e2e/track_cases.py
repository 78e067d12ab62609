"""watch --track: what became of the objects of one snapshot at the next, by the table in the file and by diff, against a
target that knows; and how the collector that stays comes to its end."""

import os
import signal

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, Footprint, expect, expect_equal, wait_until

PREFIX = "IdentityTruth."
COLLECTIONS = 50


def snapshots_in(folder):
    return sorted(folder.glob("*.cairn")) if folder.exists() else []


def start_watch(lab, pid, *more):
    return lab.start_cairn("watch", pid, "-o", "d", "--track", "--values", *more)


def truth_of(answer):
    """Per type: survived, dead, new."""
    words = answer.split("\t")
    expect_equal(words[0], "TRUTH", "the target's answer")
    return {name: [int(n) for n in counts.split(",")] for name, counts in (word.split("=") for word in words[1:])}


def judged(lab, before, after):
    """Per type: survived, of these wrong, dead, of these wrong, uncertain, new."""
    lines = lab.run_tool([lab.tool("snapshot_identity"), before, after, PREFIX])
    expect_equal(lines[0][:3], ["TRACKING", "follows", ""], "what the snapshot says of the one before")
    expect(int(lines[0][3]) >= COLLECTIONS, f"collections between them: {lines[0]}")
    return {line[1]: [int(n) for n in line[2:]] for line in lines[1:]}


def step_between(lab, watch, target, count):
    """The client stands still meanwhile, so that no snapshot comes in the middle; the collector's journal waits."""
    wait_until(lambda: len(snapshots_in(lab.folder / "d")) == count, f"snapshot {count}", 60)
    watch.send_signal(signal.SIGSTOP)
    truth = truth_of(target.ask(f"step {COLLECTIONS} background"))
    watch.send_signal(signal.SIGCONT)
    wait_until(lambda: len(snapshots_in(lab.folder / "d")) == count + 1, f"snapshot {count + 1}", 60)
    return truth


def expect_types(seen, truth):
    for name, (survived, dead, new) in truth.items():
        expect_equal(seen[name], [survived, 0, dead, 0, 0, new], f"{name}: survived, wrong, dead, wrong, uncertain, new")
    for name, row in seen.items():
        expect_equal((row[1], row[3]), (0, 0), f"{name}: falsely survived, falsely dead")


def expect_diff(lab, files, truth, arrays):
    rows = {row["type"]: row for row in lab.cairn("diff", *files, "--all", "--json").json["types"]}
    for name, (survived, dead, new) in truth.items():
        row = rows[name]
        expect_equal([row["survived"], row["dead"], row["new"], row["uncertain"]], [survived, dead, new, 0], f"diff: {name}")
    for name, holder in arrays.items():
        survived, dead, new = truth[holder]
        row = rows[name]
        expect_equal(row["survived"] + row["dead"] + row["uncertain"], row["objects"][0], f"diff: {name} before")
        expect_equal(row["survived"] + row["new"] + row["uncertain"], row["objects"][-1], f"diff: {name} after")
        expect(row["survived"] <= survived and row["dead"] <= dead and row["new"] <= new, f"diff: {row} of {truth[holder]}")


def identity(env):
    def case(lab):
        with lab.start_target("identity-truth", env=env) as target:
            watch = start_watch(lab, target.pid, "--every", "4s", "--count", "2")
            truth = step_between(lab, watch, target, 1)
            outcome = lab.finish(watch)
            expect_equal(outcome.code, 0, f"exit of {outcome}")
            expect("full blocking collection" in outcome.stderr, f"the price is not told: {outcome}")
            files = snapshots_in(lab.folder / "d")
            expect_types(judged(lab, *files), truth)
            expect_diff(lab, files, truth, {"IdentityTruth.LargeCell[]": "IdentityTruth.Large",
                                            "IdentityTruth.PinnedCell[]": "IdentityTruth.Pinned"})
            for file in files:
                lab.verify(file)
    return case


def gone(pid):
    return not any("cairn-" in name and name.endswith("-control") for name in os.listdir("/tmp") if f"-{pid}-" in name)


def ends_cleanly(lab):
    """Another watch is refused; cairn detach ends it; so does the client's death. Nothing is left, and captures work."""
    with lab.start_target("identity-truth", env=WORKSTATION) as target:
        lab.capture(target.pid, "first.cairn")
        before = Footprint(target.pid)
        watch = start_watch(lab, target.pid, "--every", "10m")
        wait_until(lambda: snapshots_in(lab.folder / "d"), "the first snapshot", 60)
        lab.cairn_fails(3, "watch.already_tracked", "watch", target.pid, "-o", "e", "--track", says=("cairn detach",))
        lab.cairn_fails(3, "attach.resident", "capture", target.pid, "-o", "e.cairn", says=("cairn detach",))
        lab.cairn("detach", target.pid)
        outcome = lab.finish(watch)
        expect_equal(outcome.code, 3, f"exit of {outcome}")
        expect("has left it" in outcome.stderr, f"why it ended: {outcome}")
        for wait in (False, True):
            count = len(snapshots_in(lab.folder / "d"))
            watch = start_watch(lab, target.pid, "--every", "10m")
            if wait:
                wait_until(lambda: len(snapshots_in(lab.folder / "d")) > count, "another snapshot", 60)
            else:
                wait_until(lambda: not gone(target.pid), "the collector", 60)
            watch.kill()
            watch.communicate()
            wait_until(lambda: gone(target.pid), "the collector notices that its client is dead", 60)
        wait_until(lambda: lab.cairn("capture", target.pid, "-o", "after.cairn", "--force", code=None).code == 0, "a capture", 60)
        before.expect_unchanged(target.pid, 4)
        expect_equal(len(truth_of(target.ask("step 2"))), 4, "the target works")


CASES = [
    ("track: survivors, new and dead, workstation", identity(WORKSTATION)),
    ("track: survivors, new and dead, server, adapting heap count", identity(SERVER_DATAS)),
    ("track: survivors, new and dead, server, two heaps", identity(SERVER_TWO_HEAPS)),
    ("track: how it ends", ends_cleanly),
]
