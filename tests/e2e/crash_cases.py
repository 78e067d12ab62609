"""Either side dies at any moment: the other goes on, and no half-written file bears a snapshot's name."""

import signal
import time

from harness import SERVER_DATAS, WORKSTATION, Failure, expect, expect_equal, leftovers

TARGET_KILLS = 25
CLIENT_KILLS = 60


def capture_seconds(lab, pid):
    start = time.monotonic()
    lab.capture(pid, lab.folder / "timed.cairn", "--force")
    (lab.folder / "timed.cairn").unlink()
    return time.monotonic() - start


def start_capture(lab, pid, name):
    return lab.start_cairn("capture", pid, "--gc", "full", "-o", name, "--json")


def judge(lab, outcome, name):
    """0: a whole snapshot. 4: an incomplete one that says so. 3: none, and nothing in its place."""
    path = lab.folder / name
    expect(outcome.code in (0, 3, 4), f"{outcome}")
    if outcome.code == 3:
        expect(outcome.json["error"]["message"], f"no sentence: {outcome}")
        expect_equal(leftovers(lab.folder), [], "files after exit 3")
        return
    if outcome.code == 0:
        lab.verify(path)
    else:
        info = lab.cairn("info", path, "--json", code=4).json
        expect(info["complete"] is False and info["problems"], f"incomplete, but says {info}")
    path.unlink()
    expect_equal(leftovers(lab.folder), [], "files besides the snapshot")


def target_dies(lab):
    ended = {0: 0, 3: 0, 4: 0}
    with lab.heap_truth(0.5, "mix", WORKSTATION) as target:
        span = capture_seconds(lab, target.pid)
    for _ in range(TARGET_KILLS):
        with lab.heap_truth(0.5, "mix", WORKSTATION) as target:
            capture = start_capture(lab, target.pid, "killed.cairn")
            time.sleep(lab.random.uniform(0, span))
            target.kill()
            outcome = lab.finish(capture, 90)
        judge(lab, outcome, "killed.cairn")
        ended[outcome.code] += 1
    expect(ended[3] + ended[4] > 0, f"every target died too late to matter: {ended}")


def client_dies(number, env):
    def case(lab):
        with lab.heap_truth(0.3, "mix", env) as target:
            span = capture_seconds(lab, target.pid)
            finished = 0
            for _ in range(CLIENT_KILLS):
                capture = start_capture(lab, target.pid, "cut.cairn")
                time.sleep(lab.random.uniform(0, span * 1.1))
                capture.send_signal(number)
                outcome = lab.finish(capture, 60)
                finished += check_cut(lab, outcome, number)
                target.expect_working()
            expect(finished < CLIENT_KILLS, "every capture was over before its end")
            capture_at_last(lab, target)
    return case


def check_cut(lab, outcome, number):
    path = lab.folder / "cut.cairn"
    if number == signal.SIGKILL and outcome.code == -signal.SIGKILL:
        if path.exists():  # killed between the rename and its exit
            lab.verify(path)
    elif outcome.code == -number:  # before main could ask for the signal: nothing has begun
        expect(not path.exists() and not outcome.stdout and not outcome.stderr, f"a signal was not handled: {outcome}")
    else:
        judge(lab, outcome, path.name)
    for name in leftovers(lab.folder):  # what a killed process could not remove has another name
        expect(name == "cut.cairn" or name.startswith("cut.cairn.partial"), f"left behind: {name}")
        (lab.folder / name).unlink()
    return outcome.code == 0


def capture_at_last(lab, target):
    """The collector of a client that died gives up by itself; a later capture works."""
    for attempt in range(40):
        outcome = lab.cairn("capture", target.pid, "--gc", "full", "-o", "last.cairn", "--json", "--force", code=None)
        if outcome.code == 0:
            lab.verify(lab.folder / "last.cairn")
            return target.expect_working()
        time.sleep(0.25)
    raise Failure(f"no capture works after the killed ones: {outcome}")


CASES = [
    ("target killed in mid-capture", target_dies),
    ("client killed at random moments", client_dies(signal.SIGKILL, SERVER_DATAS)),
    ("client interrupted at random moments", client_dies(signal.SIGINT, WORKSTATION)),
    ("client terminated at random moments", client_dies(signal.SIGTERM, WORKSTATION)),
]
