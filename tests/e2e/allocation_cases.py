"""cairn allocations against a target that counts what it allocates; snapshots that tell where their objects were
allocated; and however it ends, the target works and can be captured."""

import json
import signal
import sqlite3
import subprocess

from harness import SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal, wait_until

PREFIX = "AllocTruth."
# Of each type. One sample in 102,400 bytes: 10,000 samples, of which 5 % are 5 deviations.
MEGABYTES = 1024
ENOUGH = 10_000_000  # bytes of a type whose figures are compared at all


class Sampling:
    """A running `cairn allocations --json -v`, which says on its standard error that it has begun."""

    def __init__(self, lab, pid, *more):
        self.process = subprocess.Popen(
            [str(lab.cairn_path), "allocations", str(pid), "--duration", "10m", "--json", "-v", *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, cwd=lab.folder)
        first = self.process.stderr.readline()
        expect("sampling process" in first, f"it does not begin: {first}")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=120)
        expect_equal(self.process.returncode, 0, f"exit of cairn allocations ({err})")
        return json.loads(out)

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=60)


def truth_of(answer):
    """Type: method, bytes."""
    rows = [line.split("\t") for line in answer if line.startswith("TRUTH-ALLOCATED")]
    return {row[1]: (row[2], int(row[4])) for row in rows}


def own_frame(stack):
    return next((frame for frame in stack["frames"] if frame.startswith(PREFIX)), None)


def expect_methods(row, method):
    for stack in row["stacks"]:
        frame = own_frame(stack)
        expect(frame is None or frame.startswith(method), f"{row['type']} is allocated by {method}, not by {frame}")
        expect(len(stack["frames"]) <= 33, f"a stack deeper than is kept: {stack}")


def lines_of(target, command):
    target.process.stdin.write(command + "\n")
    target.process.stdin.flush()
    lines = []
    while True:
        line = target.process.stdout.readline().rstrip("\n")
        expect(line != "", f"the target ended at {command}")
        if line == f"OK {command}":
            return lines
        lines.append(line)


def estimates(env):
    def case(lab):
        with lab.start_target("alloc-truth", env=env) as target:
            lines_of(target, "run 20")
            sampling = Sampling(lab, target.pid, "--max-overhead", "0")
            before = truth_of(lines_of(target, "run 0"))
            truth = truth_of(lines_of(target, f"run {MEGABYTES}"))
            document = sampling.end()
            rows = {row["type"]: row for row in document["types"]}
            for name, (method, after) in truth.items():
                allocated = after - before[name][1]
                seen = sum(stack["bytes"] for stack in rows[name]["stacks"] if own_frame(stack))
                expect_methods(rows[name], method)
                if allocated >= MEGABYTES * 900_000:
                    expect(abs(seen / allocated - 1) < 0.05, f"{name}: {seen} of {allocated} bytes")
                    expect(rows[name]["uncertainty"] < 0.025, f"{name}: uncertainty {rows[name]['uncertainty']}")
            expect_equal(document["overhead"]["dropped"], 0, "dropped samples")
            expect_equal(document["overhead"]["without_stack"], 0, "samples without a stack")
            expect("TOOK" in lines_of(target, "run 5")[-1], "the target does not go on")
    return case


def command_killed(lab):
    """The collector leaves, the target goes on, and it can be sampled and captured again."""
    with lab.start_target("alloc-truth", env=WORKSTATION) as target:
        sampling = Sampling(lab, target.pid)
        lines_of(target, "run 20")
        sampling.kill()
        lines_of(target, "run 20")
        wait_until(lambda: lab.finish(lab.start_cairn("capture", target.pid, "-o", "k.cairn", "--force")).code == 0,
                   "a capture behind the kill", 60)
        again = Sampling(lab, target.pid)
        lines_of(target, "run 20")
        document = again.end()
        expect(document["overhead"]["samples"] > 0, "nothing was sampled afterwards")


def files_written(lab):
    with lab.start_target("alloc-truth", env=WORKSTATION) as target:
        sampling = Sampling(lab, target.pid, "--by", "method", "--folded", "s.txt", "--html", "f.html")
        lines_of(target, "run 50")
        document = sampling.end()
        expect(any(row["method"] == "AllocTruth.OrderMaker.Make" for row in document["by_method"]), "methods")
        folded = (lab.folder / "s.txt").read_text().splitlines()
        expect(any("AllocTruth.OrderMaker.Make;AllocTruth.Order " in line for line in folded), "folded stacks")
        page = (lab.folder / "f.html").read_text()
        expect("<svg" in page and "<script" not in page and "AllocTruth.OrderMaker.Make" in page, "flame graph")


