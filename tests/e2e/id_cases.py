"""cairn ids: what the runtime says of its IDs, also while load contexts and threads come and go."""

import json

from harness import WORKSTATION, expect, expect_equal

KINDS = {"domain", "assembly", "module", "class", "function", "thread"}


def ids_of(lab, pid, *more):
    return lab.cairn("ids", pid, "--json", *more).json["ids"]


def one(rows, kind, name):
    found = [row for row in rows if (row["kind"], row["name"]) == (kind, name)]
    expect_equal(len(found), 1, f"{kind} {name}")
    return found[0]


def lists(lab):
    with lab.start_target("events-truth", env=WORKSTATION) as target:
        target.ask("exceptions 2")
        target.ask("plugins 1")
        rows = ids_of(lab, target.pid)
        expect_equal({row["kind"] for row in rows}, KINDS, "kinds")
        for row in rows:
            expect_equal(list(row), ["kind", "id", "name", "path", "detail"], "fields of an ID")
        module = one(rows, "module", "events-truth.dll")
        expect_equal(module["path"], str(lab.targets / "events-truth" / "events-truth.dll"), "path of a module")
        expect_equal(len(module["detail"]["mvid"]), 36, "MVID")
        expect_equal(one(rows, "assembly", "events-truth")["detail"]["module"], module["id"], "module of an assembly")
        program = one(rows, "class", "EventsTruth.Program")
        method = one(rows, "function", "EventsTruth.Program.ThrowOne")
        expect_equal((method["detail"]["class"], method["detail"]["module"]), (program["id"], module["id"]), "owner of a method")
        expect(method["detail"]["il_bytes"] > 0 and method["detail"]["code_1_bytes"] > 0, f"IL and code: {method}")
        expect(target.pid in [row["detail"]["os_thread"] for row in rows if row["kind"] == "thread"], "the main thread")
        expect_equal(ids_of(lab, target.pid, method["id"]), [method], "one ID")
        expect_equal({row["kind"] for row in ids_of(lab, target.pid, "--kind", "module,domain")}, {"module", "domain"}, "--kind")
        lab.cairn_fails(3, "ids.none", "ids", target.pid, "0x1234")
        lab.cairn_fails(2, "usage.bad_value", "ids", target.pid, "0x12zz")
        text = lab.cairn("ids", target.pid, "--kind", "function").stdout
        expect("EventsTruth.Program.ThrowOne" in text, text[-300:])
        lab.capture(target.pid, "after.cairn")
        target.ask("nothing")


def beside_unloads(lab):
    with lab.start_target("churn", "threads", "contexts", env=WORKSTATION) as target:
        gone = json.loads(target.ask("stats"))
        for _ in range(4):
            expect(len(ids_of(lab, target.pid)) > 100, "IDs of a busy process")
        expect(json.loads(target.ask("stats")) != gone, "contexts and threads go on")


CASES = [
    ("ids: what there is, and by its ID", lists),
    ("ids: while contexts and threads go", beside_unloads),
]
