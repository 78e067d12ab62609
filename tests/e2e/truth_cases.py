"""The snapshot says exactly what the target planted, what the runtime says, and what an independent reader finds."""

import collections
import json

from harness import SERVER_DATAS, SERVER_TWO_HEAPS, WORKSTATION, expect, expect_equal

# ClrMD writes an array of rank 1 with bounds as a generic type.
CLRMD_NAMES = {"HeapTruth.Planted.Slot<*>": "HeapTruth.Planted.Slot[*]"}


def check_capture(lab, target):
    """One capture of a running target and everything that can be said about it."""
    snapshot = lab.folder / "heap.cairn"
    captured, runtime_says = capture_alone(lab, target, snapshot)
    expect(captured["complete"] and captured["problems"] == [], f"problems: {captured['problems']}")
    info = lab.verify(snapshot)
    check_info(info, captured, snapshot, target)
    check_generations(info, runtime_says)
    check_types(lab, snapshot, info, target)
    check_contents(lab, snapshot, target)
    check_retained(lab, snapshot, target)
    target.expect_working()


def capture_alone(lab, target, snapshot):
    """A capture, and what the runtime says of its collection. A collector that adapts may make a full one of its own
    right after it, and then tells of that."""
    for _ in range(10):
        before = target.stats()["gcs"][2]
        captured = lab.capture(target.pid, snapshot, "--force")
        runtime_says = json.loads(target.ask("meminfo"))
        if target.stats()["gcs"][2] == before + 1:
            return captured, runtime_says
    expect(False, "after each of ten captures the runtime collected everything once more")


def check_info(info, captured, snapshot, target):
    for field in ("objects", "bytes", "free_objects", "free_bytes", "edges", "types", "roots_count"):
        expect_equal(info[field], captured[field], f"{field} of info and of capture")
    expect_equal(info["file_bytes"], snapshot.stat().st_size, "file_bytes")
    expect_equal(info["process"]["pid"], target.pid, "pid")
    expect_equal(info["process"]["architecture"], "x64", "architecture")
    server = target.facts("CONFIG")[0] == ["serverGC", "True"]
    expect_equal(info["process"]["gc_mode"], "server" if server else "workstation", "gc_mode")
    expect_equal((info["gc_requested"], info["gc_actual"], info["roots"]), ("full", "full", "full"), "collection")
    expect_equal(info["reconciled"]["difference_bytes"], 0, "difference to the runtime's own figure")


def check_generations(info, runtime_says):
    """Objects and free space of each generation against GC.GetGCMemoryInfo of the same collection."""
    ours = {g["name"]: g for g in info["generations"]}
    for theirs in runtime_says["generations"]:
        g = ours.get(theirs["name"], {"bytes": 0, "free_bytes": 0})
        expect_equal(g["bytes"] + g["free_bytes"], theirs["sizeAfterBytes"], f"bytes of {theirs['name']}")
    for field, total in (("objects", "objects"), ("bytes", "bytes"), ("free_bytes", "free_bytes")):
        expect_equal(sum(g[field] for g in info["generations"]), info[total], f"sum of {field} over the generations")


def check_types(lab, snapshot, info, target):
    rows = lab.cairn("types", snapshot, "--json").json["types"]
    objects, size = collections.Counter(), collections.Counter()
    for row in rows:
        objects[row["type"]] += row["objects"] + (row["unreachable_objects"] or 0)
        size[row["type"]] += row["bytes"] + (row["unreachable_bytes"] or 0)
    expect_equal(sum(objects.values()), info["objects"], "objects of all types")
    expect_equal(sum(size.values()), info["bytes"], "bytes of all types")
    wrong = [f"{t}: planted {n} objects, {b} bytes; found {objects[t]}, {size[t]}"
             for t, n, b in target.facts("TRUTH-COUNT") if (objects[t], size[t]) != (int(n), int(b))]
    expect(not wrong, f"{len(wrong)} planted types are wrong:\n  " + "\n  ".join(wrong))
    for prefix, types, each in target.facts("TRUTH-MANY"):
        many = {t: (objects[t], size[t]) for t in objects if t.startswith(prefix)}
        expect_equal(len(many), int(types), f"types {prefix}*")
        expect_equal(set(many.values()), {(1, int(each))}, f"objects and bytes of each type {prefix}*")