def methods_by_address(path):
    """Of the sampled objects of a snapshot: address → the method that allocated it."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as file:
        rows = file.execute("SELECT a.object, m.name FROM allocated a JOIN allocation_frames f ON f.id = a.stack "
                            "JOIN allocation_methods m ON m.id = f.method")
        return {address: name for address, name in rows}


def expect_own_stacks(lab, snapshot, wanted, least):
    """Each sampled object of a type comes from its method, and no other object does."""
    methods = methods_by_address(lab.folder / snapshot)
    for name, method in wanted.items():
        objects = {int(row["address"], 16) for row in lab.cairn("objects", snapshot, "--type", name, "--json").json["objects"]}
        sampled = {address for address in objects if address in methods}
        foreign = [methods[address] for address in sampled if methods[address] != method]
        expect_equal(foreign, [], f"foreign stacks of {name}")
        strangers = [address for address, by in methods.items() if by == method and address not in objects]
        expect_equal(strangers, [], f"other objects that {method} is said to have made")
        expect(len(sampled) >= least, f"{len(sampled)} of {len(objects)} objects of {name} were sampled, {least} are due")
    return methods


def followed(env):
    """Objects are sampled as they are made, and found again behind collections of every kind."""
    wanted = {"AllocTruth.Red": "AllocTruth.Kept.MakeRed", "AllocTruth.Blue": "AllocTruth.Kept.MakeBlue"}

    def case(lab):
        with lab.start_target("alloc-truth", env=env) as target:
            process = lab.start_cairn("watch", target.pid, "-o", "d", "--allocations", "--every", "1s", "--count", "4")
            wait_until(lambda: list((lab.folder / "d").glob("*.cairn")), "the first snapshot", 60)
            # 20,000 of 40 and 56 bytes: 7.8 and 10.9 samples a time.
            for _ in range(10):
                lines_of(target, "keep 20000")
                lines_of(target, "collect 20")
            outcome = lab.finish(process)
            expect_equal(outcome.code, 0, f"exit of {outcome}")
            last = sorted((lab.folder / "d").glob("*.cairn"))[-1]
            name = str(last.relative_to(lab.folder))
            methods = expect_own_stacks(lab, name, wanted, 1)
            lab.verify(name)
            red = next(address for address, method in methods.items() if method == wanted["AllocTruth.Red"])
            told = lab.cairn("object", name, hex(red), "--json").json
            expect_equal(told["allocated"]["frames"][0], wanted["AllocTruth.Red"], "cairn object: allocated at")
            expect(told["type_allocated"]["sampled"] > 0, "cairn object: of its type")
            path = lab.cairn("path", name, "--object", hex(red), "--json").json["paths"][0]["steps"][-1]
            expect_equal(path["allocated"]["frames"][0], wanted["AllocTruth.Red"], "cairn path: allocated at")
    return case


def captured(lab):
    with lab.start_target("alloc-truth", env=WORKSTATION) as target:
        process = lab.start_cairn("capture", target.pid, "--allocations", "--duration", "3s", "-o", "c.cairn")
        wait_until(lambda: "libcairn_collector" in open(f"/proc/{target.pid}/maps").read(), "the collector", 60)
        for _ in range(10):
            lines_of(target, "keep 20000")
            lines_of(target, "collect 5")
        outcome = lab.finish(process)
        expect_equal(outcome.code, 0, f"exit of {outcome}")
        expect_own_stacks(lab, "c.cairn", {"AllocTruth.Red": "AllocTruth.Kept.MakeRed",
                                           "AllocTruth.Blue": "AllocTruth.Kept.MakeBlue"}, 1)
        lab.verify("c.cairn")
        # What breaks a rule is told with where it was made.
        (lab.folder / "rules.toml").write_text('[[limit]]\ntype = "AllocTruth.Red"\nmax_objects = 1\n')
        outcome = lab.cairn("check", "c.cairn", "--rules", "rules.toml", "--json", code=1)
        told = outcome.json["violations"][0]["allocated"]
        expect_equal(told["sites"][0]["frames"][0], "AllocTruth.Kept.MakeRed", "cairn check: allocated at")
        expect_equal(sum(site["sampled"] for site in told["sites"]), told["sampled"], "cairn check: sampled objects")


CASES = [("allocations: estimates", estimates(WORKSTATION)), ("allocations: the command is killed", command_killed),
         ("allocations: files", files_written), ("allocations: captured", captured),
         ("allocations: followed, workstation", followed(WORKSTATION)),
         ("allocations: followed, server, two heaps", followed(SERVER_TWO_HEAPS))]
