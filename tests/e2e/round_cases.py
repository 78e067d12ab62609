"""Many captures of one process leave nothing behind."""

from harness import SERVER_DATAS, WORKSTATION, Footprint, expect, wait_until


def rounds(env, share):
    def case(lab):
        with lab.heap_truth(0.05, "mix", env) as target:
            snapshot = lab.folder / "round.cairn"
            baseline = None
            for number in range(int(lab.rounds * share)):
                lab.capture(target.pid, snapshot, "--force")
                lab.verify(snapshot)
                if number == 0:
                    target.expect_working()
                    baseline = settled(target.pid)
            target.expect_working()
            expect_constant(target.pid, baseline)
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
    except Exception:
        pass  # a busy process may map and unmap; the comparison below has room for that
    return Footprint(pid)


# The runtime's own come and go at any time: the threads of background collections and tiered compilation, and
# what they open. What a capture left behind would be there once per capture, so 40 times at least.
RUNTIME_THREADS = 3
RUNTIME_DESCRIPTORS = 6


def expect_constant(pid, baseline):
    """Our mappings exactly; threads and descriptors but for the runtime's own; it also maps heap as it works."""
    def constant():
        now = Footprint(pid)
        return (now.threads <= baseline.threads + RUNTIME_THREADS
                and now.descriptors <= baseline.descriptors + RUNTIME_DESCRIPTORS
                and now.library_mappings == baseline.library_mappings)

    try:
        wait_until(constant, "constant", 15)
    except Exception:
        expect(False, f"after the first capture: {baseline}; at the end: {Footprint(pid)}")
    now = Footprint(pid)
    expect(now.mappings <= baseline.mappings + 60, f"mappings grow: {baseline} → {now}")
    expect(now.library_mappings > 0, "no mapping of the collector was found: the case looks at the wrong name")


def footprint_is_seen(lab):
    """The endurance case looks at the right name: one capture leaves mappings of the collector that it counts."""
    with lab.heap_truth(0, "idle", WORKSTATION) as target:
        lab.capture(target.pid, lab.folder / "a.cairn")
        expect(settled(target.pid).library_mappings > 0, "mappings of the collector are not seen")


CASES = [
    ("rounds: server under load", rounds(SERVER_DATAS, 1.0)),
    ("rounds: workstation under load", rounds(WORKSTATION, 0.2)),
    ("rounds: the footprint is seen", footprint_is_seen),
]
