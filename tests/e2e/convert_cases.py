"""Answers that need a real heap: load contexts and who holds them, pinned objects, and what a .gcdump keeps of it all."""

import json

from harness import WORKSTATION, expect, expect_equal


def check_contexts(lab, snapshot):
    contexts = lab.cairn("contexts", snapshot, "--json").json["contexts"]
    plugins = [context for context in contexts if context["assemblies"] == ["Plugin"]]
    expect_equal(len(plugins), 1, f"contexts with the assembly Plugin among {contexts}")
    expect_equal(plugins[0]["type"], "System.Reflection.LoaderAllocator", "type of the context")
    expect(plugins[0]["objects"] >= 1, "objects of the plugin's types")
    expect_equal(plugins[0]["holders"][0]["path"], "RootsTruth.Collectible.instance → (loader allocator)", "its holder")


def check_heap(lab, snapshot):
    info = lab.cairn("info", snapshot, "--json").json
    heap = lab.cairn("heap", snapshot, "--json").json
    for key in ("objects", "bytes", "free_objects", "free_bytes"):
        expect_equal(sum(part[key] for part in heap["ranges"]), info[key], f"{key} of all ranges")
    expect_equal(sum(part["bytes"] for part in heap["gaps"]), info["free_bytes"], "bytes of all gaps")
    expect(sum(part["pinned_objects"] for part in heap["ranges"]) >= 1, "pinned objects")


def types_of(lab, snapshot):
    rows = lab.cairn("types", snapshot, "--json").json["types"]
    return {(row["type"], row["module"]): (row["objects"], row["bytes"], row["retained"]) for row in rows}


def check_gcdump(lab, snapshot):
    """Types, reachability and retained sizes of the same heap are the same after a .gcdump in between."""
    dump, again = lab.folder / "a.gcdump", lab.folder / "again.cairn"
    lab.cairn("export", snapshot, "--to", "gcdump", "-o", dump)
    lab.cairn("import", dump, "-o", again)
    lab.verify(again)
    expect_equal(types_of(lab, again), types_of(lab, snapshot), "types after a .gcdump")


def check_heapsnapshot(lab, snapshot):
    exported = lab.folder / "a.heapsnapshot"
    objects = lab.cairn("export", snapshot, "--to", "heapsnapshot", "-o", exported, "--json").json["objects"]
    file = json.loads(exported.read_text(encoding="utf-8"))
    counts = file["snapshot"]
    expect_equal(len(file["nodes"]), 5 * counts["node_count"], "numbers of nodes")
    expect_equal(len(file["edges"]), 3 * counts["edge_count"], "numbers of edges")
    expect_equal(sum(file["nodes"][4::5]), counts["edge_count"], "edges of all nodes")
    kinds = sum(kind == 9 for kind in file["nodes"][0::5])
    expect_equal(counts["node_count"] - kinds, objects, "nodes that are objects")


def one_heap_in_many_forms(lab):
    with lab.start_target("roots-truth", env=WORKSTATION) as target:
        snapshot = lab.folder / "roots.cairn"
        lab.cairn("capture", target.pid, "-o", snapshot, "--gc", "full")
    check_contexts(lab, snapshot)
    check_heap(lab, snapshot)
    check_gcdump(lab, snapshot)
    check_heapsnapshot(lab, snapshot)
    lab.cairn("waste", snapshot, "--json")


CASES = [("load contexts, pinned objects, and a .gcdump out and in", one_heap_in_many_forms)]
