"""The two ways of walking say the same, and a forked child never does its target harm."""

import http.client
import json
import contextlib
import os
import signal
import time
from pathlib import Path

import truth_cases
from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, Target, expect, expect_equal, leftovers, wait_until

CHILD = "cairn-child"


def children(pid):
    """Processes that the target is the parent of, as (pid, name, state)."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            head, tail = (entry / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue
        state, parent = tail.split()[:2]
        if int(parent) == pid:
            found.append((int(entry.name), head.split("(", 1)[1], state))
    return found


def settled_child(pid):
    """Its number, once it bears its name: it does when it has closed what it inherited."""
    return next((number for number, name, state in children(pid) if name == CHILD and state != "Z"), None)


def wait_for_child(lab, target, process):
    """None where the capture ended without one being seen: a child of a small heap lives for a few milliseconds."""
    while process.poll() is None:
        child = settled_child(target.pid)
        if child is not None:
            return child
    return None


def truth(env, method, *more):
    def case(lab):
        with lab.heap_truth(0.3, "types", env) as target:
            snapshot = lab.folder / "heap.cairn"
            full_before = target.stats()["gcs"][2]
            captured = lab.capture(target.pid, snapshot, "--method", method, *more)
            runtime_says = json.loads(target.ask("meminfo"))
            # The application goes on while the child sends, and may have collected everything by itself.
            only_ours = target.stats()["gcs"][2] == full_before + 1
            expect(captured["complete"] and captured["problems"] == [], f"problems: {captured['problems']}")
            expect_equal(captured["method"], method, "method")
            info = lab.verify(snapshot)
            truth_cases.check_info(info, captured, snapshot, target)
            if only_ours:
                truth_cases.check_generations(info, runtime_says)
            truth_cases.check_types(lab, snapshot, info, target)
            truth_cases.check_contents(lab, snapshot, target)
            check_costs(captured)
            target.expect_working()
            expect_equal(children(target.pid), [], "children of the target")
    return case


def check_costs(captured):
    pause, forked = captured["pause_ms"], captured["method"] == "fork"
    expect_equal(pause["fork"] > 0, forked, f"time for a fork in {pause}")
    expect_equal(captured["child_ms"] > 0, forked, f"the child's life: {captured['child_ms']} ms")
    expect_equal(captured["memory"]["copied_bytes"] > 0, forked, "copied bytes")
    expect(captured["threads"] >= 1, f"threads {captured['threads']}")
    parts = sum(pause[part] for part in ("suspend", "gc", "roots", "walk", "fork"))
    expect(parts <= pause["total"] + 1, f"the parts are more than the whole: {pause}")


def same_by_both_ways(lab):
    """Of a quiet target, type by type."""
    with lab.heap_truth(0.2, "idle", WORKSTATION) as target:
        seen = {}
        for method in ("pause", "fork", "pause"):
            snapshot = lab.folder / f"{method}.cairn"
            lab.capture(target.pid, snapshot, "--method", method, "--force")
            rows = lab.cairn("types", snapshot, "--json").json["types"]
            seen[method] = {(r["type"], r["module"]): (r["objects"] + (r["unreachable_objects"] or 0),
                                                       r["bytes"] + (r["unreachable_bytes"] or 0))
                            for r in rows if r["type"].startswith(("HeapTruth.", "Collected."))}
        expect(len(seen["pause"]) > 20, f"only {len(seen['pause'])} types")
        expect_equal(seen["fork"], seen["pause"], "types by the fork and by the walk in the pause")


def child_killed(lab):
    """At any moment of its life. What came is labelled, or nothing is left; the target goes on."""
    codes = []
    with lab.heap_truth(2, "mix", SERVER_DATAS) as target:
        life = lab.capture(target.pid, lab.folder / "before.cairn", "--method", "fork")["child_ms"] / 1000
        for number in range(lab.child_kills):
            snapshot = lab.folder / f"{number}.cairn"
            process = lab.start_cairn("capture", target.pid, "--gc", "full", "--method", "fork", "-o", snapshot, "--json")
            child = wait_for_child(lab, target, process)
            time.sleep(lab.random.uniform(0, life))
            if child is not None and settled_child(target.pid) == child:
                with contextlib.suppress(ProcessLookupError):  # it may end by itself just now
                    os.kill(child, signal.SIGKILL)
            outcome = lab.finish(process)
            codes.append(outcome.code)
            check_killed(lab, outcome, snapshot)
            target.expect_working()
            expect_equal(children(target.pid), [], "children of the target")
        lab.capture(target.pid, lab.folder / "after.cairn")
        lab.verify(lab.folder / "after.cairn")
    expect(any(code != 0 for code in codes), f"no child was killed in time, though each lives for {life} s: {codes}")


def check_killed(lab, outcome, snapshot):
    if outcome.code == 0:
        lab.verify(snapshot)
    elif outcome.code == 3:
        expect_equal(outcome.json["error"]["code"], "fork.child_died", "error code")
        expect(not snapshot.exists(), "a failed capture left a file")
    else:
        expect_equal(outcome.code, 4, f"exit of {outcome}")
        document = lab.cairn("info", snapshot, "--json", code=4).json
        problems = {p["code"] for p in document["problems"]}
        expect(not document["complete"] and "fork.child_died" in problems, f"problems: {problems}")


def client_killed(lab):
    """The child notices, and so does the collector: nothing of either is left."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        for number in range(5):
            process = lab.start_cairn("capture", target.pid, "--gc", "full", "--method", "fork", "-o", f"{number}.cairn")
            wait_for_child(lab, target, process)
            process.kill()
            lab.finish(process)
            wait_until(lambda: children(target.pid) == [], "the child ends")
            target.expect_working()
        lab.capture(target.pid, lab.folder / "after.cairn", "--method", "fork")
        lab.verify(lab.folder / "after.cairn")


