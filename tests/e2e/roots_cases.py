"""Every way to be held, by its right name: the probes that other tools fail."""

import collections
import os

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal

HELD = "RootsTruth.Held."
STATICS = {
    "RootsTruth.Plain.Instance": HELD + "ByStatic",
    "RootsTruth.Plain.Struct": "RootsTruth.Pair",  # the box that holds the struct
    "RootsTruth.Plain.Words": "System.String[]",
    "RootsTruth.Box<System.String>.Instance": HELD + "ByStaticOfGeneric",
    "RootsTruth.Registry.Only": HELD + "ByStaticWithoutInstance",
    "RootsTruth.Cache<System.Version>.Item": HELD + "ByGenericWithoutInstance",
}
THREAD_STATICS = {
    "RootsTruth.PerThread.Value": HELD + "ByThreadStatic",
    "RootsTruth.PerThread.Struct": "RootsTruth.Pair",
    "RootsTruth.Cache<System.Uri>.PerThread": HELD + "ByThreadStaticOfGeneric",
}
PARKED = ("roots-one", "roots-two")
HANDLES = {  # by kind: what is held, and how often
    "handle-strong": (HELD + "ByStrong", 1),
    "handle-pinned": (HELD + "ByPinned", 1),
    "handle-weak": (HELD + "ByWeak", 2),
}


class Roots:
    """The roots of one snapshot: (kind, name, type, thread, managed id, certain)."""

    def __init__(self, lines):
        self.all = [tuple(line[1:]) for line in lines if line[0] == "HOLDS"]
        self.dependents = collections.Counter((line[1], line[2]) for line in lines if line[0] == "DEPENDENT")

    def of(self, held):
        return [root for root in self.all if root[2] == held]

    def named(self, name):
        return [root for root in self.all if root[1] == name]


def capture_roots(lab, target, *options):
    lab.cairn("capture", target.pid, "-o", lab.folder / "roots.cairn", "--json", *options)
    lab.verify(lab.folder / "roots.cairn")
    return Roots(lab.run_tool([lab.tool("snapshot_edges"), lab.folder / "roots.cairn"]))


def check_statics(roots):
    for name, held in STATICS.items():
        expect_equal([(root[0], root[2], root[3]) for root in roots.named(name)], [("static", held, "")], name)
    arrays = [root for root in roots.named("(statics)")]
    expect(arrays and all(root[0] == "other" and root[2] == "System.Object[]" for root in arrays),
           f"the arrays that the runtime keeps statics in: {arrays}")


def check_thread_statics(roots):
    for name, held in THREAD_STATICS.items():
        found = sorted((root[0], root[2], root[3]) for root in roots.named(name))
        expect_equal(found, [("thread-static", held, thread) for thread in PARKED], name)
    expect(all(root[4] != "0" for root in roots.named("RootsTruth.PerThread.Value")), "managed ids of the threads")


def check_locals(roots, spanned):
    """`spanned`: method and certainty of what only a Span holds. A thread is right, or not named at all: one that runs
    native code at the moment of the pause may leave those next to it uncertain."""
    for held, (method, certain), threads in ((HELD + "ByLocal", ("RootsTruth.Locals.Parked", "yes"), PARKED),
                                             (HELD + "BySpan[]", spanned, ("roots-span",))):
        expect_equal({(root[0], root[1], root[5]) for root in roots.of(held)}, {("local", method, certain)},
                     f"roots of {held}")
        named = {root[3] for root in roots.of(held)} - {""}
        expect(named <= set(threads), f"threads of the roots of {held}: {named}")


def check_handles(roots):
    for kind, (held, count) in HANDLES.items():
        expect_equal([root[0] for root in roots.of(held)], [kind] * count, f"roots of {held}")
    # Of eight whose finalizers have to run the first is running.
    queue = [root for root in roots.of("RootsTruth.Slow") if root[0] == "finalizer"]
    expect_equal(len(queue), 7, "objects in the finalizer queue")
    for primary in ("ByTable", "ByDependent"):
        expect_equal(roots.dependents[HELD + primary, HELD + primary + "Value"], 1, f"dependent handle of {primary}")
        expect_equal(roots.of(HELD + primary + "Value"), [], f"roots of the value of {primary}")


def check_collectible(lab, roots):
    """The static of a collectible type is held by its loader allocator, and so by every instance."""
    for held in ("ByCollectible", "ByInstance"):
        strong = [root for root in roots.of(HELD + held) if root[0] != "handle-weak"]
        expect_equal(strong, [], f"strong roots of {held}")
    rows = {row["type"]: row for row in lab.cairn("types", lab.folder / "roots.cairn", "--json").json["types"]}
    for held in ("ByCollectible", "ByInstance", "ByTableValue", "ByDependentValue", "ByStaticOfStruct"):
        expect_equal(rows[HELD + held]["objects"], 1, f"reachable objects of {held}")
    expect_equal(rows[HELD + "ByFinalizer"]["objects"], 8, "objects that finalizers need")


def check_spread(roots):
    """What was made while there were several heaps: 6 threads with 25 handles of either kind."""
    expect_equal([root[0] for root in roots.of(HELD + "BySpreadHandle")], ["handle-strong"] * 150, "spread handles")
    expect_equal(roots.dependents[HELD + "BySpreadHandle", HELD + "BySpreadDependent"], 150, "spread dependent handles")
    expect_equal(roots.of(HELD + "BySpreadDependent"), [], "roots of the dependents")


def every_root(env, *arguments):
    def case(lab):
        with lab.start_target("roots-truth", *arguments, env=env) as target:
            seen = set()
            for options, spanned in ((("--gc", "full"), ("RootsTruth.Locals.Spanned", "yes")), ((), ("", "no"))):
                if arguments:  # on a busy machine the collector may have grown again
                    expect_equal(target.ask("shrink"), "1", "heaps of the collector")
                roots = capture_roots(lab, target, *options)
                check_statics(roots)
                check_thread_statics(roots)
                check_locals(roots, spanned)
                seen |= {root[3] for root in roots.all if root[0] == "local"}
                check_handles(roots)
                check_collectible(lab, roots)
                if arguments:
                    check_spread(roots)
                (lab.folder / "roots.cairn").unlink()
            expect(seen - {""}, "no local has a thread")
            expect_equal(target.ask("gc"), "OK gc", "the target's answer")
    return case


CASES = [
    ("every root by its name, full and young: workstation", every_root(WORKSTATION)),
    ("every root by its name, full and young: server, adapting heap count", every_root(SERVER_DATAS)),
    ("every root by its name, full and young: server, two fixed heaps", every_root(SERVER_TWO_HEAPS)),
]
if os.cpu_count() > 1:  # with one processor there is never more than one heap
    CASES.append(("every root by its name, full and young: server, shrunk to one heap", every_root(SERVER_DATAS, "shrink")))