def check_contents(lab, snapshot, target):
    lines = lab.run_tool([lab.tool("snapshot_edges"), snapshot])
    edges = {line[1]: int(line[4]) for line in lines if line[0] == "TYPE"}
    wrong = [f"{t}: planted {n}, found {edges.get(t)}" for t, n in target.facts("TRUTH-REFERENCES")
             if edges.get(t) != int(n) and not t.startswith(("Collected.", "System.Collections.Generic.List<Collected."))]
    expect(not wrong, "references of planted types are wrong:\n  " + "\n  ".join(wrong))
    check_collectible(lines, target)
    check_roots(lines, target)
    places = {tuple(line[1:]) for line in lines if line[0] == "AT"}
    missing = [fact for fact in target.facts("TRUTH-AT") if tuple(fact) not in places]
    expect(not missing, f"objects that cannot move are not where they are: {missing}")


def check_collectible(lines, target):
    """Each object of a collectible type has one edge more, to its loader allocator."""
    found = {line[1]: (int(line[2]), int(line[4])) for line in lines if line[0] == "TYPE"}
    counts = {t: int(n) for t, n, _ in target.facts("TRUTH-COUNT")}
    for name, slots in target.facts("TRUTH-REFERENCES"):
        if "Collected." in name:
            expect_equal(found.get(name), (counts[name], int(slots) + counts[name]), f"objects and edges of {name}")


def check_roots(lines, target):
    by_name, by_type = collections.Counter(), collections.Counter()
    for _, kind, name, held in (line for line in lines if line[0] == "ROOT"):
        by_name[kind, name, held] += 1
        by_type[kind, held] += 1
    for kind, name, held, count in target.facts("TRUTH-ROOT"):
        found = by_name[kind, name, held] if name else by_type[kind, held]
        # A local may be reported once for each register or slot that holds it.
        expect(found >= int(count) if kind == "local" else found == int(count),
               f"roots {kind} {name} of {held}: planted {count}, found {found}")
    pairs = collections.Counter((line[1], line[2]) for line in lines if line[0] == "DEPENDENT")
    for primary, secondary, count in target.facts("TRUTH-DEPENDENT"):
        expect_equal(pairs[primary, secondary], int(count), f"dependent handles {primary} → {secondary}")


def check_retained(lab, snapshot, target):
    """What single objects retain and which path holds them, as the target says of itself."""
    facts = target.facts("TRUTH-RETAINED")
    expect(len(facts) >= 8, f"only {len(facts)} objects with a retained size")
    for name, retained, path in facts:
        found = lab.cairn("objects", snapshot, "--type", name, "--json").json["objects"]
        expect_equal([(o["type"], o["retained"]) for o in found], [(name, int(retained))], f"{name} retains")
        paths = lab.cairn("path", snapshot, "--object", f"@{found[0]['object']}", "--limit", "1", "--json").json["paths"]
        expect_equal(" → ".join(step["field"] for step in paths[0]["steps"]), path, f"the path to {name}")
        expect_equal(paths[0]["root"]["kind"], "static", f"what holds {name}")


def truth(env, millions, options):
    def case(lab):
        with lab.heap_truth(millions, options, env) as target:
            check_capture(lab, target)
    return case


def independent_reader(env):
    """Per type: objects, bytes, references, and a checksum over every single edge."""
    def case(lab):
        with lab.heap_truth(0.2, "idle", env) as target:
            snapshot = lab.folder / "heap.cairn"
            for _ in range(2):  # the first makes the runtime create what it needs for event sessions
                lab.capture(target.pid, snapshot, "--force")
            ours = lab.run_tool([lab.tool("snapshot_edges"), snapshot])
            ranges = lab.folder / "ranges"
            ranges.write_text("".join(f"{line[1]} {line[2]}\n" for line in ours if line[0] == "RANGE"))
            theirs = lab.run_tool([lab.targets / "clrmd-oracle" / "clrmd-oracle", target.pid, ranges])
            compare_readers(ours, theirs)
    return case


def independent_dominators(lab):
    """What every object retains, and how many steps one of each type is from a root, against another algorithm on
    another reading of the same heap. Only the roots are the snapshot's."""
    with lab.heap_truth(0.03, "idle", WORKSTATION) as target:
        snapshot = lab.folder / "heap.cairn"
        for _ in range(2):
            lab.capture(target.pid, snapshot, "--force")
        ranges, roots = lab.folder / "ranges", lab.folder / "roots"
        ranges.write_text("".join(f"{line[1]} {line[2]}\n" for line in lab.run_tool([lab.tool("snapshot_edges"), snapshot])
                                  if line[0] == "RANGE"))
        query = lambda sql: lab.cairn("query", snapshot, sql, "--json").json["rows"]
        held = query("SELECT DISTINCT o.address FROM roots r JOIN objects o USING (object) WHERE r.followed")
        roots.write_text("".join(f"{address[2:]}\n" for address, in held))
        theirs = {int(line[1], 16): tuple(map(int, line[2:]))
                  for line in lab.run_tool([lab.targets / "clrmd-oracle" / "clrmd-oracle", target.pid, ranges, roots])
                  if line[0] == "RETAINED"}
        rows = query("SELECT address, bytes, retained, type, object FROM objects WHERE reachable")
        compare_retained({int(row[0], 16): row[1:] for row in rows}, theirs)
        compare_distances(lab, snapshot, rows, theirs)