def stopped(child):
    """True when it stands still: it lives as long as we look. A process that just ended takes the signal, too."""
    try:
        os.kill(child, signal.SIGSTOP)
        for _ in range(200):
            state = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0]
            if state in "TZX":
                return state == "T"
            time.sleep(0.005)
    except OSError:
        pass
    return False


def catch_child(lab, target, snapshot, wanted=lambda child: True):
    """A capture whose child was seen: a small heap's may be gone before one can look."""
    for _ in range(30):
        process = lab.start_cairn("capture", target.pid, "--gc", "full", "--method", "fork", "-o", snapshot, "--force",
                                  "--json")
        child = wait_for_child(lab, target, process)
        if child is not None and wanted(child):
            return process, child
        expect_equal(lab.finish(process).code, 0, "exit of a capture that was too quick")
    expect(False, "no child was seen in 30 captures")


def target_killed_with_child(lab):
    """The child has the whole heap: it sends it to the end where everything else had been told."""
    with lab.heap_truth(0.3, "mix", WORKSTATION) as target:
        snapshot = lab.folder / "last.cairn"
        process, child = catch_child(lab, target, snapshot)
        target.kill()
        outcome = lab.finish(process)
        expect(outcome.code in (0, 3, 4), f"exit of {outcome}")
        if outcome.code == 0:
            lab.verify(snapshot)
        expect_equal([n for n in leftovers(lab.folder) if n.endswith(".partial")], [], "partial files")
        wait_until(lambda: not Path(f"/proc/{child}").exists(), "the child ends")


def connection_closed_behind_fork(lab):
    """What the target closes is closed, though the child was forked while it was open."""
    command = [str(lab.targets / "leaky-shop" / "leaky-shop")]
    with Target(command, {}, lab.folder, until="LISTENING") as shop:
        port = int(shop.facts("LISTENING")[0][0].rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/health")
        connection.getresponse().read()
        process, child = catch_child(lab, shop, "shop.cairn", stopped)
        try:
            connection.request("GET", "/health", headers={"Connection": "close"})
            answer = connection.getresponse()
            answer.read()
            sock = answer.fp
            expect(sock is None or sock.read(1) == b"", "the peer does not see that the target closed")
            expect(settled_child(shop.pid) == child, "the child was gone before the connection was closed")
        finally:
            os.kill(child, signal.SIGCONT)
        expect_equal(lab.finish(process).code, 0, "exit of the capture")
        expect_equal(children(shop.pid), [], "children of the target")


def limit_is_kept(lab):
    with lab.heap_truth(0.3, "idle", WORKSTATION) as target:
        error = lab.cairn_fails(3, "pause.over_limit", "capture", target.pid, "--gc", "full", "--method", "fork",
                                "--max-pause", "1", "-o", "late.cairn")
        expect("--max-pause" in error["hint"], f"the option is not named: {error}")
        expect_equal(leftovers(lab.folder), [], "files")
        captured = lab.capture(target.pid, lab.folder / "a.cairn", "--max-pause", "60s")
        expect(captured["complete"], f"problems: {captured['problems']}")


CASES = [
    ("method: fork, workstation", truth(WORKSTATION, "fork")),
    ("method: fork, server, adapting heap count", truth(SERVER_DATAS, "fork")),
    ("method: fork, server, two fixed heaps", truth(SERVER_TWO_HEAPS, "fork")),
    ("method: pause, workstation", truth(WORKSTATION, "pause")),
    ("method: pause, server, two fixed heaps", truth(SERVER_TWO_HEAPS, "pause")),
    ("method: both say the same", same_by_both_ways),
    ("method: the child is killed", child_killed),
    ("method: the client is killed while the child sends", client_killed),
    ("method: the target is killed while the child sends", target_killed_with_child),
    ("method: a connection that the target closes is closed", connection_closed_behind_fork),
    ("method: --max-pause is kept", limit_is_kept),
]
