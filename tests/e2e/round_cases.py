"""Many captures of one process leave nothing behind."""

from harness import SERVER_DATAS, WORKSTATION, Failure, Footprint, expect, wait_until


def rounds(env, share):
    def case(lab):
        with lab.heap_truth(0.05, "mix", env) as target:
            snapshot = lab.folder / "round.cairn"
            count = int(lab.rounds * share)
            for number in range(count):
                lab.capture(target.pid, snapshot, "--force")
                lab.verify(snapshot)
                if number == 0:
                    target.expect_working()
                    baseline = settled(target.pid)
            target.expect_working()
            baseline.expect_unchanged(target.pid, count - 1)
    return case


def settled(pid):
    """The runtime ends its own short-lived threads a moment later than the capture."""
    state = {"last": None, "same": 0}

    def steady():
        now = str(Footprint(pid))
        state["same"] = state["same"] + 1 if now == state["last"] else 0
        state["last"] = now
        return state["same"] >= 25

    try:
        wait_until(steady, "the footprint settles", 15)
    except Failure:
        pass  # a busy process may map and unmap all the time
    return Footprint(pid)


def footprint_is_seen(lab):
    """The endurance case looks at the right names: what a process gains and what a capture leaves is seen."""
    with lab.heap_truth(0, "idle", WORKSTATION) as target:
        before = Footprint(target.pid)
        lab.capture(target.pid, lab.folder / "a.cairn")
        after = settled(target.pid)
        expect(after.library_mappings > 0, "mappings of the collector are not seen")
        expect(before.differences(after, 1), "the library that the first capture left is no difference")
        after.threads.pop()
        expect(after.differences(Footprint(target.pid), 1), "one thread more is no difference")


CASES = [
    ("rounds: server under load", rounds(SERVER_DATAS, 1.0)),
    ("rounds: workstation under load", rounds(WORKSTATION, 0.2)),
    ("rounds: the footprint is seen", footprint_is_seen),
]