def compare_distances(lab, snapshot, rows, theirs):
    one_each = {row[3]: row for row in rows if row[3].startswith("HeapTruth.")}
    expect(len(one_each) > 30, f"only {len(one_each)} types of ours")
    for address, _, _, name, number in sorted(one_each.values(), key=lambda row: row[3])[::4]:
        path = lab.cairn("path", snapshot, "--object", f"@{number}", "--limit", "1", "--json").json["paths"][0]
        omitted = path.get("omitted", {"steps": 0})["steps"]
        expect_equal(len(path["steps"]) + omitted, theirs[int(address, 16)][2], f"steps to @{number} {name}")


def compare_retained(ours, theirs):
    """The runtime writes a few slots of its own after the capture; nothing of that holds an object of ours."""
    expect(len(ours) > 30_000, f"only {len(ours)} reachable objects")
    differing = [a for a in sorted(ours.keys() | theirs.keys())
                 if a not in ours or tuple(ours[a][:2]) != theirs.get(a, ())[:2]]
    wrong = [a for a in differing if a in ours and ours[a][2].startswith(("HeapTruth.", "Collected."))]
    told = "\n  ".join(f"{a:x}: snapshot {ours.get(a)}, ClrMD {theirs.get(a)}" for a in (wrong or differing)[:20])
    expect(not wrong and len(differing) <= 40,
           f"{len(differing)} of {len(ours)} objects differ, {len(wrong)} of ours (bytes, retained):\n  {told}")


def compare_readers(ours, theirs):
    """The runtime itself goes on a little after the capture, as it closes the collector's event session: it may put a
    few objects into free space and write a few slots. None of that in a type of ours, and nothing may be missing."""
    mine = tallies(line for line in ours if line[0] == "TYPE" and int(line[2]) > 0)
    other = tallies((line[0], CLRMD_NAMES.get(line[1], line[1]), *line[2:]) for line in theirs
                    if line[0] == "TYPE" and line[1] != "Free")
    expect(len(mine) > 200, f"only {len(mine)} types")
    nothing = (0, 0, 0, "0" * 16)
    differing = [name for name in sorted(mine.keys() | other.keys()) if mine.get(name) != other.get(name)]
    added = {name: [theirs - ours for ours, theirs in zip(mine.get(name, nothing)[:3], other.get(name, nothing)[:3])]
             for name in differing}
    wrong = [name for name in differing if added[name][0] < 0 or name.startswith(("HeapTruth.", "Collected."))
             or (added[name][0] == 0 and added[name][1] != 0)]
    told = "\n  ".join(f"{name}: snapshot {mine.get(name)}, ClrMD {other.get(name)}" for name in (wrong or differing)[:20])
    expect(not wrong, f"{len(wrong)} types differ (objects, bytes, edges, checksum):\n  {told}")
    born, written = (sum(abs(added[name][i]) for name in differing) for i in (0, 2))
    expect(born <= 16 and written <= 24, f"{born} objects and {written} edges differ:\n  {told}")


def tallies(lines):
    return {line[1]: (int(line[2]), int(line[3]), int(line[4]), line[5]) for line in lines}


CASES = [
    ("truth: workstation", truth(WORKSTATION, 0.3, "types")),
    ("truth: server, adapting heap count", truth(SERVER_DATAS, 0.3, "types")),
    ("truth: server, two fixed heaps", truth(SERVER_TWO_HEAPS, 0.3, "types")),
    ("truth: an object over 2 GiB", truth(SERVER_TWO_HEAPS, 0, "huge")),
    ("same as ClrMD: what every object retains", independent_dominators),
    ("same as ClrMD: workstation", independent_reader(WORKSTATION)),
    ("same as ClrMD: server, adapting heap count", independent_reader(SERVER_DATAS)),
    ("same as ClrMD: server, two fixed heaps", independent_reader(SERVER_TWO_HEAPS)),
]
