"""cairn allocations --exact against a target that counts what it allocates: equal, to the object and the byte; and
however it ends, the target works."""

import json

from allocation_cases import expect_methods, lines_of, own_frame
from harness import SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal, wait_until
from started import started

FIELDS = ("complete", "estimated", "source")


def counted(lab, *more, env=None):
    return started(lab, "allocations", "--exact", "--run", *more, "--",
                   str(lab.targets / "alloc-truth" / "alloc-truth"), env=env)


def document_of(lab, name):
    document = json.loads((lab.folder / name).read_text())
    expect_equal(tuple(document[field] for field in FIELDS), (True, False, "counted"), "what it says of itself")
    expect_equal((document["overhead"]["dropped"], document["overhead"]["dropped_stacks"]), (0, 0), "what did not fit")
    return document


def expect_equal_to(document, answer):
    """Every object that the target says it made, and no other from the methods that make them."""
    rows = {row["type"]: row for row in document["types"]}
    truth = [line.split("\t") for line in answer if line.startswith("TRUTH-ALLOCATED")]
    expect_equal(len(truth), 7, "types that the target tells of")
    for _, name, method, objects, size in truth:
        own = [stack for stack in rows[name]["stacks"] if own_frame(stack)]
        told = sum(stack["objects"] for stack in own), sum(stack["bytes"] for stack in own)
        expect_equal(told, (int(objects), int(size)), f"objects and bytes of {name}")
        expect_methods(rows[name], method)
        expect(rows[name]["exact"] and rows[name]["uncertainty"] == 0, f"{name} is not called exact")
        if name.startswith("AllocTruth."):
            expect_equal((rows[name]["objects"], rows[name]["bytes"]), told, f"all of {name}")


def equal(env):
    """Seven threads at once, which end, and seven others: nothing is missing of any."""
    def case(lab):
        with counted(lab, "--json", "-o", "e.json", "--folded", "e.txt", env=env) as target:
            lines_of(target, "run 1")
            answer = lines_of(target, "run 2")
            code, errors = target.quit()
            expect_equal(code, 0, f"exit ({errors})")
            expect("every allocation is counted" in errors, f"the price is not said: {errors}")
        expect_equal_to(document_of(lab, "e.json"), answer)
        folded = (lab.folder / "e.txt").read_text()
        expect("AllocTruth.OrderMaker.Make;AllocTruth.Order " in folded, "folded stacks")
    return case


def command_killed(lab):
    """The target goes on, uncounted; its collector cannot leave, and says so."""
    with counted(lab, "-o", "k.txt", env=WORKSTATION) as target:
        lines_of(target, "run 1")
        target.process.kill()
        expect("TOOK" in lines_of(target, "run 1")[-1], "the target does not go on")
        capture = ("capture", target.pid, "--light", "-o", "k.cairn", "--force")
        wait_until(lambda: lab.finish(lab.start_cairn(*capture)).code == 0, "a capture behind the kill", 60)
        expect("TOOK" in lines_of(target, "run 1")[-1], "the target does not go on behind the capture")
        target.process.stdin.write("quit\n")
        target.process.stdin.flush()
        expect_equal(target.process.stdout.read(), "", "what it says behind the end")


def ends_at_once(lab):
    outcome = lab.cairn("allocations", "--exact", "--run", "--json", "-o", "o.json", "--",
                        str(lab.targets / "alloc-truth" / "alloc-truth"))
    expect_equal(outcome.code, 0, f"exit of {outcome}")
    document = document_of(lab, "o.json")
    expect(any(row["type"] == "System.String" and row["objects"] > 0 for row in document["types"]), "no text was made")


def exit_code_passes(lab):
    """What the command gives is given, and a command that is no .NET program is said."""
    outcome = lab.cairn("allocations", "--exact", "--run", "-o", "x.txt", "--", "sh", "-c", "exit 7", code=7)
    expect("no .NET process" in outcome.stderr, f"{outcome}")
    lab.cairn("allocations", "--exact", "--run", "-o", "y.txt", "--", "true", code=3)


def refused_with_a_process(lab):
    with lab.start_target("alloc-truth", env=WORKSTATION) as target:
        lab.cairn_fails(2, "allocations.exact", "allocations", target.pid, "--exact", says=("--run",))


CASES = [("counts: equal, workstation", equal(WORKSTATION)), ("counts: equal, server, two heaps", equal(SERVER_TWO_HEAPS)),
         ("counts: the command is killed", command_killed), ("counts: a command that ends at once", ends_at_once),
         ("counts: the command's exit code", exit_code_passes),
         ("counts: only from the start", refused_with_a_process)]
